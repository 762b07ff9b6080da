/**
 * Writes the beginning of a JSON value on one line. It looks at no more of the value than it shows.
 *
 * @param max characters
 * @example
 * briefJson({ path: 'a', text: 'long…' }, 20) // '{"path":"a","text":…'
 */
export function briefJson(value: unknown, max: number): string {
  const text = write(value, max + 1);
  return text.length <= max ? text : `${trimEnd(text, max - 1)}…`;
}

/**
 * Puts a text on one line and cuts it.
 *
 * @param max characters
 * @example
 * briefText('no such file\n  at …', 80)
 */
export function briefText(text: string, max: number): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= max && text.length <= 4 * max ? line : `${trimEnd(line, max - 1)}…`;
}

/** Never ends in half a character. */
function trimEnd(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Every level takes at least one character of the room, so the depth is bounded by it. */
function write(value: unknown, room: number): string {
  if (room <= 0) return '';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? writeArray(value, room) : writeObject(value, room);
}

function writeArray(items: readonly unknown[], room: number): string {
  let text = '[';
  for (let i = 0; i < items.length && text.length < room; i += 1) {
    if (i > 0) text += ',';
    text += write(items[i], room - text.length);
  }
  return `${text}]`;
}

function writeObject(value: object, room: number): string {
  let text = '{';
  for (const key in value) {
    if (text.length >= room) break;
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key.slice(0, room))}:`;
    text += write((value as Record<string, unknown>)[key], room - text.length);
  }
  return `${text}}`;
}
