import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedFailure, engines, GuestHost, limits } from './guest-host.ts';

const thrown: readonly (readonly [string, string])[] = [
  ["throw 'plain text'", 'plain text'],
  ['throw undefined', 'undefined'],
  ['throw null', 'null'],
  ['throw 5n', '5'],
  ['throw -0', '0'],
  ["throw Symbol('s')", 'Symbol(s)'],
  ["throw { status: 409, detail: { reason: 'conflict' } }", '{"status":409,"detail":{"reason":"conflict"}}'],
  ['throw [1, new Date(0)]', '[1,"1970-01-01T00:00:00.000Z"]'],
  ["throw { toString: () => 'my text', f: () => 1 }", 'my text'],
  ['throw { f() {} }', '{ f: [Function: f] }'],
  ['throw new Map([[1, 2]])', 'Map(1) { 1 => 2 }'],
  ['throw new Error()', 'Error'],
  ["throw new RangeError('far')", 'RangeError: far'],
  ["throw Object.assign(new Error('m'), { name: 'Mine' })", 'Mine: m'],
  ["class Own extends Error {} throw new Own('o')", 'Error: o'],
];

const hostile: readonly (readonly [string, string])[] = [
  ["throw Object.assign(new Error('m'), { name: Symbol('odd') })", 'Error: m'],
  ["throw Object.defineProperty(new Error('m'), 'name', { get() { throw 1 } })", 'Error: m'],
  [
    "throw Object.assign(new Error('m'), { message: { toString() { throw 1 } } })",
    'Error: (a value that cannot be shown)',
  ],
  ["throw Object.assign(new Error('m'), { message: 5 })", 'Error: 5'],
  [
    "throw Object.defineProperty(new TypeError('m'), 'message', { get() { throw 1 } })",
    'TypeError: (a value that cannot be shown)',
  ],
  ["throw Object.assign(new Error('m'), { stack: 5 })", 'Error: m'],
  ["throw Object.defineProperty(new Error('m'), 'stack', { get() { throw 1 } })", 'Error: m'],
  ["throw Object.assign(new Error('m'), { stack: { toString: 1 } })", 'Error: m'],
  [
    'throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })',
    '(a value that cannot be shown)',
  ],
  ['throw { toJSON() { throw 1 }, toString() { throw 2 } }', '(a value that cannot be shown)'],
  ['throw { toJSON: 1, [Symbol.toPrimitive]() { throw 2 } }', '{"toJSON":1}'],
];

describe.each(engines)('how a failed program is told, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const fail = ({ message }: { message: string }) => {
    throw new CodedFailure('INVALID_ARGS', message);
  };
  const failureOf = async (program: string) => {
    const { failure } = await host.run(program, { tools: { fail } });
    return failure!;
  };
  const firstLine = async (program: string) => (await failureOf(program)).message.split('\n')[0];

  it('M14, M30: an error of a class of the program is placed where it is made, not in its constructors', async () => {
    const classes = `class A extends Error { constructor(m) { super(m); this.name = 'A' } }
class B extends A { constructor(m) { super(m) } }
class C extends ToolCallError {}
const D = class extends TypeError { code = 1 };
`;
    for (const made of ["new A('x')", "new B('x')", "new C('x')", "new D('x')", "new B('x'.repeat(50000))"]) {
      const thrown = await failureOf(`${classes}function f() {\n  throw ${made};\n}\nf();`);
      const { logs } = await host.run(
        `${classes}function f() {\n  return ${made};\n}\nconsole.log(f());`,
        {},
      );
      const places = (text: string) =>
        [...text.matchAll(/\n +at (?:f )?\(?program\.ts:(\d+):/g)].map(([, line]) => line);
      expect([made, thrown.position?.line, places(thrown.message), places(logs.join())]).toEqual([
        made,
        6,
        ['6', '8'],
        ['6', '8'],
      ]);
    }
  });

  it('M30, M14: a class that cannot be looked at costs its error nothing but a name', async () => {
    const hide = 'E.prototype.constructor = new Proxy(E, { getOwnPropertyDescriptor() { throw 1 } });';
    const failure = await failureOf(
      `class E extends Error {\n}\n${hide}\nfunction f() {\n  throw new E('q');\n}\nf()`,
    );
    expect([failure.message.split('\n')[0], failure.message.includes('f (program.ts:5:')]).toEqual([
      'Error: q',
      true,
    ]);
  });

  it('M14: what a message says of places is not taken for one, whatever the name of its error', async () => {
    const program = `const pad = 1;
class A extends Error { constructor(m) { super(m); this.name = 'A: b' } }
throw new A('x\\n    at program.ts:1:1')`;
    expect((await failureOf(program)).position?.line).toBe(3);
  });

  it('M30: an error is its name and message, then the frames in the text of the model, with a code frame', async () => {
    const failure = await failureOf(`function inner(o) {
  return o.x;
}
const nothing = null;
inner(nothing);`);
    expect(failure.kind).toBe('exception');
    expect(failure.message.split('\n')[0]).toMatch(/^TypeError: [Cc]annot read propert(y|ies)/);
    expect(failure.message.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^ {4}at inner \(program\.ts:2:\d+\)$/),
      expect.stringMatching(/^ {4}at program\.ts:5:\d+$/),
    ]);
    expect(failure.position).toMatchObject({ line: 2 });
    expect(failure.frame).toContain('> 2 |   return o.x;');
  });

  it.each(thrown)('M30, M31: %s', async (program, header) => {
    expect(await firstLine(program)).toBe(header);
    expect(await failureOf(program)).toMatchObject({ kind: 'exception' });
  });

  it.each(hostile)(
    'M30, E108, E58: a part that cannot be shown is replaced alone: %s',
    async (program, header) => {
      expect(await firstLine(program)).toBe(header);
    },
  );

  it('M30: causes and collected errors follow, one line each, three levels deep and no more than ten', async () => {
    const program = `const deep = [4, 3, 2, 1].reduce((cause, n) => new Error('level ' + n, { cause }), 'root');
throw new AggregateError([new TypeError('one', { cause: 'why' }), 'two', ...Array(10).fill(3)], 'all failed', { cause: deep });`;
    const { message } = await failureOf(program);
    expect(message.split('\n').filter((line) => !line.startsWith('    at'))).toEqual([
      'AggregateError: all failed',
      '  [0] TypeError: one',
      '    cause: why',
      '  [1] two',
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `  [${n}] 3`),
      '  and 2 more',
      '  cause: Error: level 1',
      '    cause: Error: level 2',
      '      cause: Error: level 3',
    ]);
  });

  it('M30: the reasons of every branch of Promise.any are told', async () => {
    const { message } = await failureOf(
      `return await Promise.any([tools.fail({ message: 'mirror one' }), tools.fail({ message: 'mirror two' })])`,
    );
    expect(message).toContain('[0] ToolCallError: mirror one');
    expect(message).toContain('[1] ToolCallError: mirror two');
  });

  it('an uncaught tool failure names its class, the tool, its code and the place of the call', async () => {
    const failure = await failureOf(`async function load() {
  return await tools.fail({ message: 'no such row' });
}
await load();`);
    expect(failure.message.split('\n')[0]).toBe('ToolCallError: no such row');
    expect(failure.message).toContain('  toolName: "fail"\n  code: INVALID_ARGS');
    expect(failure.code).toBe('INVALID_ARGS');
    expect(failure.position).toMatchObject({ line: 2 });
    expect(failure.message).toContain('at load (program.ts:2:');
  });

  it('a tool failure has the frames of the program that made the call, and no stack shows a path of the host', async () => {
    const program = `const calls = () => tools.fail({ message: 'x' });
try { await calls(); } catch (e) { return [e.stack, new Error('local').stack] }`;
    const { value } = await host.run(program, { tools: { fail } });
    expect(value[0]).toMatch(/^ToolCallError: x\n {4}at calls \(program\.ts:1:\d+\)/);
    expect(
      value[0].split('\n').every((line: string) => !line.startsWith('    at') || line.includes('program.ts')),
    ).toBe(true);
    for (const stack of value) expect(stack).not.toMatch(/node:|file:|node_modules|(^|\s|\()\//m);
  });

  it('M14, E116: lines and columns are those of the text that was sent, on the first, a middle and the last line', async () => {
    const cases: [string, number, RegExp][] = [
      ['undefinedName.x;\nreturn 1', 1, /undefinedName/],
      ['const a = 1;\nconst b: string = String(a);\nb.missing();\nreturn b', 3, /b\.missing/],
      ['const a = 1;\r\nconst o: any = null;\r\no.x = a;\r\nreturn a', 3, /o\.x/],
      ['return 1;\nfunction f() {}'.replace('return 1', "throw new Error('last')"), 1, /new Error/],
      ["const x = 1;\nthrow new Error('at the end')", 2, /new Error/],
      ['```ts\nconst o = null;\no.x\n```', 2, /o\.x/],
      ["const s = '😀😀'; const o = null; o.x;\nreturn s", 1, /o\.x/],
      ['const s = await tools.fail({ message: "m" });\nreturn s', 1, /tools\.fail/],
      ['enum E { A }\nconst o = null;\no.x;\nreturn E.A', 3, /o\.x/],
    ];
    for (const [program, line, expression] of cases) {
      const { position } = await failureOf(program);
      expect([program, position?.line]).toEqual([program, line]);
      const text = program.replace(/^```ts\n/, '').split(/\r?\n/)[line - 1]!;
      const found = expression.exec(text)!;
      expect(position!.column).toBeGreaterThanOrEqual(found.index + 1);
      expect(position!.column).toBeLessThanOrEqual(found.index + found[0].length + 6);
    }
  });

  it('M14: after an await the place is right too', async () => {
    const program =
      'const s = await tools.echo({});\nawait tools.echo({ s });\nconst o: any = null;\no.x = s;\nreturn s;\n';
    const { failure } = await host.run(program, { tools: { echo: (args) => args } });
    expect(failure?.position).toMatchObject({ line: 4 });
  });

  it('an error thrown inside eval is placed at the eval', async () => {
    const failure = await failureOf(`const one = 1;\neval("throw new Error('inside')");`);
    expect(failure.message.split('\n')[0]).toBe('Error: inside');
    expect(failure.position?.line).toBe(2);
  });

  it('E101: a giant stack or message crosses only as far as the output cap', async () => {
    const maxOutputBytes = 5000;
    const giant = await host.run(
      "const e = new Error('front ' + 'E'.repeat(1e6)); e.stack = 'x'.repeat(1e6); throw e",
      {
        limits: { maxOutputBytes },
      },
    );
    expect(giant.failure?.message.slice(0, 20)).toBe('Error: front EEEEEEE');
    expect(giant.failure?.message.length).toBeLessThan(maxOutputBytes + 500);
    expect(giant.failure!.message.length).toBeGreaterThan(maxOutputBytes);
  });

  it('a message that looks like frames does not move the place', async () => {
    const failure = await failureOf("const a = 1;\nthrow new Error('m\\n    at fake (program.ts:77:7)')");
    expect(failure.position).toMatchObject({ line: 2 });
  });

  it('runaway recursion is an ordinary error of the program', async () => {
    const failure = await failureOf('const f = () => f() + 1;\nreturn f()');
    expect(failure.kind).toBe('exception');
    expect(failure.message.split('\n')[0]).toMatch(/stack/i);
    expect(failure.position).toMatchObject({ line: 1 });
  });

  it('W7, W6: the hint says that results are parsed values, and how tools are called', async () => {
    const echo = (args: unknown) => args;
    const parsed = await host.run('return JSON.parse(await tools.echo({ n: 1 }))', { tools: { echo } });
    expect(parsed.failure).toMatchObject({
      kind: 'exception',
      hint: expect.stringContaining('parsed values'),
    });
    const missing = await host.run('return await functions.echo({})', { tools: { echo } });
    expect(missing.failure?.message).toContain('functions is not defined');
    expect(missing.failure?.hint).toContain('tools.echo(');
  });

  it('M47: a text that nests without end overflows no stack of ours, and the next program runs', async () => {
    for (const text of [
      "eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))",
      "JSON.parse('['.repeat(1e5))",
      "new RegExp('('.repeat(1e5))",
    ]) {
      expect([text, (await failureOf(`return ${text}`)).kind]).toEqual([text, 'exception']);
      expect((await host.run('return 1')).value).toBe(1);
    }
  });

  it('E117: text that would close the wrapper is refused', async () => {
    for (const program of [
      '}\nfunction q(){',
      '}}); (function(){ return async function(){',
      '}); (async function(){ ',
    ]) {
      expect((await failureOf(program)).kind).toBe('syntax');
    }
  });

  it('M11: the body is strict, with top-level await and return, without this and arguments', async () => {
    const { value } = await host.run(
      `const here = [this === undefined, typeof arguments, await Promise.resolve(2), (function () { return this })() === undefined];
       try { undeclared = 1 } catch (e) { here.push(e.name) }
       return here`,
    );
    expect(value).toEqual([true, 'undefined', 2, true, 'ReferenceError']);
  });

  it('M11: imports, require and with are refused with a clear message', async () => {
    for (const [program, kind, words] of [
      ['import fs from "node:fs"; return 1', 'syntax', /import/],
      ['export const a = 1', 'syntax', /export/],
      ['with ({}) {}', 'syntax', /with/],
      ['return await import("node:fs")', undefined, /import/],
      ['return require("fs")', 'exception', /require/],
    ] as const) {
      const failure = await failureOf(program);
      if (kind !== undefined) expect([program, failure.kind]).toEqual([program, kind]);
      expect(`${failure.message} ${failure.hint ?? ''}`).toMatch(words);
    }
  });

  it('the program is refused above its cap on source bytes, before anything runs', async () => {
    const { failure, logs } = await host.run(`console.log(1); // ${'ä'.repeat(100)}`, {
      limits: { ...limits, maxSourceBytes: 100 },
    });
    expect(failure).toMatchObject({ kind: 'syntax', limit: 100, used: 219 });
    expect(logs).toEqual([]);
  });
});
