import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

const refused: readonly (readonly [string, string])[] = [
  ['new Map([[1, 2]])', 'is a Map: use Object.fromEntries(map) or [...map]'],
  ['new Set()', 'is a Set: use [...set]'],
  ['new WeakMap()', 'is a WeakMap: use a plain object'],
  ['Promise.resolve(1)', 'is a promise: await it first'],
  ['/a/g', 'is a RegExp: use its source text'],
  ['new ArrayBuffer(2)', 'is an ArrayBuffer: use [...new Uint8Array(buffer)] or base64 text'],
  ['new Uint8Array(2)', 'is a typed array: use [...array] or base64 text'],
  ['new DataView(new ArrayBuffer(2))', 'is a DataView: use an array or base64 text'],
  ['[1].values()', 'is an iterator: use [...iterator]'],
  ['(function* () {})()', 'is an iterator: use [...iterator]'],
  ['7n', 'is a bigint: use a text, e.g. String(n), or a number'],
  ['Object(7n)', 'is a bigint: use a text, e.g. String(n)'],
  ['NaN', 'is NaN: JSON has no such number, use null or a text instead'],
  ['-Infinity', 'is -Infinity: JSON has no such number, use null or a text instead'],
  ['() => 1', 'is a function: call it and send its result, or leave it out'],
  ['Symbol("s")', 'is a symbol: use a text'],
  ['{ get lazy() { throw new Error("lazy field") } }.lazy', 'cannot be read: Error: lazy field'],
];

describe.each(engines)('values that leave the program, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const echo = (args: unknown) => args;
  const resultOf = async (program: string) => (await host.run(program, { tools: { echo } })).value;
  const refusalOf = async (program: string) => {
    const { failure } = await host.run(program, { tools: { echo } });
    return [failure?.kind, failure?.message];
  };

  it('W11, E26: an undefined property is omitted, an undefined or missing item becomes null, -0 becomes 0', async () => {
    const value = await resultOf('return { a: undefined, b: [undefined, , 1], c: -0, d: [-0] }');
    expect(value).toEqual({ b: [null, null, 1], c: 0, d: [0] });
    expect(1 / value.c).toBe(Number.POSITIVE_INFINITY);
  });

  it('W11: dates become ISO text, and an invalid one is refused by its path', async () => {
    expect(await resultOf('return { at: new Date(0), list: [new Date(Date.UTC(2020, 1, 29, 12))] }')).toEqual(
      {
        at: '1970-01-01T00:00:00.000Z',
        list: ['2020-02-29T12:00:00.000Z'],
      },
    );
    expect(await refusalOf('return { rows: [0, 1, 2, { when: new Date(NaN) }] }')).toEqual([
      'invalid-output',
      'value.rows[3].when is an invalid Date: use null or a valid date',
    ]);
  });

  it('W11: errors become name and message, those of a tool name it, so that settled results can be returned', async () => {
    const program = `class Odd extends TypeError { name = 'Odd' }
      const settled = await Promise.allSettled([tools.fail({}), 1]);
      return { settled, odd: new Odd('no'), plain: new RangeError('far') }`;
    const { value } = await host.run(program, {
      tools: {
        fail: () => {
          throw new Error('boom');
        },
      },
    });
    expect(value).toEqual({
      settled: [
        { status: 'rejected', reason: { name: 'ToolCallError', message: 'boom', toolName: 'fail' } },
        { status: 'fulfilled', value: 1 },
      ],
      odd: { name: 'Odd', message: 'no' },
      plain: { name: 'RangeError', message: 'far' },
    });
  });

  it('W11: an instance with toJSON becomes its result, one without is taken by its own enumerable properties', async () => {
    const program = `class A { x = 1; #hidden = 2; get y() { return this.#hidden } }
      class B { toJSON() { return { b: new Date(0), u: undefined } } }
      class C extends Array {}
      return [new A(), new B(), { toJSON: () => 'own' }, { k: { toJSON() {} }, l: 1 }, C.from([1]), Object.create({ inherited: 1 }),
        new Number(3), new String('s'), new Boolean(false), Object.assign(Object.create(null), { z: 1 })]`;
    expect(await resultOf(program)).toEqual([
      { x: 1 },
      { b: '1970-01-01T00:00:00.000Z' },
      'own',
      { l: 1 },
      [1],
      {},
      3,
      's',
      false,
      { z: 1 },
    ]);
  });

  it.each(refused)(
    'M29, W11, E81: %s is refused, by its path and with what to write instead',
    async (text, why) => {
      const made = text.startsWith('{')
        ? `Object.defineProperty({}, 'x y', { enumerable: true, get: () => (${text}) })`
        : `{ 'x y': ${text} }`;
      expect(await refusalOf(`return { rows: [${made}] }`)).toEqual([
        'invalid-output',
        `value.rows[0]["x y"] ${why}`,
      ]);
      const call = await host.run(
        `try { await tools.echo({ a: [${made}] }) } catch (e) { return e.message }`,
        {
          tools: { echo },
        },
      );
      expect(call.value).toBe(`Cannot call "tools.echo": args.a[0]["x y"] ${why}`);
      expect(call.calls).toEqual([]);
    },
  );

  it('W11: a cycle is refused by both of its ends, shared objects are not', async () => {
    expect(await resultOf('const s = { n: 1 }; return [s, { s }, [[s]]]')).toEqual([
      { n: 1 },
      { s: { n: 1 } },
      [[{ n: 1 }]],
    ]);
    expect(
      await refusalOf('const node = { kids: [] }; node.kids.push({ parent: node }); return { node }'),
    ).toEqual([
      'invalid-output',
      'value.node.kids[0].parent is circular, it refers back to value.node: send an id instead',
    ]);
    expect(
      await refusalOf(
        'let x = {}; const top = x; for (let i = 0; i < 100; i++) x = x.k = {}; x.k = top; return top',
      ),
    ).toEqual([
      'invalid-output',
      `value${'.k'.repeat(101)} is circular, it refers back to value: send an id instead`,
    ]);
  });

  it('M47: nesting is bounded at 2000 levels by a clear error, for results and arguments', async () => {
    const nested = (levels: number) =>
      `let o = 1; for (let i = 0; i < ${levels}; i++) o = i % 2 ? [o] : { o };`;
    const deepest = await host.run(`${nested(2000)} return o`);
    expect(JSON.stringify(deepest.value).length).toBeGreaterThan(2000);
    expect(await refusalOf(`${nested(2001)} return o`)).toEqual([
      'invalid-output',
      'value is nested deeper than 2000 levels: send a flatter value',
    ]);
    expect(
      await resultOf(`${nested(100_000)} try { await tools.echo({ o }) } catch (e) { return e.message }`),
    ).toBe('Cannot call "tools.echo": args is nested deeper than 2000 levels: send a flatter value');
  });

  it('M48: a 1000-level argument goes to the tool and back and out unchanged', async () => {
    const program =
      'let o = { end: 1 }; for (let i = 0; i < 1000; i++) o = { o }; return await tools.echo(o)';
    let expected: unknown = { end: 1 };
    for (let i = 0; i < 1000; i++) expected = { o: expected };
    const { value, calls } = await host.run(program, { tools: { echo } });
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
    expect(JSON.stringify(calls[0]![3])).toBe(JSON.stringify(expected));
  });

  it('M5: null is a value, nothing returned is none', async () => {
    expect(await host.run('return null')).toMatchObject({ hasValue: true, value: null });
    expect(await host.run('return undefined')).toMatchObject({ hasValue: false });
    expect(await host.run('')).toMatchObject({ hasValue: false });
  });

  it('W5: an empty, blank or comment-only program succeeds without a value', async () => {
    for (const program of ['', '  \n ', '// nothing', '/* nothing */\n']) {
      const { hasValue, failure, note } = await host.run(program);
      expect([program, hasValue, failure, note]).toEqual([program, false, undefined, undefined]);
    }
  });

  it('W2: an implicit value that cannot leave is a note and not a failure; an explicit one is a failure', async () => {
    const implicit = await host.run('new Map()');
    expect(implicit).toMatchObject({ hasValue: false, note: expect.stringContaining('value is a Map') });
    expect(implicit.failure).toBeUndefined();
    expect((await host.run('return new Map()')).failure).toMatchObject({ kind: 'invalid-output' });
    expect((await host.run('({ a: [1] })')).value).toEqual({ a: [1] });
  });

  it('W2: a function that is declared and never called is named, unless the program said something', async () => {
    expect((await host.run('async function main(x) { return x }')).note).toContain('"main"');
    expect((await host.run('console.log(1); function main(x) { return x }')).note).toBeUndefined();
  });

  it('strings keep every unit: U+0000, lone surrogates, astral characters', async () => {
    const program = String.raw`return await tools.echo({ a: 'a\u0000b', b: '\ud83d', c: '\ud83d\ude00', d: '\u2028"\\' })`;
    expect(await resultOf(program)).toEqual({
      a: 'a\u0000b',
      b: '\ud83d',
      c: '\ud83d\ude00',
      d: '\u2028"\\',
    });
  });

  it('E24, E11: a key named __proto__ is data like any other', async () => {
    const value = await resultOf(
      `return await tools.echo(JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'))`,
    );
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });

  it('M52: what an object is is not decided by the name of its constructor or by a patched toString', async () => {
    const program = `function Forged() {}
      Object.defineProperty(Forged, 'name', { value: 'Object' });
      Function.prototype.toString = () => 'function Object() { [native code] }';
      class Fake extends Map {}
      Object.defineProperty(Fake, 'name', { value: 'Object' });
      const proto = Object.create(Map.prototype, { constructor: { value: Forged } });
      return { x: Object.setPrototypeOf(new Fake(), proto) }`;
    expect(await refusalOf(program)).toEqual([
      'invalid-output',
      'value.x is a Map: use Object.fromEntries(map) or [...map]',
    ]);
  });

  it('a value larger than the output cap ends the run before it crosses', async () => {
    const { failure } = await host.run("return 'x'.repeat(5000)", { limits: { maxOutputBytes: 1000 } });
    expect(failure).toMatchObject({
      kind: 'output-limit',
      message: 'value is larger than 1000 bytes of JSON',
    });
  });

  it('M24, M25: each shape of value passes at exactly its own length of JSON and is refused one character below', async () => {
    const values = [
      '["a", "b", 1, true, null]',
      '{ a: { b: [1, 22, 333], c: "text" }, d: undefined, e: null, f: [[], {}] }',
      'Array.from({ length: 500 }, (_, i) => ({ i, s: "abc" + i }))',
      '[new Date(0), ...Array.from({ length: 2000 }, (_, i) => ({ i, u: undefined, s: "abc" }))]',
      '({ big: "x".repeat(100), toJSON() { return "small" } })',
      'Object.assign(["y".repeat(100)], { toJSON: () => 7 })',
    ];
    for (const value of values) {
      const { value: returned } = await host.run(`return ${value}`);
      const maxOutputBytes = JSON.stringify(returned).length;
      const [fits, refused] = await Promise.all([
        host.run(`return ${value}`, { limits: { maxOutputBytes } }),
        host.run(`return ${value}`, { limits: { maxOutputBytes: maxOutputBytes - 1 } }),
      ]);
      expect([fits.value, refused.failure?.kind]).toEqual([returned, 'output-limit']);
    }
  });

  it('M25, M34: a list far above the output cap is refused in a heap that could not hold its JSON in parts', async () => {
    const program = `const a: any[] = [];
for (let i = 0; i < 2e5; i++) a.push({ i, s: 'abc' + i });
a.push(new Date(0));
return a;`;
    const { failure } = await host.run(program, {
      limits: { memoryMb: 64, maxOutputBytes: 4 * 1024 * 1024 },
    });
    expect(failure?.kind).toBe('output-limit');
  });
});
