import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

/** What a program does to its own world before it goes on. */
const tampers: readonly (readonly [name: string, code: string])[] = [
  ['JSON', `JSON.stringify = () => '[99,0,0,{"forged":1}]'; JSON.parse = () => [[1, 0, 'forged']];`],
  ['Array.isArray', 'Array.isArray = () => false;'],
  [
    'Object functions',
    `for (const k of ['keys', 'create', 'defineProperty', 'getPrototypeOf', 'setPrototypeOf', 'getOwnPropertyDescriptor', 'getOwnPropertyDescriptors', 'hasOwn', 'entries', 'assign', 'freeze']) Object[k] = () => { throw new Error('tampered') };`,
  ],
  [
    'Reflect',
    `for (const k of Reflect.ownKeys(Reflect)) if (typeof Reflect[k] === 'function') Reflect[k] = () => { throw new Error('tampered') };`,
  ],
  [
    'String.prototype',
    `for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== 'constructor' && typeof ''[k] === 'function') Object.defineProperty(String.prototype, k, { value: () => { throw new Error('tampered') } });`,
  ],
  [
    'Array.prototype',
    `for (const k of Reflect.ownKeys(Array.prototype)) if (k !== 'constructor' && typeof Array.prototype[k] === 'function') Array.prototype[k] = () => { throw new Error('tampered') };`,
  ],
  [
    'setters on Array.prototype',
    `for (let i = 0; i < 20; i++) Object.defineProperty(Array.prototype, i, { set() { throw new Error('tampered') }, get() { throw new Error('tampered') }, configurable: true });`,
  ],
  [
    'accessors on Object.prototype',
    `for (const k of ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'refuse', 'errorClass', 'next', 'id', 'then', 'signal', 'timeoutMs', 'listen', 'name', 'settled', 'forget', 'timer']) Object.defineProperty(Object.prototype, k, { __proto__: null, get() { return undefined }, set(v) { Object.defineProperty(this, k, { __proto__: null, value: v, writable: true, enumerable: true, configurable: true }) }, configurable: true });`,
  ],
  [
    'descriptor fields on Object.prototype',
    `Object.prototype.get = () => 'tampered'; Object.prototype.writable = false; Object.prototype.enumerable = false;`,
  ],
  [
    'Promise',
    `Promise.prototype.then = function () { throw new Error('tampered') }; Promise.resolve = Promise.reject = Promise.all = () => { throw new Error('tampered') };`,
  ],
  [
    'Promise species and constructor',
    `Object.defineProperty(Promise, Symbol.species, { get() { return function (start) { start(() => {}, () => {}) } } }); Promise.prototype.constructor = function () {};`,
  ],
  [
    'Function.prototype',
    `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = Function.prototype.toString = () => { throw new Error('tampered') };`,
  ],
  [
    'Symbol.hasInstance and iterators',
    `Object.defineProperty(ToolCallError, Symbol.hasInstance, { value: () => false }); Array.prototype[Symbol.iterator] = function* () {}; Object.getPrototypeOf([].entries?.() ?? {}).next = () => ({ done: true });`,
  ],
  [
    'Error',
    `Error.captureStackTrace = () => { throw new Error('tampered') }; Error.stackTraceLimit = 0; Error.prepareStackTrace = () => ({ hostile: 1 }); Object.defineProperty(Error.prototype, 'name', { get() { throw 1 } });`,
  ],
  [
    'Error.stackTraceLimit',
    `Object.defineProperty(Error, 'stackTraceLimit', { get() { throw new Error('tampered') }, set() { throw new Error('tampered') } });`,
  ],
  [
    'Map, Set, WeakMap',
    `for (const C of [Map, Set, WeakMap, WeakSet]) for (const k of ['get', 'set', 'has', 'add', 'delete', 'forEach']) if (k in C.prototype) C.prototype[k] = () => { throw new Error('tampered') };`,
  ],
  [
    'Date and Math',
    `Date.now = () => NaN; Date.prototype.toISOString = Date.prototype.toJSON = Date.prototype.getTime = () => 'tampered'; Math.sqrt = () => NaN;`,
  ],
  ['RegExp', `RegExp.prototype.exec = RegExp.prototype.test = () => { throw new Error('tampered') };`],
  [
    'the globals',
    `for (const k of ['Error', 'Promise', 'JSON', 'Object', 'Array', 'Reflect', 'Proxy', 'String', 'TypeError', 'eval', 'Function', 'console', 'Map', 'Date']) delete globalThis[k];`,
  ],
  [
    'toJSON on the prototypes',
    `Object.defineProperty(String.prototype, 'toJSON', { value: () => 'tampered' }); Object.defineProperty(Number.prototype, 'toJSON', { value: () => 'tampered' });`,
  ],
  [
    'ToolCallError',
    `Object.setPrototypeOf(ToolCallError, class { constructor() { return { hostile: 1 } } }); delete ToolCallError.prototype.constructor;`,
  ],
];

describe.each(engines)('a program that rewrites its world, %s', (engine) => {
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

  it.each(tampers)(
    'M51, E107: %s: calls, their results and failures, logs and the value stay what they are',
    async (_name, code) => {
      const program = `const log = console.log; ${code}
      const seen = await tools.echo({ text: 'a"b', list: [1, { x: null }], n: -1.5, flag: true });
      let failure;
      try { await tools.fail({}) } catch (error) { failure = error }
      log('plain', 1, true);
      return { text: seen.text, item: seen.list[1].x, n: seen.n, flag: seen.flag, isOurs: ToolCallError.prototype.isPrototypeOf(failure), message: failure.message, tool: failure.toolName }`;
      const { value, logs, calls, failure } = await host.run(program, { tools });
      expect(failure).toBeUndefined();
      expect(calls.map((call) => call.slice(0, 4))).toEqual([
        [1, 0, 0, { text: 'a"b', list: [1, { x: null }], n: -1.5, flag: true }],
        [2, 0, 1, {}],
      ]);
      expect(value).toEqual({
        text: 'a"b',
        item: null,
        n: -1.5,
        flag: true,
        isOurs: true,
        message: 'boom',
        tool: 'fail',
      });
      expect(logs).toEqual(['plain 1 true']);
    },
  );

  it.each(tampers)(
    'M51, E107: %s: refusals, hints, options, timers and the rare globals stay what they are',
    async (_name, code) => {
      const program = `const { log } = console; const wait = setTimeout; const Url = URL; const makeDate = () => new D(0); const D = Date; const M = Map; const C = AbortController;
      ${code}
      const messages = [];
      const attempt = async (f) => { try { await f(); return 'done' } catch (error) { return error.message } };
      const out = { nope: await attempt(() => tools.ecko({})), map: await attempt(() => tools.echo({ m: new M() })), bad: await attempt(() => tools.echo(5)), option: await attempt(() => tools.echo({}, { x: 1 })),
        date: (await tools.echo({ at: makeDate() })).at, url: new Url('https://a.test/x?y=1').hostname };
      const controller = new C();
      const given = attempt(() => tools.hang({}, { signal: controller.signal }));
      await new (Object.getPrototypeOf(async function () {}).constructor('wait', 'return new (Object.getPrototypeOf((async () => {})()).constructor)((resolve) => wait(resolve, 1))') ?? Object)(wait).catch?.(() => {});
      controller.abort('why');
      out.given = await given;
      log({ a: [1] });
      return out`;
      // Programs that took away what this one itself needs prove nothing.
      const needs = /Promise|Function\.prototype|the globals|Object functions|Symbol\.hasInstance/;
      if (needs.test(_name)) return;
      const { value, logs, failure } = await host.run(program.replace(/ {6}await new \(Object[^\n]*\n/, ''), {
        tools: { ...tools, hang: () => Symbol.for('none') as never },
      });
      expect(failure).toBeUndefined();
      expect(value).toMatchObject({
        nope: 'Unknown tool "ecko" in "tools": the closest names are "echo"',
        map: 'Cannot call "tools.echo": args.m is a Map: use Object.fromEntries(map) or [...map]',
        bad: 'Cannot call "tools.echo": wanted one arguments object such as { name: value }, received a number',
        url: 'a.test',
        date: '1970-01-01T00:00:00.000Z',
        given: 'The call was given up: why',
      });
      expect(logs).toEqual(['{ a: [ 1 ] }']);
    },
  );

  it('M51: a program cannot forge its end: patched promises and thenables leave the value as returned', async () => {
    const program = `Promise.prototype.then = function (ok) { ok('forged') }; Object.defineProperty(Promise.prototype, 'constructor', { get() { return class {} } });
      return { real: 1 }`;
    expect((await host.run(program)).value).toEqual({ real: 1 });
    expect((await host.run('return { then(ok) { ok({ own: 2 }) } }')).value).toEqual({ own: 2 });
  });

  it('M51: a property that breaks the prelude by intent ends in an ordinary failure of this run, and the next one works', async () => {
    const { failure } = await host.run(
      `Object.defineProperty(Object.prototype, 'toJSON', { get() { throw new Error('trap') } }); return { a: 1 }`,
    );
    expect(failure).toMatchObject({ kind: 'invalid-output', message: expect.stringContaining('trap') });
    expect((await host.run('return 1')).value).toBe(1);
  });
});
