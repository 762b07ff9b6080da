import type { Kit } from './kit.js';

/** The console: entries leave at once, later in batches; what is rarely called is built on first use. */
export function installConsole(kit: Kit): void {
  const { host, stringify, now, slice, hasOwn, keys, create, define, global, Proxy } = kit;
  const AT_ONCE = 100;
  const BATCH_CHARACTERS = 8192;
  const HELD_MS = 10;
  let entries = 0;
  let characters = 0;
  let batch = '';
  let flushedAt = 0;

  kit.flushLogs = () => {
    if (batch === '') return;
    const text = batch;
    batch = '';
    host(0, `[${text}]`);
  };

  kit.print = (text) => {
    const { maxOutputBytes, maxLogEntries } = kit.run.limits;
    // One character more than the cap is enough for the host to cut at the right byte.
    const entry = stringify(text.length > maxOutputBytes ? slice(text, 0, maxOutputBytes + 1) : text);
    entries++;
    characters += entry.length + 1;
    batch += batch === '' ? entry : `,${entry}`;
    const over = characters > maxOutputBytes || entries > maxLogEntries;
    if (entries > AT_ONCE && batch.length < BATCH_CHARACTERS && !over) {
      const time = now();
      if (time - flushedAt < HELD_MS && time >= flushedAt) return;
      flushedAt = time;
    }
    kit.flushLogs();
    if (over) host(4, '');
  };

  kit.format = (args) => {
    let text = '';
    for (let i = 0; i < args.length; i++) {
      const value = args[i];
      if (i > 0) text += ' ';
      if (typeof value === 'string') text += value;
      else if (typeof value === 'boolean' || value === undefined || value === null) text += value;
      else if (typeof value === 'number') text += value === 0 && 1 / value < 0 ? '-0' : value;
      else text += kit.part<(value: unknown) => string>('inspect')(value);
    }
    return text;
  };

  kit.hasPrinted = () => entries > 0;

  const print = (args: unknown[]) => kit.print(kit.format(args));
  const more = (name: string, args: unknown[]) =>
    kit.part<Record<string, (args: unknown[]) => void>>('console')[name]?.(args);
  const members = {
    log: (...args: unknown[]) => print(args),
    info: (...args: unknown[]) => print(args),
    warn: (...args: unknown[]) => print(args),
    error: (...args: unknown[]) => print(args),
    debug: (...args: unknown[]) => print(args),
    trace: (...args: unknown[]) => print(args),
    dirxml: (...args: unknown[]) => print(args),
    dir: (...args: unknown[]) => more('dir', args),
    table: (...args: unknown[]) => more('table', args),
    assert: (...args: unknown[]) => more('assert', args),
    count: (...args: unknown[]) => more('count', args),
    countReset: (...args: unknown[]) => more('countReset', args),
    group: (...args: unknown[]) => more('group', args),
    groupCollapsed: (...args: unknown[]) => more('group', args),
    groupEnd: () => {},
    time: (...args: unknown[]) => more('time', args),
    timeLog: (...args: unknown[]) => more('timeLog', args),
    timeEnd: (...args: unknown[]) => more('timeEnd', args),
    clear: () => {},
  };
  const target = create(kit.ObjectPrototype);
  const names = keys(members);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as keyof typeof members;
    define(target, name, {
      __proto__: null,
      value: members[name],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  const handler = {
    __proto__: null,
    get(_target: object, key: PropertyKey) {
      if (hasOwn(target, key) || key in kit.ObjectPrototype) return target[key];
      // A name that somebody merely reads to find out what this is must stay absent.
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined;
      return () => {};
    },
  };
  define(global, 'console', {
    __proto__: null,
    value: new Proxy(target, handler as ProxyHandler<typeof target>),
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
