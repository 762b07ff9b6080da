import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

/** Finds every function and accessor of the world that can be replaced; `all` is a list of [owner, key, is it an accessor]. */
const WALK = `const all = []; const seen = new Set([console]);
  const walk = (o) => {
    if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) return;
    seen.add(o);
    for (const k of Reflect.ownKeys(o)) {
      const d = Object.getOwnPropertyDescriptor(o, k);
      if (d.configurable && o !== globalThis && (typeof d.value === 'function' || d.get)) all.push([o, k, d.get !== undefined]);
      if (o === globalThis && d.get) continue;
      for (const v of [d.value, d.get, d.set]) walk(v);
    }
    walk(Object.getPrototypeOf(o));
  };
  walk(globalThis);
  for (const o of [(async function* () {}).prototype, [][Symbol.iterator](), new Map().entries(), new Set().values(), 'a'.matchAll(/a/g), (async () => {}).constructor]) walk(o);`;

/** Uses the library only, so that nothing of it is the program's own fault. */
const USE = `const a = await tools.echo({ text: 'a"b', list: [1, { x: null }], n: -1.5, flag: true });
  let told; try { await tools.fail({}) } catch (error) { told = error.message + '|' + error.toolName }
  let refused; try { await tools.nope({}) } catch (error) { refused = error.name }
  console.log('text', 1, true, { a: [1] });
  return [name, { a, told, refused }]`;

const WANTED = {
  a: { text: 'a"b', list: [1, { x: null }], n: -1.5, flag: true },
  told: 'boom|fail',
  refused: 'ToolCallError',
};

/** One in so many in the quick run. */
const STEP = process.env['PTC_FULL'] ? 1 : 6;

describe.each(engines)('a world of which one member is replaced, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const tools = {
    echo: (args: unknown) => args,
    fail: () => {
      throw new Error('boom');
    },
  };

  it('M51, E107: whichever it is, calls, failures, refusals, logs and the value stay what they are', async () => {
    const { value: count } = await host.run(`${WALK} return all.length`, { tools });
    expect(count).toBeGreaterThan(400);
    const broken: unknown[] = [];
    for (let index = 0; index < count; index += STEP) {
      const program = `${WALK}
        const [owner, key, isAccessor] = all[${index}]; const name = String(key);
        const boom = () => { throw new Error('replaced') };
        Object.defineProperty(owner, key, isAccessor ? { __proto__: null, get: boom, set: boom, configurable: true } : { __proto__: null, value: boom, writable: true, configurable: true });
        ${USE}`;
      const { value, logs, failure } = await host.run(program, { tools });
      const [name, seen] = (value ?? []) as [string?, unknown?];
      // What prints an object shows the name of whatever its constructor is.
      const printed = name === 'constructor' ? [] : logs;
      const wanted = name === 'constructor' ? [] : ['text 1 true { a: [ 1 ] }'];
      const isRight = JSON.stringify([seen, printed]) === JSON.stringify([WANTED, wanted]);
      if (failure !== undefined || !isRight) broken.push([index, name, failure?.message ?? seen, logs]);
    }
    expect(broken).toEqual([]);
  }, 240_000);
});
