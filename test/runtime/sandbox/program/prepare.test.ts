import { describe, expect, it } from 'vitest';
import { placeOf, prepare, ready, refusal, resultOf } from './run.js';

describe('the body of a program', () => {
  it('M11: top-level await and return work, in strict code, with neither this nor arguments', async () => {
    expect(await resultOf('const r = await tools.add({ a: 1, b: 2 });\nreturn r;')).toBe(3);
    expect(await resultOf('return [this, arguments, (() => arguments)()]')).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await resultOf('return { arguments, n: 1 }')).toEqual({ arguments: undefined, n: 1 });
    expect(await resultOf('function f() { return arguments.length; }\nreturn f(1, 2);')).toBe(2);
    expect(refusal('undeclared = 1; with (a) {}').message).toBe(
      'SyntaxError: `with` is not available in strict code',
    );
    await expect(resultOf('undeclared = 1')).rejects.toThrow('undeclared is not defined');
  });

  it('M13: a trailing line comment is safe, with and without a line break behind it', async () => {
    expect(await resultOf('return 41 + 1 // done')).toBe(42);
    expect(await resultOf('41 + 1 // done')).toBe(42);
    expect(await resultOf('const x = 1\nx // done\n')).toBe(1);
  });

  it('M13, E117: a text that closes the wrapper early is a syntax error', () => {
    for (const text of [
      '}); (async function(){ ',
      '}\nfunction q(){',
      'return 1 } , async function () { return 2',
      '}}); ((() => { return async function(){ return 3',
      '/* */ } // {',
      '`${"}"}` }',
    ]) {
      expect(refusal(text).kind).toBe('syntax');
    }
  });

  it('W9: no name of the wrapper can clash with one of the program', async () => {
    const text =
      'const tools = 1, ToolCallError = 2, run = 3, module = 4, __result = 5, main = 6, code = 7;\n' +
      'var error = 8;\nfunction program() { return tools; }\nreturn program() + error;';
    expect(await resultOf(text)).toBe(9);
  });

  it('W5: an empty, blank or comment-only program yields nothing', async () => {
    for (const text of ['', ' \n\t\n', '// nothing\n/* at all */', '\ufeff', ';;'])
      expect(await resultOf(text)).toBe(undefined);
  });
});

describe('positions of run-time errors', () => {
  it('M14, E116: line and column are those of the model on the first, a middle and the last line', async () => {
    expect(await placeOf('null.x')).toEqual({ line: 1, column: 6 });
    expect(await placeOf('const a = 1;\nconst b: any = null; b.x;\nreturn a;')).toEqual({
      line: 2,
      column: 24,
    });
    expect(await placeOf('const a: any = null;\n\n  return a.x')).toEqual({ line: 3, column: 12 });
    expect(await placeOf('const a: any = 1;\nmissing')).toEqual({ line: 2, column: 1 });
  });

  it('M14, W3: CRLF, a byte order mark, astral signs and a fence move nothing', async () => {
    expect(await placeOf('const a = 1;\r\nconst b: any = null;\r\nb.x')).toEqual({ line: 3, column: 3 });
    expect(await placeOf('const s = "😀😀"; (null as any).x')).toEqual({ line: 1, column: 33 });
    expect(await placeOf('Here:\n\n```ts\nconst a: any = null;\na.x;\n```\nDone.')).toEqual({
      line: 2,
      column: 3,
    });
    expect(await placeOf('type A = { a: "日本" };\nnull.x')).toEqual({ line: 2, column: 6 });
  });

  it('M14: a column behind the inserted return is that of the model', async () => {
    expect(await placeOf('const a: any = null; a.x')).toEqual({ line: 1, column: 24 });
    expect(await placeOf('async () => { const a: any = null; a.x }')).toEqual({ line: 1, column: 38 });
  });
});

describe('syntax errors', () => {
  it('M3, M30: the failure has the reason, the place and the lines around it', () => {
    expect(refusal('const a = 1;\nconst b = 2;\nconst c = = 3;\nreturn a + b + c;\n')).toEqual({
      kind: 'syntax',
      message: "SyntaxError: Unexpected token '='",
      position: { line: 3, column: 11 },
      frame: [
        '  1 | const a = 1;',
        '  2 | const b = 2;',
        '> 3 | const c = = 3;',
        '    |           ^',
        '  4 | return a + b + c;',
      ].join('\n'),
    });
  });

  it('M14: a text that ends too early is reported at its end', () => {
    expect(refusal('if (true) {\n  f(1,\n\n')).toMatchObject({
      message: 'SyntaxError: the program ends too early',
      position: { line: 2, column: 7 },
    });
  });

  it('M47: source that nests beyond every parser is a syntax error, never a crash', () => {
    for (const [open, close] of ['()', '[]'].map((pair) => pair.split('') as [string, string])) {
      const text = `return ${open.repeat(20_000)}${close.repeat(20_000)};`;
      expect(refusal(text).message).toBe('SyntaxError: the program is nested too deeply to be read');
    }
    expect(prepare(`return 1${'+1'.repeat(50_000)};`).ok).toBe(false);
    expect(ready(`return a${'.b()'.repeat(20_000)};`).implicit).toBe(false);
  });

  it('M47: source that makes a parser backtrack without end is a syntax error', () => {
    expect(refusal(`x = ${'<T>('.repeat(40)}1${')'.repeat(40)}`).message).toBe(
      'SyntaxError: the program nests generics and brackets in a way that takes too long to read',
    );
  });
});
