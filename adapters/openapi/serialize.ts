import { isNode, members, type OpenApiNode } from './document.js';

/** One name with its text, not yet encoded. */
export type Pair = readonly [name: string, value: string];

/** The text of a value without members. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A parameter whose value is written in a media type of its own, always JSON here. */
export function hasContent(parameter: OpenApiNode): boolean {
  return isNode(parameter['content']);
}

/**
 * A path or header parameter in the style `simple`, and `label` and `matrix` for paths.
 *
 * @param encode - applied to each part, never to what stands between the parts
 * @example
 * simpleText({ name: 'id' }, ['a', 'b'], encodeURIComponent) // 'a,b'
 */
export function simpleText(parameter: OpenApiNode, value: unknown, encode: (text: string) => string): string {
  if (hasContent(parameter)) return encode(JSON.stringify(value));
  const { style, explode, name } = parameter;
  const isExploded = explode === true;
  const parts = partsOf(value, isExploded ? '=' : ',', encode);
  if (style === 'label') return `.${parts.join(isExploded ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  const key = encode(String(name));
  if (!isExploded) return `;${key}=${parts.join(',')}`;
  return parts.map((part) => (isNode(value) ? `;${part}` : `;${key}=${part}`)).join('');
}

/**
 * A query or cookie parameter, in any of its styles.
 *
 * @example
 * queryPairs({ name: 'tag' }, ['a', 'b']) // [['tag', 'a'], ['tag', 'b']]
 */
export function queryPairs(parameter: OpenApiNode, value: unknown): Pair[] {
  const name = String(parameter['name']);
  if (hasContent(parameter)) return [[name, JSON.stringify(value)]];
  const style = parameter['style'] ?? 'form';
  if (style === 'deepObject' && isNode(value)) return deepPairs(name, value);
  const isExploded = (parameter['explode'] ?? style === 'form') === true;
  if (!isExploded) {
    const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
    return [[name, partsOf(value, separator, (text) => text).join(separator)]];
  }
  if (Array.isArray(value)) return value.map((each): Pair => [name, scalarText(each)]);
  if (isNode(value)) return members(value).map(([key, each]): Pair => [key, scalarText(each)]);
  return [[name, scalarText(value)]];
}

function deepPairs(name: string, value: OpenApiNode): Pair[] {
  return members(value).flatMap(([key, each]): Pair[] => {
    const inner = `${name}[${key}]`;
    if (isNode(each)) return deepPairs(inner, each);
    if (Array.isArray(each)) return each.map((item): Pair => [inner, scalarText(item)]);
    return [[inner, scalarText(each)]];
  });
}

function partsOf(value: unknown, between: string, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((each) => encode(scalarText(each)));
  if (!isNode(value)) return [encode(scalarText(value))];
  return members(value).map(([key, each]) => `${encode(key)}${between}${encode(scalarText(each))}`);
}
