import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, ready, refusal, resultOf } from './run.js';
import { typedPrograms } from './typed-program.js';

const CASES = join(import.meta.dirname, '../../../fixtures/cases');

const caseProgram = (file: string) =>
  readFileSync(join(CASES, file), 'utf8').replace(/^\/\*[\s\S]*?\*\/\n/, '');

/** What the engine gets of a body, without the wrapper. */
const codeOf = (text: string) => {
  const { code, columnOffset } = ready(text);
  return code.slice(-columnOffset, -'\n}})'.length);
};

describe('types are erased in place', () => {
  it('M12, M14: whatever the program, every token that stays keeps its place, and only ; ( ) may fill a gap', () => {
    fc.assert(
      fc.property(typedPrograms, ({ typed, blanked }) => {
        const code = codeOf(typed);
        expect(code.length).toBe(typed.length);
        for (let at = 0; at < code.length; at++) {
          if (code[at] === blanked[at]) continue;
          // A parenthesis may move over a line break that a type held; a semicolon may keep statements apart.
          expect([' ', ';', '(', ')']).toContain(code[at]);
          expect([' ', '(', ')']).toContain(blanked[at]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('M12: whatever the program, it yields what it does without its types', async () => {
    await fc.assert(
      fc.asyncProperty(typedPrograms, async ({ typed, plain }) => {
        const value = (await resultOf(typed)) as unknown[];
        expect(JSON.stringify(value)).toBe(JSON.stringify(await resultOf(plain)));
      }),
      { numRuns: 100 },
    );
  });

  it('W1, M12: whatever the program, it yields the same in a fence, as a function and as a default export', async () => {
    const forms = fc.constantFrom<readonly [string, string]>(
      ['```ts\n', '\n```'],
      ['Here:\n```\nasync () => {\n', '\n}\n```\nDone.'],
      ['async function () {\n', '\n}'],
      ['export default async () => {\n', '\n};'],
      ['export default async function main() {\n', '\n}'],
      ['async function main() {\n', '\n}'],
    );
    await fc.assert(
      fc.asyncProperty(typedPrograms, forms, async ({ typed, plain }, [open, close]) => {
        const value = JSON.stringify(await resultOf(`${open}${typed}${close}`));
        expect(value).toBe(JSON.stringify(await resultOf(plain)));
      }),
      { numRuns: 100 },
    );
  });

  it('M12: line breaks that only a type bridged do not end a statement, and those that ended one still do', async () => {
    expect(await resultOf(caseProgram('041-async-generic-arrow-line-break.ts'))).toEqual([[4, 4], 'picked']);
    expect(await resultOf('const f = (a: number):\n  number => a;\nreturn f(3);')).toBe(3);
    expect(
      await resultOf('const f = (\n  a: number,\n): Promise<\n  number\n> => a as any;\nreturn f(3);'),
    ).toBe(3);
    expect(await resultOf('const a = 3 as any\n;[1].map((x) => x)\nreturn a')).toBe(3);
    expect(await resultOf('let a = 3 as any\n(globalThis as any).a\nreturn a')).toBe(3);
    expect(await resultOf('const a = 3\ntype A = number\n(4)\nreturn a')).toBe(3);
    expect(
      await resultOf('const g = <T>(x: T) => x\nconst h = g<string>\n[1].map((x) => x)\nreturn h(3 as any)'),
    ).toBe(3);
    expect(
      await resultOf('class A { a = 3\n  private ["b"] = 4\n  c: number\n  *d() {} }\nreturn new A().a'),
    ).toBe(3);
    expect(await resultOf('if (false) type A = 1\nreturn 3')).toBe(3);
  });

  it('M12: what looks like a type and is none stays', async () => {
    expect(await resultOf(caseProgram('053-colons-that-are-not-types.ts'))).toEqual({
      label: 'second',
      url: 'https://example.test/b?x: number',
      t: 'string',
      n: 2,
      odd: 'a/b:c',
    });
    expect(await resultOf(caseProgram('046-chained-comparison-not-generics.ts'))).toBe(true);
    expect(await resultOf(caseProgram('047-cast-then-less-than.ts'))).toBe('small');
    expect(
      await resultOf(
        'const as = 1, type = 2, declare = 3, abstract = 4;\nreturn as + type + declare + abstract',
      ),
    ).toBe(10);
    expect(
      await resultOf(
        'const readonly = { private: 1, declare() { return 2 } };\nreturn readonly.private + readonly.declare()',
      ),
    ).toBe(3);
    expect(
      await resultOf(
        'class A { readonly = 1; declare() { return 2 } static static = 3; async() { return 4 } }\nconst a = new A();\nreturn [a.readonly, a.declare(), (A as any).static, a.async()]',
      ),
    ).toEqual([1, 2, 3, 4]);
  });

  it('M12: declarations, overloads, abstract members and generic methods go without a trace', async () => {
    expect(await resultOf(caseProgram('055-declaration-only-lines.ts'))).toBe(3);
    expect(await resultOf(caseProgram('049-generic-method-in-object-literal.ts'))).toEqual(['x', 'x']);
    expect(await resultOf(caseProgram('052-generic-arrow-is-not-jsx.ts'))).toEqual([5, 's']);
    expect(
      await resultOf(
        'import type { Row } from "./sdk";\nimport { type A } from "./a";\nexport type B = A;\nconst r: Row | null = null;\nreturn r === null;',
      ),
    ).toBe(true);
  });

  it('M12: a cast that held operators together keeps its meaning and its lines', async () => {
    expect(await resultOf(caseProgram('044-as-inside-binary-expression.ts'))).toBe(2);
    expect(await resultOf(caseProgram('043-angle-bracket-assertion.ts'))).toBe(8);
    expect(await resultOf('const f = () => <any>{};\nreturn typeof f();')).toBe('object');
    expect(await placeOf('const a = 1 + 3 as any / 2;\n\nconst b: any = null;\n  b.x;')).toEqual({
      line: 4,
      column: 5,
    });
  });

  it('M12: an optional chain goes on behind a non-null mark', async () => {
    expect(await resultOf('const a: any = undefined;\nreturn a?.b!.c')).toBe(undefined);
    await expect(resultOf('const a: any = undefined;\nreturn (a?.b)!.c')).rejects.toThrow('undefined');
  });
});

describe('syntax that is more than types', () => {
  it('M12: enums, namespaces and parameter properties run with their meaning', async () => {
    expect(await resultOf(caseProgram('050-numeric-enum-reverse-mapping.ts'))).toEqual([6, 'High', 0, 'r']);
    expect(
      await resultOf(
        'namespace N { export const x = 1; export namespace M { export const y = x + 1 } }\nreturn N.x + N.M.y',
      ),
    ).toBe(3);
    expect(
      await resultOf(
        'class A { constructor(private readonly x: number, public y = 2) {} sum() { return this.x + this.y } }\nreturn new A(1).sum()',
      ),
    ).toBe(3);
    expect(await resultOf('enum A { B = 1 }\nA.B + 2')).toBe(3);
    expect(await resultOf('enum A { B = 1 }\nreturn (() => [typeof arguments, typeof this])()')).toEqual([
      'undefined',
      'undefined',
    ]);
    expect(await resultOf('async () => { enum A { B = 3 } return A.B }')).toBe(3);
    expect(await resultOf('export default async function () { enum A { B = 3 } return A.B }')).toBe(3);
  });

  it('M12, M14: their positions are exact, on every line', async () => {
    expect(await placeOf('enum A { B }\nconst b: any = null; b.x;\n')).toEqual({ line: 2, column: 24 });
    expect(await placeOf('enum A { B } (null as any).x')).toEqual({ line: 1, column: 28 });
    expect(
      await placeOf('enum A {\r\n  B,\r\n}\r\n\r\nfunction f(a: any) {\r\n  return a.b.c;\r\n}\r\nf({});'),
    ).toEqual({ line: 6, column: 14 });
    expect(await placeOf('enum A { B }\nthrow new Error("x");')).toEqual({ line: 2, column: 7 });
  });

  it('M12: a duplicate that only the rewritten text shows is a syntax error at its line', () => {
    expect(refusal('enum A { B }\nconst c = 1;\nconst A = 2;')).toMatchObject({
      kind: 'syntax',
      position: { line: 3, column: 7 },
    });
  });

  it('M12, W4: decorators are refused at their line', () => {
    expect(refusal(caseProgram('056-decorator.ts'))).toMatchObject({
      message: 'SyntaxError: decorators are not available',
      position: { line: 2, column: 1 },
      hint: 'Apply the function by hand, e.g. `const Marked = mark(class { … });`.',
    });
  });
});

describe('plain JavaScript', () => {
  it('M12: a program without types reaches the engine as it is', () => {
    const text = 'const a = [1, 2].map((x) => x * 2);\nfor (const b of a) console.log(`${b}`);\nreturn a;';
    expect(codeOf(text)).toBe(text);
  });

  it('M14: a carriage return alone ends a line for the engine too', async () => {
    expect(await placeOf('const a: any = null;\rconst b = 1;\ra.x')).toEqual({ line: 3, column: 3 });
    expect(codeOf('`a\rb\r\nc`;\rreturn 1')).toBe('`a\nb\r\nc`;\nreturn 1');
  });

  it('M14: line separators in strings end no line of the text', async () => {
    expect(await placeOf('const s = "a\u2028b\u2029c"; const q: any = null;\nq.x')).toEqual({
      line: 2,
      column: 3,
    });
    expect(await placeOf('const s = "a\u2028b"; (null as any).x')).toEqual({ line: 1, column: 32 });
  });
});
