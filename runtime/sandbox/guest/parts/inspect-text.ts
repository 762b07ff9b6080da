import type { Kit } from '../kit.js';

/** A string as it stands inside another value in the log: quoted, escaped, cut at a length. */
export function quotePart(kit: Kit): (text: string, maxLength: number, indent: number) => string {
  const { slice, indexOf, charCodeAt: charCode } = kit;
  const WIDTH = 80;

  const hex = (unit: number, digits: number, from: string): string => {
    let text = '';
    for (let shift = (digits - 1) * 4; shift >= 0; shift -= 4)
      text += slice(from, (unit >> shift) & 15, ((unit >> shift) & 15) + 1);
    return text;
  };

  const escaped = (unit: number): string => {
    if (unit === 10) return '\\n';
    if (unit === 9) return '\\t';
    if (unit === 13) return '\\r';
    if (unit === 8) return '\\b';
    if (unit === 12) return '\\f';
    if (unit === 92) return '\\\\';
    if (unit < 32 || (unit >= 127 && unit < 160)) return '\\x' + hex(unit, 2, '0123456789ABCDEF');
    return '';
  };

  return (text, maxLength, indent) => {
    const extra = text.length - maxLength;
    const shown = extra > 0 ? slice(text, 0, maxLength) : text;
    let mark = "'";
    if (indexOf(shown, "'") >= 0) {
      if (indexOf(shown, '"') < 0) mark = '"';
      else if (indexOf(shown, '`') < 0 && indexOf(shown, '${') < 0) mark = '`';
    }
    const split = shown.length > 16 && shown.length > WIDTH - indent - 4;
    let gap = ' +\n';
    for (let i = 0; i < indent + 2; i++) gap += ' ';
    let out = mark;
    let from = 0;
    for (let i = 0; i < shown.length; i++) {
      const unit = charCode(shown, i);
      let instead = unit === 39 && mark === "'" ? "\\'" : escaped(unit);
      if (unit >= 0xd800 && unit <= 0xdfff) {
        const next = unit < 0xdc00 && i + 1 < shown.length ? charCode(shown, i + 1) : 0;
        if (next >= 0xdc00 && next <= 0xdfff) i++;
        else instead = '\\u' + hex(unit, 4, '0123456789abcdef');
      }
      if (instead === '') continue;
      out += slice(shown, from, i) + instead;
      from = i + 1;
      // Node breaks a long text after each of its lines.
      if (unit === 10 && split && from < shown.length) out += mark + gap + mark;
    }
    out += slice(shown, from) + mark;
    return extra > 0 ? out + '... ' + extra + ' more character' + (extra > 1 ? 's' : '') : out;
  };
}

/** The items of a long list, several to a line and padded to columns where they are short. */
export function columnsPart(
  kit: Kit,
): (items: string[], more: boolean, indent: number, right: boolean) => string[] {
  const { setPrototypeOf: setPrototype, indexOf } = kit;
  const WIDTH = 80;
  const GAP = 2;
  const MOST = 15;
  const sqrt = kit.sqrt;
  const round = (value: number) => value + 0.5 - ((value + 0.5) % 1);

  const spaces = (count: number) => {
    let text = '';
    for (let i = 0; i < count; i++) text += ' ';
    return text;
  };

  return (items, more, indent, right) => {
    const count = more ? items.length - 1 : items.length;
    let total = 0;
    let longest = 0;
    for (let i = 0; i < count; i++) {
      const { length } = items[i] as string;
      if (indexOf(items[i] as string, '\n') >= 0) return items;
      total += length + GAP;
      if (length > longest) longest = length;
    }
    const cell = longest + GAP;
    if (cell * 3 + indent >= WIDTH || !(total / cell > 5 || longest <= 6)) return items;
    const biased = cell - 3 - sqrt(cell - total / items.length);
    const width = biased > 1 ? biased : 1;
    let columns = round(sqrt(2.5 * width * count) / width);
    const fitting = (WIDTH - indent) / cell - (((WIDTH - indent) / cell) % 1);
    if (fitting < columns) columns = fitting;
    if (12 < columns) columns = 12;
    if (MOST < columns) columns = MOST;
    if (columns <= 1) return items;
    const widths = setPrototype([], null) as unknown as number[];
    for (let column = 0; column < columns; column++) {
      let widest = 0;
      for (let i = column; i < count; i += columns) {
        const { length } = items[i] as string;
        if (length > widest) widest = length;
      }
      widths[column] = widest + GAP;
    }
    const lines = setPrototype([], null) as unknown as string[];
    for (let start = 0; start < count; start += columns) {
      const end = start + columns < count ? start + columns : count;
      let line = '';
      for (let i = start; i < end; i++) {
        const last = i === end - 1;
        const item = last ? (items[i] as string) : items[i] + ', ';
        const padding = spaces((widths[i - start] as number) - item.length - (last ? GAP : 0));
        line += right ? padding + item : last ? item : item + padding;
      }
      lines[lines.length] = line;
    }
    if (more) lines[lines.length] = items[count] as string;
    return lines;
  };
}
