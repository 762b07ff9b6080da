import { describe, expect, it } from 'vitest';
import { placeOf, ready, refusal, resultOf } from './run.js';

const BODY = 'const s: number = await tools.add({ a: 1, b: 2 });\nreturn s;';

describe('a program in a Markdown fence', () => {
  it('W1: any tag of the language, none, and upper case are read alike', async () => {
    for (const tag of [
      'ts',
      'typescript',
      'js',
      'javascript',
      '',
      'TypeScript',
      'ts title="a.ts"',
      'mts',
      'code',
    ]) {
      expect(await resultOf(`\`\`\`${tag}\n${BODY}\n\`\`\``)).toBe(3);
    }
    expect(await resultOf(`~~~ts\n${BODY}\n~~~`)).toBe(3);
    expect(await resultOf(`\`\`\`\`ts\n${BODY}\n\`\`\`\``)).toBe(3);
  });

  it('W1: CRLF, a byte order mark, blank lines and indentation around the fence change nothing', async () => {
    expect(await resultOf(`\`\`\`ts\r\n${BODY.replace('\n', '\r\n')}\r\n\`\`\`\r\n`)).toBe(3);
    expect(await resultOf(`\ufeff\`\`\`ts\n${BODY}\n\`\`\``)).toBe(3);
    expect(await resultOf(`\n\n  \`\`\`ts\n  ${BODY}\n  \`\`\`  \n\n`)).toBe(3);
    expect(await resultOf(`\ufeff${BODY}`)).toBe(3);
  });

  it('W1: prose before and after exactly one fence is left out', async () => {
    for (const text of [
      `Here is the program:\n\n\`\`\`ts\n${BODY}\n\`\`\`\n\nThis adds the numbers.`,
      `Program:\n\`\`\`ts\n${BODY}\n\`\`\``,
      `\`\`\`ts\n${BODY}\n\`\`\`\nDone.`,
      `I'll call \`add\` (it's quick).\n\`\`\`\n${BODY}\n\`\`\`\nThat's it!`,
      `# Plan\n1. add\n\n\`\`\`ts\n${BODY}\n\`\`\``,
    ])
      expect(await resultOf(text)).toBe(3);
  });

  it('W1: a fence that is never closed, closed on the last line of code, or opened and closed on one line', async () => {
    expect(await resultOf(`\`\`\`ts\n${BODY}`)).toBe(3);
    expect(await resultOf(`\`\`\`ts\n${BODY}\`\`\``)).toBe(3);
    expect(await resultOf('```ts return 1 + 2```')).toBe(3);
    expect(await resultOf('```return 1 + 2```')).toBe(3);
    expect(await placeOf('```ts null.x```')).toEqual({ line: 1, column: 12 });
  });

  it('W1: a closing line without an opening one is left out, and the program in front of it runs', async () => {
    for (const end of ['\n```', '\n```\n', '\r\n```\r\n\r\n', '\n\n  ```', '\n~~~', '\n```ts', '\n```\n```'])
      expect([end, await resultOf(`${BODY}${end}`)]).toEqual([end, 3]);
    expect(await placeOf('const a: any = null;\na.x\n```')).toEqual({ line: 2, column: 3 });
    expect(refusal('const a = ;\n```').position).toEqual({ line: 1, column: 11 });
    expect(await resultOf('Here is the program:\n```ts\n```')).toBeUndefined();
    expect(await resultOf('// nothing to do\n```ts\n```')).toBeUndefined();
  });

  it('W1: a fence in the strings and comments of the program never ends it', async () => {
    expect(await resultOf('```js\nreturn ["a", "```", "b"].length;\n```')).toBe(3);
    expect(await resultOf('```js\nconst a = 1;\n/*\n```\nfoo()\n```\n*/\nreturn a + 2;\n```')).toBe(3);
    expect(
      await resultOf('```js\nconst t = `\n\\`\\`\\`\nx\n\\`\\`\\`\n`;\nreturn t.split("\\n").length;\n```'),
    ).toBe(5);
    expect(await resultOf('```js\n/**\n * ```ts\n * foo()\n * ```\n */\nreturn 3;\n```')).toBe(3);
  });

  it('W1: a bare program with fences in its own strings and comments is no fenced one', async () => {
    expect(await resultOf('/*\n```ts\nreturn "wrong";\n```\n*/\nreturn 3;')).toBe(3);
    expect(await resultOf('const s = "```";\nreturn s.length;')).toBe(3);
    expect(ready('// ```\nreturn 3;').prepared.form).toBe('body');
    // Broken besides: the example in its comment must not be run in its place.
    expect(refusal('/*\n```ts\nreturn "wrong";\n```\n*/\nreturn = 3;').position).toEqual({
      line: 6,
      column: 8,
    });
  });

  it('W1: more than one fenced block is refused at the second', () => {
    expect(refusal('First:\n```ts\nreturn 1;\n```\nThen:\n```ts\nreturn 2;\n```')).toEqual({
      kind: 'syntax',
      message: 'SyntaxError: the text holds more than one fenced block, one program is wanted',
      position: { line: 6, column: 1 },
      frame: ['  4 | ```', '  5 | Then:', '> 6 | ```ts', '    | ^', '  7 | return 2;', '  8 | ```'].join(
        '\n',
      ),
      hint: 'Send only the program, without Markdown or prose around it.',
    });
  });

  it('W1, W4: a block of another language is refused by its name', () => {
    expect(refusal('```python\nprint(1)\n```')).toMatchObject({
      message: 'SyntaxError: the fenced block is marked as "python", a TypeScript program is wanted',
      hint: 'Send the program itself as TypeScript.',
    });
    expect(refusal('```bash\nls\n```').message).toContain('"bash"');
  });

  it('W3: lines count from the first line after the fence, in errors of every kind', async () => {
    expect(refusal('Here:\n\n```ts\nconst a = 1;\nconst b = = 2;\n```').position).toEqual({
      line: 2,
      column: 11,
    });
    expect(refusal('```ts\nimport "x";\n```').position).toEqual({ line: 1, column: 1 });
    expect(await placeOf('text\n```ts\nenum A { B }\n(null as any).x;\n```')).toEqual({
      line: 2,
      column: 15,
    });
  });

  it('W1: how the text was read is told to the type checker', () => {
    expect(ready('return 1').prepared.form).toBe('body');
    expect(ready('```\nreturn 1\n```').prepared.form).toBe('fenced');
    expect(ready('() => 1').prepared.form).toBe('function');
    expect(ready('```\n() => 1\n```').prepared.form).toBe('fenced function');
  });
});
