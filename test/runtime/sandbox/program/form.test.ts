import { describe, expect, it } from 'vitest';
import { placeOf, ready, refusal, resultOf } from './run.js';

const form = (text: string) => {
  const { implicit, uncalledFunction, prepared } = ready(text);
  return { implicit, uncalledFunction, form: prepared.form };
};

describe('a program that is one function', () => {
  it('W1: an arrow or function expression is called, not returned', async () => {
    for (const text of [
      'async () => { return 3 }',
      'async () => { return 3 };',
      '() => 3',
      '(async () => { return 3 })',
      '// first\nasync () => { return 3 } // last',
      'async function () { return 3 }',
      'function () { return 3 };',
      '\n\n  async function named() { return 3 }\n',
      '(function () { return 3 })',
      'async (): Promise<number> => { return 3 }',
      'async <T,>() => { return 3 }',
      '(async () => { return 3 }) as any',
      '"use strict";\nasync () => { return 3 }',
      'type N = number;\nasync (): Promise<N> => { return 3 }',
    ]) {
      expect([text, await resultOf(text)]).toEqual([text, 3]);
      expect(form(text).form).toBe('function');
    }
  });

  it('W1: a default export is called, or is the value', async () => {
    for (const text of [
      'export default async function main() {\n  return 3;\n}',
      'export default async function () { return 3 }',
      'export default function () { return 3 };',
      'export default async () => 3',
      'export default async () => { return 3 };',
      'export default (async () => { return 3 });',
      'export default 3',
      'export default await tools.add({ a: 1, b: 2 });',
      'const run = async () => 3;\nexport default run;',
      'function run() { return 3 }\nexport default run',
      'interface A { a: 1 }\nconst three = 3;\nexport default async function main(): Promise<number> { return three }',
      'export default async function main() { return helper() }\nfunction helper() { return 3 }',
      'export default function main() { return 2 }\nreturn main() + 1',
      'export default function main() { return 2 }\nmain() + 1',
      'export\ndefault\nasync () => 3',
    ])
      expect([text, await resultOf(text)]).toEqual([text, 3]);
  });

  it('W1: a called function gets the namespaces that it names as its parameters', async () => {
    expect(await resultOf('async (tools) => tools.add({ a: 1, b: 2 })')).toBe(3);
    expect(await resultOf('async ({ tools }) => tools.add({ a: 1, b: 2 })')).toBe(3);
    expect(
      await resultOf('export default async function ({ tools }: any) { return tools.add({ a: 1, b: 2 }) }'),
    ).toBe(3);
    expect(await resultOf('(input, { other } = {}) => [typeof input, typeof other]')).toEqual([
      'undefined',
      'undefined',
    ]);
  });

  it('W2: the only statement being a function without parameters, it is called', async () => {
    expect(await resultOf('async function run() {\n  return await tools.add({ a: 1, b: 2 });\n}\n')).toBe(3);
    expect(await resultOf('interface Row { id: number }\nfunction run(): number { return 3 }')).toBe(3);
    expect(form('async function run() { return 1 }').form).toBe('function');
  });

  it('W2: any other declaration is not called; the function that nobody calls is named', async () => {
    for (const [text, name] of [
      ['function run(a) { return a }', 'run'],
      ['const main = async () => 3;', 'main'],
      ['function helper() { return 1 }\nfunction main() { return helper() }', 'main'],
      ['function* rows() { yield 1 }', 'rows'],
      ['const main = function () { return main; };', 'main'],
      ['const limit = 3;\nasync function main() { return limit }', 'main'],
    ] as const) {
      expect([text, form(text)]).toEqual([text, { form: 'body', implicit: false, uncalledFunction: name }]);
      expect(await resultOf(text)).toBe(undefined);
    }
  });

  it('W2: a function that is called, passed on or mentioned is not said to be uncalled', () => {
    for (const text of [
      'const f = () => 1;\nconst r = f();',
      'function f() {}\nconst list = [f];',
      'const f = () => 1;\nsetTimeout(f, 1);',
      'const n = 1;',
      'class A { run() {} }',
    ])
      expect([text, form(text).uncalledFunction]).toEqual([text, undefined]);
  });

  it('W2: the last expression of a called function without return is its value', async () => {
    expect(await resultOf('async () => { const r = await tools.add({ a: 1, b: 2 }); r }')).toBe(3);
    expect(await resultOf('async function run() {\n  await tools.add({ a: 1, b: 2 })\n}')).toBe(3);
    expect(await resultOf('async () => { const r: any = 3; r as any }')).toBe(3);
    expect(await resultOf('async function run() {\n  const r: any = 3\n  r as any\n}')).toBe(3);
    expect(await resultOf('export default async function () { 3 as number }')).toBe(3);
    expect(form('async () => { 3 }').implicit).toBe(true);
    expect(form('async () => { return 3 }').implicit).toBe(false);
    expect(form('async () => { if (tools) return 3; 4 }').implicit).toBe(false);
    expect(form('async () => { [1].map(() => { return 2 }) }').implicit).toBe(true);
    expect(form('() => 3').implicit).toBe(true);
  });
});

describe('the value of a body', () => {
  it('W2: without a return of its own the last expression is the value, awaited', async () => {
    for (const text of [
      '3',
      'const r = await tools.add({ a: 1, b: 2 });\nr',
      'tools.add({ a: 1, b: 2 })',
      'const a = 1; a + 2',
      'const a = 1\na + 2',
      'const a = 1 // one\na + 2 // three',
      'const a = 1;\n(a + 2);\n\n// done\n',
      'let a = 1;\na += 2;',
      '(async () => 3)()',
      'main();\nasync function main() { return 3 }',
      'const a = 1; a + 2; function unused() {}',
      'const f = () => { return 1 };\nf() + 2',
      '3;;',
      '3 as number',
      'type A = number\n3 as A',
      'const a = 3\n;a',
      'if (true) {}\n3',
      '0, 3',
      'await (3)',
    ]) {
      expect([text, await resultOf(text)]).toEqual([text, 3]);
      expect(form(text).implicit).toBe(true);
    }
    expect(await resultOf('"hello"')).toBe('hello');
    expect(await resultOf('({ a: 1 })')).toEqual({ a: 1 });
    expect(await resultOf('`a\n${1}`')).toBe('a\n1');
    expect(await resultOf('console.log')).toBe(console.log);
  });

  it('W2: a return of the program itself wins; one inside of a function is not its own', async () => {
    expect(await resultOf('if (1 > 2) return 5;\n3')).toBe(undefined);
    expect(await resultOf('for (const x of [1, 2]) { if (x === 2) return x }\n3')).toBe(2);
    expect(form('try { return 1 } catch {}\n3').implicit).toBe(false);
    expect(form('[1].map((x) => { return x })').implicit).toBe(true);
  });

  it('W2: a program that ends in anything else has no value', async () => {
    for (const text of [
      'const a = 3;',
      'if (true) { 3 }',
      'for (;;) break;',
      'a: 3',
      '{ 3 }',
      'class A {}',
      '"use strict"',
    ]) {
      expect([text, await resultOf(text), form(text).implicit]).toEqual([text, undefined, false]);
    }
  });

  it('W2, M14: neither lines nor columns move, whatever stands around the value', async () => {
    expect(await placeOf('const a: any = null\n\n\na.x // boom')).toEqual({ line: 4, column: 3 });
    expect(await placeOf('const a: any = null;  a.x; function f() {}')).toEqual({ line: 1, column: 25 });
    expect(await placeOf('/* c */ (null as any).x')).toEqual({ line: 1, column: 23 });
    expect(await placeOf('undeclared')).toEqual({ line: 1, column: 1 });
    expect(await placeOf('export default async () => (null as any).x')).toEqual({ line: 1, column: 42 });
    expect(await placeOf('export\ndefault\nasync () => {\n (null as any).x }')).toEqual({
      line: 4,
      column: 16,
    });
    expect(await placeOf('async function () {\n  return (null as any).x }')).toEqual({ line: 2, column: 24 });
    expect(await placeOf('function () { return (null as any).x }')).toEqual({ line: 1, column: 36 });
  });
});

describe('what a type checker is given', () => {
  it('M12: the text with its types, with the call that makes its value, line by line', () => {
    expect(ready('const n: number = 1;\nn').prepared).toMatchObject({
      typedText: 'const n: number = 1;\nn',
      lineMap: [1, 2],
    });
    expect(ready('async (): Promise<number> => {\n  return 1;\n}').prepared).toMatchObject({
      typedText: 'return(async (): Promise<number> => {\n  return 1;\n})();',
      lineMap: [1, 2, 3],
    });
    expect(ready('export default async function main() { return 1 }').prepared).toMatchObject({
      typedText: '               async function main() { return 1 }\nreturn main();',
      lineMap: [1, 1],
    });
  });

  it('M14: what stands behind the program has no place in its text', () => {
    const run = ready('async function run() { return 1 }');
    expect(run.toSource(1, 1)).toEqual({ line: 1, column: 1 });
    expect(run.toSource(2, 8)).toBe(undefined);
    expect(run.toSource(0, 1)).toBe(undefined);
    expect(run.toSource(Number.NaN, 1)).toBe(undefined);
  });
});

describe('constructs that are refused', () => {
  it('W4: an export that is no default of a program is refused', () => {
    for (const text of [
      'export default 1;\nconst a = 2;',
      'export const a = 1;',
      'export {};',
      'export default class A {}',
      'export async function f() {}',
    ])
      expect(refusal(text)).toMatchObject({
        message: 'SyntaxError: `export` is not available',
        position: { line: 1, column: 1 },
        hint: 'A program is no module: write its statements at the top level and `return` the value.',
      });
  });
});
