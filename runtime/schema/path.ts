const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** What the value with an empty path is called. */
export const ROOT = 'arguments';

/**
 * The path of a member: `config.host`, `servers[1]`, `headers["x-id"]`; a bare name below an empty path.
 *
 * @example
 * memberPath('', 'path') // 'path'
 * memberPath('servers', 1) // 'servers[1]'
 */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path || ROOT}[${key}]`;
  if (!IDENTIFIER.test(key)) return `${path || ROOT}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
