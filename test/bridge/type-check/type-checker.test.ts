import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTypeChecker,
  type TypeChecker,
  type TypeCheckerOptions,
  type TypeCheckReport,
} from '#dist/bridge/index.js';
import { definition, prepared, realTools } from './programs.ts';

const checkers: TypeChecker[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(checkers.splice(0).map((checker) => checker.dispose()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function checkerWith(options: TypeCheckerOptions = {}): { checker: TypeChecker; reports: TypeCheckReport[] } {
  const reports: TypeCheckReport[] = [];
  const checker = createTypeChecker({
    deadlineMs: 20_000,
    onReport: (report) => reports.push(report),
    // From version 24 on, a stand-in that runs on Node reserves more than what the real checker may use.
    ...(options.path === undefined ? {} : { memoryMb: 2_000 }),
    ...options,
  });
  checkers.push(checker);
  return { checker, reports };
}

/** A stand-in for the checker: an executable of Node inside a package of the tested version. */
function standIn(script: string, version = '7.0.2'): string {
  const folder = mkdtempSync(join(tmpdir(), 'checker-'));
  folders.push(folder);
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  const path = join(folder, 'lib', 'tsc');
  writeFileSync(path, `#!${process.execPath}\n${script}`, { mode: 0o755 });
  return path;
}

const run = { tools: realTools };
const WRONG = 'return await tools.readFile({ path: "x" });';

describe('createTypeChecker', () => {
  it('C70, M3: a refusal is a failure of kind type-check with position, frame and what to do', async () => {
    const { checker } = checkerWith();
    const text = 'const a = 1;\nawait tools.write_file({ path: "x" });\nreturn a;';
    expect(await checker.check(prepared(text), run)).toEqual({
      kind: 'type-check',
      message:
        "A type error; nothing was run.\nline 2, column 24: Property 'content' is missing in type '{ path: string; }' but required in the arguments of tools.write_file (properties: path, content)",
      position: { line: 2, column: 24 },
      frame:
        '  1 | const a = 1;\n> 2 | await tools.write_file({ path: "x" });\n    |                        ^\n  3 | return a;',
      hint: 'If the program is right as it is, send the same text again: it then runs unchecked.',
    });
  });

  it('C70: the same text sent a second time runs unchecked, another text is checked', async () => {
    const { checker, reports } = checkerWith();
    expect((await checker.check(prepared(WRONG), run))?.hint).toContain('send the same text again');
    expect(await checker.check(prepared(WRONG), run)).toBeUndefined();
    expect(reports[1]).toEqual({
      status: 'not-checked',
      cause: 'sent-again',
      reason: 'it was sent a second time',
    });
    expect((await checker.check(prepared(`${WRONG} `), run))?.kind).toBe('type-check');
  });

  it('C70: at most ten errors are told, and how many more there are', async () => {
    const { checker } = checkerWith();
    const text = Array.from({ length: 14 }, (_, i) => `await tools.nothing_${i}({});`).join('\n');
    const failure = await checker.check(prepared(text), run);
    const lines = failure?.message.split('\n') ?? [];
    expect(lines[0]).toBe('14 type errors; nothing was run.');
    expect(lines.slice(1, 11).map((line) => line.slice(0, line.indexOf(',')))).toEqual(
      Array.from({ length: 10 }, (_, i) => `line ${i + 1}`),
    );
    expect(lines[11]).toBe('… and 4 more');
  });

  it('C70: positions are those of the model, behind a fence and beside other scripts', async () => {
    const { checker } = checkerWith();
    const typedText = 'return(async () => {\r\n const x = "日本"; return await tools.nope(x); })();';
    const source = 'async () => {\r\n const x = "日本"; return await tools.nope(x); }';
    const columnShifts = [{ line: 1, column: 8, by: 7 }];
    const failure = await checker.check(
      { typedText, lineMap: [1, 2], form: 'function', source, columnShifts },
      run,
    );
    expect(failure?.position).toEqual({ line: 2, column: 37 });
    expect(failure?.frame).toContain('> 2 |  const x = "日本"; return await tools.nope(x); }\n');
    const shifted = { typedText: 'return(async () => tools.nope())();', lineMap: [1], form: 'function' };
    const inLine = await checker.check({ ...shifted, source: 'async () => tools.nope()', columnShifts }, run);
    expect(inLine?.position).toEqual({ line: 1, column: 19 });
    const first = await checker.check(prepared('/* 😀é */ tools.nope();'), run);
    expect(first?.position).toEqual({ line: 1, column: 17 });
  });

  it('C70: a syntax error that only the checker sees refuses too', async () => {
    const { checker } = checkerWith();
    expect((await checker.check(prepared('const a = ;\nreturn 1;'), run))?.position).toEqual({
      line: 1,
      column: 11,
    });
  });

  it('C70: warn lets the program run and tells the model, off does nothing at all', async () => {
    const notes: string[] = [];
    const note = (text: string): void => {
      notes.push(text);
    };
    const { checker } = checkerWith({ mode: 'warn' });
    const text = Array.from({ length: 5 }, (_, i) => `await tools.nothing_${i}({});`).join('\n');
    expect(await checker.check(prepared(text), { ...run, note })).toBeUndefined();
    expect(notes).toEqual([
      [
        'The type check found:',
        ...[1, 2, 3].map(
          (line) =>
            `line ${line}, column 13: There is no tool 'nothing_${line - 1}': sdk.search("words") finds those that exist`,
        ),
        '… and 2 more',
      ].join('\n'),
    ]);
    expect(await checker.check(prepared('return 1;'), { ...run, note })).toBeUndefined();
    expect(notes).toHaveLength(1);
    const off = checkerWith({ mode: 'off', path: '/nowhere' });
    expect(await off.checker.check(prepared(WRONG), { ...run, note })).toBeUndefined();
    expect(off.reports).toEqual([]);
  });

  it('C70: beforeStart is the check of one run', async () => {
    const { checker } = checkerWith();
    const one = checker.beforeStart([definition({ name: 'only', inputSchema: { type: 'object' } })]);
    expect((await one(prepared('return await tools.echo({ message: "x" });')))?.message).toContain(
      "There is no tool 'echo': there are only",
    );
    expect(await one(prepared('return await tools.only();'))).toBeUndefined();
    expect(
      await checker.beforeStart(realTools)(prepared('return await tools.echo({ message: "x" });')),
    ).toBeUndefined();
    expect(await checker.beforeStart([])(prepared('return Object.keys(tools);'))).toBeUndefined();
  });

  it('C70: checks that are asked for at once are answered each for its own program', async () => {
    const { checker } = checkerWith();
    const texts = Array.from({ length: 20 }, (_, i) =>
      i % 3 === 0 ? `tools.wrong_${i}();` : `return ${i};`,
    );
    const failures = await Promise.all(texts.map((text) => checker.check(prepared(text), run)));
    failures.forEach((failure, i) => {
      expect(failure?.message.includes(`'wrong_${i}'`)).toBe(i % 3 === 0 ? true : undefined);
    });
  });

  it('C70: a program reads no file of the host through its types', async () => {
    const { checker, reports } = checkerWith();
    const folder = mkdtempSync(join(tmpdir(), 'secret-'));
    folders.push(folder);
    writeFileSync(join(folder, 'secret.json'), '{"topSecretKey":1}');
    writeFileSync(join(folder, 'secret.ts'), 'export interface Secret { topSecretKey: 1 }');
    const manifest = new URL('../../../package.json', import.meta.url).pathname;
    expect(existsSync(manifest)).toBe(true);
    const program = [
      `/// <reference path="${folder}/secret.ts" />`,
      `const a: string = (await import("${folder}/secret.json")).default;`,
      `const b: import("${folder}/secret").Secret = 5;`,
      `const c: string = (await import("${manifest}")).default;`,
      'const d: string = (await import("../etc/hostname")).default;',
      'tools.nothing();',
    ].join('\n');
    await checker.check(prepared(program), run);
    const told = JSON.stringify(reports);
    expect(told).toContain("There is no tool 'nothing'");
    for (const secret of ['topSecretKey', 'ptc-runtime', 'devDependencies'])
      expect(told).not.toContain(secret);
  });

  it.each([
    ['too long', `return 1;${' '.repeat(64 * 1024)}`, 'the program is longer than 64 KB'],
    ['nested too deep', `return ${'['.repeat(1_000_000)}`, 'the program is longer than 64 KB'],
    [
      'nested too deep',
      `return ${'['.repeat(257)}${']'.repeat(257)}`,
      'the program is nested deeper than 256 levels',
    ],
    [
      'nested behind closing ones',
      `${'}'.repeat(300)}${'('.repeat(257)}`,
      'the program is nested deeper than 256 levels',
    ],
  ])('C70: a program that is %s runs unchecked, and the model is told', async (_, text, reason) => {
    const notes: string[] = [];
    const { checker, reports } = checkerWith();
    const note = (words: string): void => {
      notes.push(words);
    };
    expect(await checker.check(prepared(text), { ...run, note })).toBeUndefined();
    expect(reports).toEqual([{ status: 'not-checked', cause: 'too-large', reason }]);
    expect(notes).toEqual([`Types were not checked: ${reason}.`]);
  });

  it('C70: types that are too complex let the program run unchecked', async () => {
    const { checker, reports } = checkerWith();
    const program =
      'type Deep<T> = T extends any ? Deep<[T, T]> : never;\nlet x: Deep<1>;\nreturn tools.nothing();';
    await checker.check(prepared(program), run);
    expect(reports).toEqual([
      { status: 'not-checked', cause: 'too-complex', reason: 'its types are too complex' },
    ]);
  });

  it('C70: a check past its deadline is ended, the program runs, and the next one is checked anew', async () => {
    const path = standIn('process.stdin.resume();');
    const { checker, reports } = checkerWith({ path, deadlineMs: 30 });
    const notes: string[] = [];
    expect(
      await checker.check(prepared(WRONG), { ...run, note: (text) => void notes.push(text) }),
    ).toBeUndefined();
    expect(reports).toEqual([
      { status: 'not-checked', cause: 'deadline', reason: 'the check took longer than 30 ms' },
    ]);
    expect(notes).toEqual(['Types were not checked: the check took longer than 30 ms.']);
    await checker.check(prepared('return 1;'), run);
    expect(reports).toHaveLength(2);
  });

  it('C70: a checker that dies is replaced at the next program', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'count-'));
    folders.push(folder);
    const path = standIn(
      `require("fs").appendFileSync(${JSON.stringify(join(folder, 'starts'))}, "x"); console.error("out of luck"); process.exit(3);`,
    );
    const { checker, reports } = checkerWith({ path });
    for (const text of ['return 1;', 'return 2;']) {
      expect(await checker.check(prepared(text), run)).toBeUndefined();
    }
    expect(reports.map((report) => report.status === 'not-checked' && report.cause)).toEqual([
      'failed',
      'failed',
    ]);
    expect(JSON.stringify(reports)).toContain('the checker ended (3)');
    expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('xx');
  });

  it.each([
    ['speaks something else', 'process.stdout.write("x".repeat(1000)); process.stdin.resume();'],
    [
      'sends a frame without end',
      'process.stdout.write("Content-Length: 99999999999\\r\\n\\r\\n"); process.stdin.resume();',
    ],
    [
      'sends a frame that is too large',
      'process.stdout.write("Content-Length: 999999999\\r\\n\\r\\n"); process.stdin.resume();',
    ],
    ['sends no JSON', 'process.stdout.write("Content-Length: 2\\r\\n\\r\\n{]"); process.stdin.resume();'],
    [
      'answers with errors',
      'const say = (m) => { const b = JSON.stringify(m); process.stdout.write(`Content-Length: ${b.length}\\r\\n\\r\\n${b}`); }; say({ id: 1, error: { message: "no" } }); process.stdin.resume();',
    ],
    [
      'answers with nothing',
      'const say = (m) => { const b = JSON.stringify(m); process.stdout.write(`Content-Length: ${b.length}\\r\\n\\r\\n${b}`); }; process.stdin.on("data", (d) => { for (const m of String(d).matchAll(/"id":(\\d+)/g)) say({ id: Number(m[1]), result: null }); });',
    ],
  ])('C70: a checker that %s lets programs run unchecked', async (_, script) => {
    const { checker, reports } = checkerWith({ path: standIn(script) });
    expect(await checker.check(prepared(WRONG), run)).toBeUndefined();
    expect(reports).toMatchObject([{ status: 'not-checked', cause: 'failed' }]);
  });

  it('C70: without a checker programs run unchecked, and why is said once', async () => {
    const reasons: string[] = [];
    const onUnavailable = (reason: string): void => {
      reasons.push(reason);
    };
    const { checker, reports } = checkerWith({ path: '/nowhere/lib/tsc', onUnavailable });
    for (const text of [WRONG, 'return 1;']) expect(await checker.check(prepared(text), run)).toBeUndefined();
    expect(reasons).toEqual(['there is no file "/nowhere/lib/tsc"']);
    expect(reports.map((report) => report.status === 'not-checked' && report.cause)).toEqual([
      'unavailable',
      'unavailable',
    ]);
    const old = checkerWith({ path: standIn('', '7.0.3'), onUnavailable });
    await old.checker.check(prepared(WRONG), run);
    expect(reasons[1]).toBe('typescript 7.0.3 is not one of the tested versions (7.0.2)');
  });

  it('C70: an observer that throws changes nothing', async () => {
    const checker = createTypeChecker({
      deadlineMs: 20_000,
      onReport: () => {
        throw new Error('observer broke');
      },
    });
    checkers.push(checker);
    const note = (): void => {
      throw new Error('note broke');
    };
    expect((await checker.check(prepared(WRONG), { ...run, note }))?.kind).toBe('type-check');
    expect(await checker.check(prepared(' '.repeat(70_000)), { ...run, note })).toBeUndefined();
  });

  it('C70: after disposal programs run unchecked; disposing twice is safe', async () => {
    const { checker, reports } = checkerWith();
    await checker.check(prepared('return 1;'), run);
    await checker.dispose();
    await checker.dispose();
    expect(await checker.check(prepared(WRONG), run)).toBeUndefined();
    expect(reports[1]).toEqual({
      status: 'not-checked',
      cause: 'unavailable',
      reason: 'the checker was disposed',
    });
  });

  it('C70: a host that has nothing else to do lives until the disposal is over', () => {
    const script = `import { createTypeChecker } from 'ptc-runtime';
const checker = createTypeChecker();
await checker.check(${JSON.stringify(prepared('return 1;'))}, { tools: [] });
await checker.dispose();
console.log('over');`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'over\n', stderr: '' });
  });

  it('C70: disposal ends a check that runs', async () => {
    const { checker, reports } = checkerWith({ path: standIn('process.stdin.resume();') });
    const checking = checker.check(prepared(WRONG), run);
    await checker.dispose();
    expect(await checking).toBeUndefined();
    expect(reports).toMatchObject([{ status: 'not-checked' }]);
  });

  it.each([
    [{ mode: 'strict' }, 'mode'],
    [{ deadlineMs: 0 }, 'deadlineMs'],
    [{ deadlineMs: 2 ** 31 }, 'deadlineMs'],
    [{ memoryMb: 0.5 }, 'memoryMb'],
    [{ path: '' }, 'path'],
    [{ library: 7 }, 'library'],
    [{ onReport: 1 }, 'onReport'],
    [{ modes: 'warn' }, 'modes'],
  ])('C70: the option %j is refused', (options, name) => {
    expect(() => createTypeChecker(options as never)).toThrow(name);
  });

  it('C70: a host whose last act is to dispose the checker is kept alive until that is done', () => {
    const script = `
      import { createTypeChecker } from ${JSON.stringify(new URL('../../../dist/bridge/index.js', import.meta.url).href)};
      const checker = createTypeChecker({ deadlineMs: 20_000 });
      await checker.check({ typedText: 'return 1;', lineMap: [1], form: 'body' }, { tools: [] });
      await checker.dispose();
      process.stdout.write('disposed');
    `;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: 'disposed' });
  });
});
