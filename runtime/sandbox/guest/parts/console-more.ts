import type { Kit } from '../kit.js';

/** The members of the console that are rarely called. */
export function consolePart(kit: Kit): Record<string, (args: unknown[]) => void> {
  const {
    create,
    keys,
    hasOwnProperty: hasOwn,
    setPrototypeOf: setPrototype,
    now,
    slice,
    isArray,
    String,
  } = kit;
  const MAX_ROWS = 100;
  const MAX_COLUMNS = 50;
  const counts = create(null) as Record<string, number>;
  const timers = create(null) as Record<string, number>;
  const list = () => setPrototype([], null) as unknown as string[];

  const label = (args: unknown[]) =>
    args.length === 0 || args[0] === undefined ? 'default' : String(args[0]);
  const rest = (args: unknown[], from: number) => {
    const left = setPrototype([], null) as unknown as unknown[];
    for (let i = from; i < args.length; i++) left[left.length] = args[i];
    return left;
  };
  const cell = (value: unknown) => {
    const inspect = kit.part<(value: unknown) => string>('inspect');
    const text = inspect(value);
    return text.length > 200 ? slice(text, 0, 200) + '...' : text;
  };

  const time = (args: unknown[], end: boolean) => {
    const name = label(args);
    const started = timers[name];
    if (started === undefined) return;
    const extra = args.length > 1 ? ' ' + kit.format(rest(args, 1)) : '';
    kit.print(name + ': ' + (now() - started) + 'ms' + extra);
    if (end) delete timers[name];
  };

  const line = (
    cells: string[],
    widths: number[],
    left: string,
    between: string,
    right: string,
    fill: string,
  ) => {
    let text = left;
    for (let i = 0; i < widths.length; i++) {
      const shown = ' ' + (cells[i] ?? '') + ' ';
      text += shown;
      for (let n = shown.length; n < (widths[i] as number) + 2; n++) text += fill;
      text += i === widths.length - 1 ? right : between;
    }
    return text;
  };

  const rule = (widths: number[], left: string, between: string, right: string) => {
    let text = left;
    for (let i = 0; i < widths.length; i++) {
      for (let n = 0; n < (widths[i] as number) + 2; n++) text += '─';
      text += i === widths.length - 1 ? right : between;
    }
    return text;
  };

  const draw = (head: string[], rows: string[][]) => {
    const widths = setPrototype([], null) as unknown as number[];
    for (let column = 0; column < head.length; column++) {
      let widest = (head[column] as string).length;
      for (let row = 0; row < rows.length; row++) {
        const { length } = (rows[row] as string[])[column] ?? '';
        if (length > widest) widest = length;
      }
      widths[column] = widest;
    }
    let text =
      '' +
      rule(widths, '┌', '┬', '┐') +
      '\n' +
      line(head, widths, '│', '│', '│', ' ') +
      '\n' +
      rule(widths, '├', '┼', '┤');
    for (let row = 0; row < rows.length; row++)
      text += '\n' + line(rows[row] as string[], widths, '│', '│', '│', ' ');
    return text + '\n' + rule(widths, '└', '┴', '┘');
  };

  const table = (args: unknown[]) => {
    const data = args[0];
    if (typeof data !== 'object' || data === null) return kit.print(kit.format(args));
    const wanted = args[1];
    const head = list();
    head[0] = '(index)';
    const columnOf = create(null) as Record<string, number>;
    const column = (name: string) => {
      if (columnOf[name] === undefined && head.length < MAX_COLUMNS) {
        columnOf[name] = head.length;
        head[head.length] = name;
      }
      return columnOf[name];
    };
    if (isArray(wanted)) for (let i = 0; i < wanted.length; i++) column(String(wanted[i]));
    const rows = setPrototype([], null) as unknown as string[][];
    const names = keys(data);
    let values = false;
    for (let i = 0; i < names.length && i < MAX_ROWS; i++) {
      const row = list();
      row[0] = names[i] as string;
      const item = (data as Record<string, unknown>)[names[i] as string];
      if (typeof item === 'object' && item !== null) {
        const fields = keys(item);
        for (let j = 0; j < fields.length; j++) {
          const field = fields[j] as string;
          const at = isArray(wanted) ? columnOf[field] : column(field);
          if (at !== undefined) row[at] = cell((item as Record<string, unknown>)[field]);
        }
      } else {
        values = true;
        row[MAX_COLUMNS] = cell(item);
      }
      rows[rows.length] = row;
    }
    // Plain items stand in a last column of their own.
    if (values) {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i] as string[];
        if (hasOwn(row, MAX_COLUMNS)) row[head.length] = row[MAX_COLUMNS] as string;
      }
      head[head.length] = 'Values';
    }
    const more = names.length - MAX_ROWS;
    kit.print(draw(head, rows) + (more > 0 ? '\n... ' + more + ' more row' + (more > 1 ? 's' : '') : ''));
  };

  return setPrototype(
    {
      dir: (args) => kit.print(kit.format(args.length === 0 ? args : rest([args[0]], 0))),
      table,
      assert: (args) => {
        if (args.length > 0 && args[0]) return;
        kit.print(args.length < 2 ? 'Assertion failed' : 'Assertion failed: ' + kit.format(rest(args, 1)));
      },
      count: (args) => {
        const name = label(args);
        counts[name] = (counts[name] ?? 0) + 1;
        kit.print(name + ': ' + counts[name]);
      },
      countReset: (args) => {
        counts[label(args)] = 0;
      },
      group: (args) => {
        if (args.length > 0) kit.print(kit.format(args));
      },
      time: (args) => {
        timers[label(args)] = now();
      },
      timeLog: (args) => time(args, false),
      timeEnd: (args) => time(args, true),
    } as Record<string, (args: unknown[]) => void>,
    null,
  );
}
