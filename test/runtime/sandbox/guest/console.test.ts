import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

/** How the log formats anything that is no string. */
const format = (value: unknown) => inspect(value, { depth: 4, maxArrayLength: 100, maxStringLength: 10_000 });

describe.each(engines)('console, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const logsOf = async (program: string) => (await host.run(program)).logs;

  it('M18: every member goes to the one ordered log, and one that does not exist does nothing', async () => {
    const program = `for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dirxml']) console[name](name, 1);
      console.dir({ a: 1 }, { depth: 0 }); console.assert(true, 'kept back'); console.assert(false); console.assert(0, 'why', 2);
      console.count(); console.count(); console.count('x'); console.countReset(); console.count();
      console.group('g', 1); console.log('inside'); console.groupCollapsed(); console.groupEnd(); console.groupEnd();
      console.timeEnd('never'); console.clear(); console.profile('p'); console.noSuchMember({}); console.log();
      return [typeof console.timeStamp, 'timeStamp' in console, typeof console.then, typeof console.toString, console.log.name, console.log.length]`;
    const { value, logs } = await host.run(program);
    expect(value).toEqual(['function', false, 'undefined', 'function', 'log', 0]);
    expect(logs).toEqual([
      ...['log', 'info', 'warn', 'error', 'debug', 'trace', 'dirxml'].map((name) => `${name} 1`),
      '{ a: 1 }',
      'Assertion failed',
      'Assertion failed: why 2',
      'default: 1',
      'default: 2',
      'x: 1',
      'default: 1',
      'g 1',
      'inside',
      '',
    ]);
  });

  it('M18: timers of the console print their label and whole milliseconds', async () => {
    const program = `console.time(); console.timeLog(undefined, 'more', 1); console.timeEnd(); console.timeEnd(); console.time('a'); console.timeEnd('a')`;
    expect(await logsOf(program)).toEqual([
      expect.stringMatching(/^default: \d+ms more 1$/),
      expect.stringMatching(/^default: \d+ms$/),
      expect.stringMatching(/^a: \d+ms$/),
    ]);
  });

  it('M18: a table is one entry, of rows, of plain items, of chosen columns; what is no table is logged', async () => {
    const program = `console.table([{ a: 1, b: 'x' }, { a: 2 }]); console.table(['p', 3]); console.table({ r: { a: 1, b: 2 } }, ['b']); console.table(5)`;
    expect(await logsOf(program)).toEqual([
      [
        '┌─────────┬───┬─────┐',
        '│ (index) │ a │ b   │',
        '├─────────┼───┼─────┤',
        "│ 0       │ 1 │ 'x' │",
        '│ 1       │ 2 │     │',
        '└─────────┴───┴─────┘',
      ].join('\n'),
      [
        '┌─────────┬────────┐',
        '│ (index) │ Values │',
        '├─────────┼────────┤',
        "│ 0       │ 'p'    │",
        '│ 1       │ 3      │',
        '└─────────┴────────┘',
      ].join('\n'),
      ['┌─────────┬───┐', '│ (index) │ b │', '├─────────┼───┤', '│ r       │ 2 │', '└─────────┴───┘'].join(
        '\n',
      ),
      '5',
    ]);
  });

  it('M19: strings are verbatim, nothing is substituted, arguments are joined by one space', async () => {
    expect(
      await logsOf(`console.log('%s items %d\\n', 3, -0, null, undefined, true, 5n, Symbol('s'), '')`),
    ).toEqual(['%s items %d\n 3 -0 null undefined true 5n Symbol(s) ']);
  });

  // The same text is evaluated by Node and in the guest, so that Node's inspector is the oracle.
  it.each([
    '[1, 2, 3]',
    '[[], {}, [[]], { a: {} }, "it\'s", \'say "hi"\', "both \' and \\"", "tab\\t\\u001b\\x7f"]',
    '({ a: 1, "b-c": 2, $d: 3, e1: 4, 5: 6, __proto__: null })',
    'Array.from({ length: 30 }, (_, i) => i * 3)',
    'Array.from({ length: 27 }, (_, i) => "item" + i)',
    'Array.from({ length: 103 }, (_, i) => i)',
    '[undefined, null, NaN, -0, 1e21, true, 10n, [,], [1, , , 2, ,]]',
    'Object.assign([1, 2], { extra: "x" })',
    'new Map([["k", { v: [1] }], [{}, new Map()]])',
    'new Set([1, "two", [3]])',
    '[new Date(0), new Date(NaN), /a\\/b/gi, new Number(3), new String("abc"), Object(Symbol("q")), Object(1n)]',
    '[() => 1, function named() {}, class A {}, class B extends Array {}, async () => {}, function* gen() {}]',
    'new (class Foo { constructor() { this.x = 1; this.self = this; } })()',
    '(() => { const a = { name: "a" }; a.b = { a, list: [a] }; return a })()',
    '({ a: { b: { c: { d: { e: { f: 1 } } } } } })',
    '({ a: { b: { c: { d: { e: {} , g: [] } } } } })',
    '({ get g() { return 1 }, set s(v) {}, get both() { return 1 }, set both(v) {} })',
    '({ text: "x".repeat(200), list: Array(5).fill("y".repeat(20)) })',
    '"a".repeat(10005).split("").length && { long: "z".repeat(10003) }',
    '({ lines: "first line of some length\\nsecond line of some length\\nthird line that is long enough\\n" })',
    'Array.from({ length: 3 }, (_, i) => ({ id: i, name: "row " + i, tags: ["a", "b"], at: { x: i, y: [i] } }))',
    '[new Uint8Array([1, 2, 3]), new Float64Array(2), [1.5, -2.25]]',
    'Object.create(null)',
    '[Object.create({ inherited: 1 }), [].values(), new Map([[1, 2]]).entries, (function* () {})()]',
    '[new WeakMap(), new WeakSet(), Math.max, Symbol.iterator]',
    '[["a", 1], ["b", 2], ["c", 3], ["d", 4], ["e", 5], ["f", 6], ["g", 7]]',
    '({ a: "\\ud83d", b: "\\ud83d\\ude00", c: "é" })',
    '[[[[[[1]]]]], { a: [[[[{ b: 1 }]]]] }]',
  ])('M19: %s reads as in Node', async (text) => {
    const [logged] = await logsOf(`console.log(${text})`);
    expect(logged).toBe(format(runInNewContext(`(${text})`)));
  });

  it('M19: JSON values of any shape read as in Node', async () => {
    const values = fc.sample(fc.jsonValue({ maxDepth: 5, noUnicodeString: false } as never), {
      numRuns: 60,
      seed: 7,
    });
    const logs = await logsOf(
      values
        .map((value) => `console.log([JSON.parse(${JSON.stringify(JSON.stringify(value))})]);`)
        .join('\n'),
    );
    expect(logs).toEqual(values.map((value) => format([JSON.parse(JSON.stringify(value))])));
  });

  it('M19: an error reads as its first line, its places in the program, its own properties and its cause', async () => {
    const program = `class Odd extends Error { name = 'Odd'; extra = 5 }
console.log(new TypeError('why', { cause: 'c' }));
console.log([new Odd('inner')]);
console.log(Object.assign(new Error('no stack'), { stack: undefined }));`;
    const [first, second, third] = await logsOf(program);
    expect(first).toMatch(/^TypeError: why\n {4}at program\.ts:2:\d+ \{\n {2}\[cause\]: 'c'\n\}$/);
    expect(second).toMatch(
      /^\[\n {2}Odd: inner\n(.|\n)* {6}at program\.ts:3:\d+ \{\n {4}extra: 5\n {2}\}\n\]$/,
    );
    expect(third).toBe('[Error: no stack]');
  });

  it('hostile values cost themselves only: traps, getters, tags and toString that throw', async () => {
    const program = `const bad = () => { throw new Error('no') };
      console.log('before', { get a() { return bad() } }, { toString: bad, [Symbol.toPrimitive]: bad });
      console.log(new Proxy({}, { ownKeys: bad }), new Proxy({}, { getPrototypeOf: bad }));
      console.log({ get [Symbol.toStringTag]() { return bad() } }, Object.assign(new Error('x'), { name: Symbol('odd') }));
      console.log(tools, new Proxy([], {}));
      return 'ok'`;
    const { value, logs } = await host.run(program, { tools: { echo: () => 1 } });
    expect(value).toBe('ok');
    expect(logs).toEqual([
      'before { a: [Getter] } {\n  toString: [Function: bad],\n  [Symbol(Symbol.toPrimitive)]: [Function: bad]\n}',
      '[cannot be shown: Error: no] [cannot be shown: Error: no]',
      expect.stringMatching(/^\{ \[Symbol\(Symbol\.toStringTag\)\]: \[Getter\] \} Error: x/),
      '[Object: null prototype] { echo: [Function: echo] } []',
    ]);
  });

  it('a giant sparse array and a wide object are shown in part', async () => {
    const program = `const a = []; a.length = 4e9; a[3999999999] = 1; console.log(a); console.log(Object.fromEntries([...Array(1200).keys()].map((i) => ['k' + i, i])))`;
    const [sparse, wide] = await logsOf(program);
    expect(sparse).toBe('[ <3999999999 empty items>, 1 ]');
    expect(wide).toMatch(/k999: 999,\n {2}\.\.\. 200 more properties\n\}$/);
  });

  it('M22: the first hundred entries leave one by one, later ones in batches, and all before the turn', async () => {
    const program = `for (let i = 0; i < 1000; i++) console.log('entry ' + i); return 1`;
    const { logs, logFrames, frames } = await host.run(program);
    expect(logs).toEqual([...Array(1000).keys()].map((i) => `entry ${i}`));
    expect(logFrames.slice(0, 100).every((frame) => frame.length === 1)).toBe(true);
    expect(logFrames.length).toBeLessThan(200);
    expect(frames.at(-1)?.[0]).toBe('turn');
  });

  it('M22: what was printed before an endless loop is there', async () => {
    const program = `for (let i = 0; i < 150; i++) console.log('entry ' + i); for (;;) {}`;
    const { logs, failure } = await host.run(program, { limits: { computeMs: 300 } });
    expect(failure).toMatchObject({ kind: 'timeout', budget: 'compute' });
    expect(logs).toHaveLength(150);
  });

  it('an endless loop that prints ends by the cap on its output, with what fits and one entry more', async () => {
    const { logs, failure } = await host.run(`for (;;) console.log('x'.repeat(90))`, {
      limits: { maxOutputBytes: 5000 },
    });
    expect(failure).toMatchObject({ kind: 'output-limit', limit: 5000 });
    expect(logs.length).toBeGreaterThanOrEqual(53);
    expect(logs.length).toBeLessThan(60);
  });

  it('one entry above the cap crosses only as far as the host needs it', async () => {
    const { logs } = await host.run(`console.log('x'.repeat(1e6))`, { limits: { maxOutputBytes: 1000 } });
    expect(logs).toEqual(['x'.repeat(1001)]);
  });
});
