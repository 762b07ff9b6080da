import type { JsonValue } from '../runtime/core/json-value.js';

/** What is still to be written: a value, or a text that goes in as it is. */
type Piece = { readonly value: JsonValue } | { readonly text: string };

/**
 * JSON text in which the order of keys does not matter: objects are written with their keys sorted, at every level. Depth is
 * no limit.
 *
 * @example
 * canonicalJson({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  let written = '';
  const rest: Piece[] = [{ value }];
  for (let piece = rest.pop(); piece !== undefined; piece = rest.pop()) {
    if ('text' in piece) written += piece.text;
    else if (typeof piece.value === 'object' && piece.value !== null) {
      // Last in, first out.
      const pieces = piecesOf(piece.value);
      for (let index = pieces.length - 1; index >= 0; index -= 1) rest.push(pieces[index]!);
    } else written += JSON.stringify(piece.value);
  }
  return written;
}

function piecesOf(container: NonNullable<JsonValue> & object): Piece[] {
  if (Array.isArray(container)) {
    const items = container as readonly JsonValue[];
    return [
      { text: '[' },
      ...items.flatMap((value, index) => (index === 0 ? [{ value }] : [{ text: ',' }, { value }])),
      { text: ']' },
    ];
  }
  const record = container as { readonly [key: string]: JsonValue };
  const pieces: Piece[] = [{ text: '{' }];
  for (const key of Object.keys(record).sort()) {
    const comma = pieces.length === 1 ? '' : ',';
    pieces.push({ text: `${comma}${JSON.stringify(key)}:` }, { value: record[key]! });
  }
  pieces.push({ text: '}' });
  return pieces;
}
