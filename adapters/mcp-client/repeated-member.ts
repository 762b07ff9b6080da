/**
 * Finds a member name that an object of a JSON text has twice; parsing would keep the last one and say nothing.
 *
 * @param text - valid JSON
 * @param path - the member names that lead to the object
 * @returns the first repeated name, or `undefined`
 * @example
 * repeatedMember('{"a":{"b":1,"b":2}}', ['a']) // 'b'
 */
export function repeatedMember(text: string, path: readonly string[]): string | undefined {
  const open: { name: string | undefined; readonly isObject: boolean; readonly seen: Set<string> }[] = [];
  const isThere = (): boolean =>
    open.length === path.length + 1 && path.every((name, index) => open[index]?.name === name);
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      open.push({ name: undefined, isObject: token === '{', seen: new Set() });
      continue;
    }
    if (token === '}' || token === ']') {
      open.pop();
      continue;
    }
    const inside = open.at(-1);
    if (!inside?.isObject || !/^\s*:/.test(text.slice(index + token.length, index + token.length + 64)))
      continue;
    inside.name = JSON.parse(token) as string;
    if (!isThere()) continue;
    if (inside.seen.has(inside.name)) return inside.name;
    inside.seen.add(inside.name);
  }
  return undefined;
}
