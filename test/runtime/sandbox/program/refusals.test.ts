import { describe, expect, it } from 'vitest';
import { refusal } from './run.js';

/** Text, message without its name, place, hint. */
type Pin = readonly [text: string, message: string, place: string, hint: string | undefined];

const pinned = (pins: readonly Pin[]) => {
  for (const [text, message, place, hint] of pins) {
    const failure = refusal(text);
    const { line, column } = failure.position!;
    expect([text, failure.message, `${line}:${column}`, failure.hint]).toEqual([
      text,
      `SyntaxError: ${message}`,
      place,
      hint,
    ]);
  }
};

const MODULES =
  'A program cannot load modules. Call the tools that exist: tools.add, tools.echo, tools.list.';
const SHELL = 'A TypeScript program is wanted, not a shell command.';
const WORDS = 'Send only a TypeScript program: no prose around it and no other language.';

describe('what a refused text is told', () => {
  it('W4, M11: modules', () =>
    pinned([
      ['import fs from "node:fs";\nreturn 1;', '`import` is not available', '1:1', MODULES],
      ['import "x"', '`import` is not available', '1:1', MODULES],
      ['import { a, type B } from "x"', '`import` is not available', '1:1', MODULES],
      ['import fs = require("fs")', '`import` is not available', '1:1', MODULES],
      ['const fs =\n  await import("node:fs");', '`import()` is not available', '2:9', MODULES],
      ['export * from "x"', '`export` is not available', '1:1', MODULES],
      ['return import.meta.url', '`import.meta` is not available', '1:8', 'A program is no module.'],
    ]));

  it('W4: a text of Python is told that TypeScript is wanted', () => {
    for (const text of [
      'rows = await tools.list({})\nfor r in rows:\n    print(r)',
      'def main():\n    return 1',
      'async def main(n=1):\n    pass',
      'x = 1\nif x > 0:\n    print(x)\nelse:\n    pass',
      'try:\n    a()\nexcept Exception as e:\n    pass',
      'from json import loads\nloads("1")',
      'import json\r\nprint(json.dumps(1))',
      'name = "x"\nprint(f"hello {name}")',
      'with open("a") as f:\n    f.read()',
      'class A(Base):\n    pass',
    ]) {
      expect([text, refusal(text).hint]).toEqual([text, 'A TypeScript program is wanted, not Python.']);
    }
    for (const text of [
      'for (const a of b) {',
      'const t = { if: 1, else: 2 ;',
      'switch (a) { case 1:\n default:\n b( }',
      'const s = "for x in y:" +* 2;',
      'label:\nfor (;;) { break label; ]',
    ]) {
      expect([text, refusal(text).hint]).not.toEqual([text, 'A TypeScript program is wanted, not Python.']);
    }
  });

  it('W4: typographic quotes and prose behind the program are named', () =>
    pinned([
      ['return “hello”;', "Unexpected character '“'", '1:8', 'Texts stand in straight quotes: " or \'.'],
      [
        'const a = 1;\nreturn a;\n\nThis returns the number.',
        "Missing semicolon or operator before 'returns'",
        '4:5',
        WORDS,
      ],
      ['const a = 1;\nretrun a', "Missing semicolon or operator before 'a'", '2:7', undefined],
    ]));

  it('W4, M12: constructs that neither engine has', () =>
    pinned([
      [
        'class A {\n  @mark x = 1\n}',
        'decorators are not available',
        '2:3',
        'Apply the function by hand, e.g. `const Marked = mark(class { … });`.',
      ],
      [
        'class A { accessor x = 1 }',
        '`accessor` fields are not available',
        '1:11',
        'Write a field, or a getter and a setter.',
      ],
      ['using x = y', '`using` declarations are not available', '1:1', 'Write try … finally.'],
      ['{\n  await using x = y\n}', '`using` declarations are not available', '2:3', 'Write try … finally.'],
      [
        'with (a) {}',
        '`with` is not available in strict code',
        '1:1',
        'Read the properties by their full names.',
      ],
      [
        'return <b>hi</b>',
        'Unterminated regular expression',
        '1:15',
        'JSX is not available: a program returns data or text.',
      ],
    ]));

  it('W4: markup in a program is named, wherever the parser gives up', () => {
    for (const text of [
      'const el = <div className="a">hi</div>;\nreturn el',
      'const y = <Foo bar={1} />;\nreturn y',
      'return <><b>1</b></>',
      'return <input disabled />',
      'return (\n  <ul>\n    {rows.map((r: string) => <li key={r}>{r}</li>)}\n  </ul>\n)',
      'const f = async () => <A.B {...props} />;',
      "async function () { return <p>it is 5 o'clock</p> }",
    ])
      expect([text, refusal(text).hint]).toEqual([
        text,
        'JSX is not available: a program returns data or text.',
      ]);
    for (const text of ['return a < b / > 1', 'const a = "</p>" b', 'const a = f<b>(c; d />/.e'])
      expect([text, refusal(text).hint]).toEqual([text, undefined]);
  });

  it('W2: an object that is read as a block is told how to be one', () => {
    const hint = 'An object where a statement could start needs parentheses: `({ … })`.';
    for (const text of [
      '{ total: 5, items: [1] }',
      'const n = 1;\n{ rows: { a: 1 }, n }',
      'const rows = [1].map((id) => { id, name: "a" });\nreturn rows',
      'return [1].map((x) => { id: x, name: "a" })',
    ])
      expect([text, refusal(text).hint]).toEqual([text, hint]);
    for (const text of ['if (a) { b c: 1 }', 'f(a: 1)'])
      expect([text, refusal(text).hint]).toEqual([text, undefined]);
  });

  it('W4: text that is no program at all', () =>
    pinned([
      ['npm install left-pad', "Missing semicolon or operator before 'install'", '1:4', SHELL],
      ['$ ls -la', "Missing semicolon or operator before 'ls'", '1:2', SHELL],
      ['cat file.txt | grep "a b', "Missing semicolon or operator before 'file'", '1:4', SHELL],
      ['Here is what I would do', "Missing semicolon or operator before 'is'", '1:5', WORDS],
      [
        'def f():\n  return 1',
        "Missing semicolon or operator before 'f'",
        '1:4',
        'A TypeScript program is wanted, not Python.',
      ],
      [
        '{ "code": "return 1" }',
        "Missing semicolon or operator before ':'",
        '1:9',
        'Send the program itself, without a JSON object around it.',
      ],
      [
        '<code>\nreturn 1;\n</code>\n',
        "Unexpected token 'return'",
        '2:1',
        'Send the program itself, without tags around it.',
      ],
      ['# add\nreturn 1', "Unexpected token '#'", '1:1', 'Comments start with `//`.'],
      [
        'const a = 1;\\nreturn a;',
        'a backslash stands outside of a string',
        '1:14',
        'Send line breaks as line breaks, not as the two characters \\ and n.',
      ],
    ]));

  it('M3, M30: plain mistakes have the parser’s reason and no advice that would mislead', () =>
    pinned([
      ['const a = 1;\nconst a = 2;', "Identifier 'a' has already been declared", '2:7', undefined],
      ['foo(]', "Unexpected token ']'", '1:5', undefined],
      ['const s = "abc', 'Unterminated string constant', '1:11', undefined],
      ['return {a: 1', 'the program ends too early', '1:13', 'Close the `{` of line 1.'],
      ['return 1 +', 'the program ends too early', '1:11', 'The last statement is not complete.'],
      ['f(a b)', "Unexpected token 'b', wanted ','", '1:5', undefined],
      ['f(1));', "Unexpected token ')'", '1:5', undefined],
      [
        '[1].map((x) => await tools.add({ a: x, b: 1 }))',
        '`await` stands in a function that is not async',
        '1:16',
        'Mark the function `async`; for a list write `await Promise.all(items.map(async (item) => …))`.',
      ],
      ['x = /(/;', 'Invalid regular expression: /(/: Unterminated group', '1:5', undefined],
      ['export const a = = 1;', "Unexpected token '='", '1:18', undefined],
      ['find = = 1;', "Unexpected token '='", '1:8', undefined],
      ['let await = 1;', "Can not use 'await' as identifier inside an async function", '1:5', undefined],
      ['new.target', '`new.target` can only be used in functions or class properties', '1:1', undefined],
    ]));
});

describe('the bracket that is never closed', () => {
  it('M14: it is named by its line, strings, templates, patterns and comments left out', () => {
    for (const [text, hint] of [
      ['if (a) {\n  b();\n\nreturn 1', 'Close the `{` of line 1.'],
      ['const a = [\n  "}]", /[}\\]]/g, // ]\n  `]${[1].length}]`,\n', 'Close the `[` of line 1.'],
      ['f(\n  1 / 2, (3) / 4 /* ) */', 'Close the `(` of line 1.'],
      ['const f = () => {\n  const s = `a${{ b: `c${1}` }.b}`;\n', 'Close the `{` of line 1.'],
    ])
      expect([text, refusal(text!).hint]).toEqual([text, hint]);
  });
});
