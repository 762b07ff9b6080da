import type { Kit } from './kit.js';

/**
 * The console: entries leave at once, later in batches; what is rarely called is built on first use.
 *
 * @param atOnce entries that leave one by one
 */
export function installConsole(kit: Kit, atOnce: number): void {
  const { host, stringify, now, slice, hasOwnProperty, create, global, put, Proxy } = kit;
  const BATCH_CHARACTERS = 8192;
  const HELD_MS = 10;
  let entries = 0;
  let characters = 0;
  let batch = '';
  let flushedAt = 0;

  kit.flushLogs = () => {
    const text = batch;
    batch = '';
    if (text !== '') host(0, '[' + text + ']');
  };

  kit.lastWords = () => {
    host(6, batch);
  };

  kit.hasPrinted = () => entries > 0;

  kit.print = (text) => {
    const { maxOutputBytes, maxLogEntries } = kit.run.limits;
    // One character more than the cap is enough for the host to cut at the right byte.
    const entry = stringify(text.length > maxOutputBytes ? slice(text, 0, maxOutputBytes + 1) : text);
    entries++;
    characters += entry.length + 1;
    batch += (batch && ',') + entry;
    const over = characters > maxOutputBytes || entries > maxLogEntries;
    if (entries > atOnce && batch.length < BATCH_CHARACTERS && !over) {
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
      text += typeof value === 'string' ? value : kit.part<(value: unknown) => string>('inspect')(value);
    }
    return text;
  };

  const target = create(kit.ObjectPrototype);
  const members = (names: string, make: (name: string) => (args: unknown[]) => void) => {
    // Nothing of the program has run yet, so that iterating is safe.
    for (const name of names.split(' ')) {
      const act = make(name);
      put(
        target,
        name,
        kit.named(name, (...args: unknown[]) => act(args)),
        true,
      );
    }
  };
  members('log info warn error debug trace dirxml', () => (args) => kit.print(kit.format(args)));
  members('dir table assert count countReset group groupCollapsed time timeLog timeEnd', (name) => (args) => {
    kit.part<Record<string, (args: unknown[]) => void>>('console')[name]?.(args);
  });
  members('groupEnd clear', () => () => {});

  const handler = {
    __proto__: null,
    get(_target: object, key: PropertyKey) {
      if (hasOwnProperty(target, key) || key in kit.ObjectPrototype) return target[key];
      // A name that somebody merely reads to find out what this is must stay absent.
      return typeof key === 'symbol' || key === 'then' || key === 'toJSON' ? undefined : () => {};
    },
  };
  put(global, 'console', new Proxy(target, handler as ProxyHandler<typeof target>), false);
}
