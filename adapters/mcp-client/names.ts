/** Stands between a server's name and a tool's name; never part of a cleaned server name. */
export const SERVER_SEPARATOR = '__';

/**
 * Gives every server a prefix that is an identifier, holds no separator, and that no other server has.
 *
 * The first separator in a joined name therefore always ends the server's part, whatever the tool is called.
 *
 * @returns the prefixes, in the order of `servers`
 * @example
 * serverPrefixes(['my-files', 'my.files']) // ['my_files', 'my_files_2']
 */
export function serverPrefixes(servers: readonly string[]): string[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    const letters = server.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
    const base = /^[A-Za-z]/.test(letters) ? letters : `s${letters === '' ? '' : `_${letters}`}`;
    let prefix = base;
    for (let n = 2; taken.has(prefix); n += 1) prefix = `${base}_${n}`;
    taken.add(prefix);
    return prefix;
  });
}

/**
 * Joins a server's prefix and a tool's own name.
 *
 * @example
 * joinToolName('files', 'read') // 'files__read'
 */
export function joinToolName(prefix: string, tool: string): string {
  return `${prefix}${SERVER_SEPARATOR}${tool}`;
}

/**
 * Takes a joined name apart again.
 *
 * @returns `undefined` when there is no separator
 * @example
 * splitToolName('files__read__all') // { prefix: 'files', tool: 'read__all' }
 */
export function splitToolName(name: string): { prefix: string; tool: string } | undefined {
  const at = name.indexOf(SERVER_SEPARATOR);
  if (at <= 0) return undefined;
  return { prefix: name.slice(0, at), tool: name.slice(at + SERVER_SEPARATOR.length) };
}
