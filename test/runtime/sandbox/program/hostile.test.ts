import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepare, ready, refusal } from './run.js';
import { typedPrograms } from './typed-program.js';

/** Stretches that open what others close, or that parsers go back over. */
const FRAGMENTS = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '`',
    '${',
    '"',
    "'",
    '/',
    '/*',
    '*/',
    '//',
    '\\',
    '\n',
    '\r\n',
    '\u2028',
  ],
  ...['=>', '=', ':', '?', '?.', '!', ',', ';', '...', '@', '#', '*', '<!--', '-->', '```', '~~~ts\n', '#!'],
  ...[
    'async ',
    'await ',
    'function ',
    'class ',
    'return ',
    'export default ',
    'import ',
    'enum A ',
    'as any',
    'x',
    '1',
  ],
  ...[
    '<T>(',
    'f<',
    'a ? (b) : (',
    '({[',
    'interface ',
    'declare ',
    'arguments',
    'this',
    '\ud800',
    '😀',
    '\0',
    '\ufeff',
  ],
];

describe('hostile text', () => {
  it('M11, M13: whatever the text, it is prepared or refused, never thrown at', () => {
    const text = fc.oneof(
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 200 }),
      // A program with a stretch cut out or put in.
      fc
        .tuple(typedPrograms, fc.nat(), fc.nat(30), fc.constantFrom('', ...FRAGMENTS))
        .map(([{ typed }, at, length, put]) => {
          const start = at % typed.length;
          return `${typed.slice(0, start)}${put}${typed.slice(start + length)}`;
        }),
    );
    fc.assert(
      fc.property(text, (program) => {
        const run = prepare(program);
        if (!run.ok) {
          expect(run.failure.kind).toBe('syntax');
          expect(run.failure.position!.line).toBeLessThanOrEqual(program.split(/\r\n|\n|\r/).length);
          expect(run.failure.frame!.length).toBeLessThan(1_500);
          expect(run.failure.message.length).toBeLessThan(500);
        } else {
          // What is ready is one function and nothing beside it, for any engine.
          expect(typeof new Function(`return ${run.code}`)()).toBe('function');
        }
      }),
      { numRuns: 800 },
    );
  });

  it('M47: long chains, long sums and long lists are no deep nesting', () => {
    expect(ready(`return a${'.b()'.repeat(5_000)};`).implicit).toBe(false);
    expect(ready(`return ${'1 + '.repeat(500)}1;`).implicit).toBe(false);
    expect(ready(`return [${'1, '.repeat(20_000)}];`).implicit).toBe(false);
    expect(ready(`let a: number = 1;\n${'a as any;\n'.repeat(3_000)}`).implicit).toBe(true);
  });

  it('M47: whatever makes a parser go back over the text again and again ends as a syntax error', () => {
    for (const nested of ['<T>(', '({[f<', '({[a ? (b) : (', '(async <T>(a: ({a = ', '({[f<(a: ']) {
      const run = prepare(`x = ${nested.repeat(25)}1`);
      expect([nested, run.ok]).toEqual([nested, false]);
    }
  });

  it('M47: what the compiler would go back over without end never reaches it', () => {
    const nested = `enum A { B }\nx = ${'({[f<'.repeat(8)}1${']:1})'.repeat(8)}`;
    expect(refusal(nested).message).toBe(
      'SyntaxError: the program nests generics and brackets in a way that takes too long to read',
    );
  });

  it('M47: a program that is too deep for the compiler alone is a syntax error, and the next one compiles', async () => {
    const deep = `enum A { B }\nreturn a${'.b()'.repeat(60_000)};`;
    expect(refusal(deep)).toMatchObject({ kind: 'syntax' });
    expect(ready('enum A { B }\nreturn A.B;').ok).toBe(true);
  });

  it('W8: words that look dangerous are data', () => {
    for (const text of [
      'return "import x from \\"y\\"; export default 1; require(1); with (a) {}"',
      '// import fs from "fs"\n/* export default 1 */ return 1',
      'return { import: 1, export: 2, with: 3, eval: 4, constructor: 5, arguments: 6 }',
      'const o: any = {}; o.import = 1; o.arguments = 2; return o?.export',
      'return /import\\s+x/.test(`export ${"const"}`)',
      'class A { arguments = 1; static with() {} get eval() { return 1 } }\nreturn 1',
    ])
      expect([text, ready(text).ok]).toEqual([text, true]);
  });
});
