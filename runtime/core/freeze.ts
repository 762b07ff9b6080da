/**
 * Freezes a value and everything it holds, in place. Iterative, so depth is no limit; cycles are fine.
 *
 * A container that is frozen already is taken as deeply frozen. Getters are not run.
 *
 * @returns the same value
 * @example
 * const limits = deepFreeze({ retry: { times: 3 } });
 * Reflect.set(limits.retry, 'times', 4); // false
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const open: object[] = [value];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const key of Reflect.ownKeys(container)) {
      const child: unknown = Object.getOwnPropertyDescriptor(container, key)?.value;
      if (typeof child !== 'object' || child === null || Object.isFrozen(child)) continue;
      Object.freeze(child);
      open.push(child);
    }
  }
  return value;
}
