// Which prototypes make a container plain: those of this realm, and the intrinsic ones of any other.

const functionText = Function.prototype.toString;
const known = { Object: new WeakSet<object>(), Array: new WeakSet<object>() };

/**
 * Whether a prototype is some realm's `Object.prototype`.
 *
 * A forgery fails: its constructor is no native function called `Object`, or that function has another `prototype`.
 *
 * @throws whatever a Proxy's traps throw
 * @example
 * isObjectPrototype(Object.prototype) // true
 * isObjectPrototype(Date.prototype) // false
 */
export function isObjectPrototype(prototype: object): boolean {
  if (prototype === Object.prototype || known.Object.has(prototype)) return true;
  if (Object.getPrototypeOf(prototype) !== null || !isIntrinsic(prototype, 'Object')) return false;
  known.Object.add(prototype);
  return true;
}

/**
 * Whether a prototype is some realm's `Array.prototype`.
 *
 * @throws whatever a Proxy's traps throw
 * @example
 * isArrayPrototype(Array.prototype) // true
 */
export function isArrayPrototype(prototype: object): boolean {
  if (prototype === Array.prototype || known.Array.has(prototype)) return true;
  const parent: object | null = Object.getPrototypeOf(prototype);
  if (parent === null || !isObjectPrototype(parent) || !isIntrinsic(prototype, 'Array')) return false;
  known.Array.add(prototype);
  return true;
}

function isIntrinsic(prototype: object, name: 'Object' | 'Array'): boolean {
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof maker !== 'function') return false;
  // A Proxy and a bound function print without a name, and no source text can print as native code.
  const words = functionText.call(maker).split(/\s+/).join(' ');
  if (words !== `function ${name}() { [native code] }`) return false;
  return Object.getOwnPropertyDescriptor(maker, 'prototype')?.value === prototype;
}
