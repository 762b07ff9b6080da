import type { Kit } from '../kit.js';

/** One line for any thrown value; reads hostile properties one by one and never throws. */
export function shortTextPart(kit: Kit): (reason: unknown, maxLength?: number) => string {
  const { ErrorPrototype, isPrototypeOf: isInChain, slice, indexOf, String } = kit;
  const UNRENDERABLE = '(a value that cannot be shown)';

  const isError = (reason: unknown): reason is Error => {
    if (typeof reason !== 'object' || reason === null) return false;
    try {
      return isInChain(ErrorPrototype, reason);
    } catch {
      return false;
    }
  };

  const part = (reason: object, key: 'name' | 'message'): string | undefined => {
    try {
      const value: unknown = (reason as Record<string, unknown>)[key];
      if (typeof value === 'string') return value;
      if (key === 'name') return 'Error';
      return typeof value === 'object' || typeof value === 'function' ? undefined : String(value);
    } catch {
      return key === 'name' ? 'Error' : undefined;
    }
  };

  const other = (reason: object, maxLength: number): string => {
    try {
      const text = typeof reason === 'object' ? kit.toJson(reason, 'thrown', maxLength) : undefined;
      if (text !== undefined && text !== '') return text;
    } catch {
      // What follows does not need it.
    }
    try {
      const text = String(reason);
      if (indexOf(text, '[object ') !== 0) return text;
    } catch {
      return UNRENDERABLE;
    }
    try {
      return kit.part<(value: unknown) => string>('inspect')(reason);
    } catch {
      return UNRENDERABLE;
    }
  };

  return (reason, maxLength = 2000) => {
    let text: string;
    if (typeof reason === 'string') text = reason;
    else if (isError(reason)) {
      const name = part(reason, 'name') as string;
      const message = part(reason, 'message');
      text = message === '' ? name : name + ': ' + (message ?? UNRENDERABLE);
    } else if ((typeof reason === 'object' && reason !== null) || typeof reason === 'function') {
      text = other(reason, maxLength);
    } else text = String(reason);
    return text.length > maxLength ? slice(text, 0, maxLength) : text;
  };
}
