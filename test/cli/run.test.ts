import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ptc, startPtc, withFiles } from './support.ts';

const MATH = ['--tools', 'examples/math-tools.js'];
const engines = ['isolated-vm', 'quickjs'] as const;
const json = (stdout: string) => JSON.parse(stdout) as Record<string, never>;

describe.each(engines)('ptc run on %s', (engine) => {
  const on = ['--engine', engine];

  it('prints exactly one JSON object with value, calls, content and stats', async () => {
    const program = 'const a = await Promise.all([1,2,3].map(n => tools.add({a:n,b:n}))); return a';
    const { code, stdout } = await ptc(['run', '-', ...MATH, '--json', ...on], program);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(json(stdout)).toMatchObject({
      ok: true,
      value: [2, 4, 6],
      logs: [],
      content: '[\n  2,\n  4,\n  6\n]',
      calls: [1, 2, 3].map((n) => ({ id: `run:ptc:${n}`, name: 'add', ok: true, ms: expect.any(Number) })),
      stats: {
        calls: 3,
        engine,
        placement: 'process',
        wallMs: expect.any(Number),
        computeMs: expect.any(Number),
      },
    });
  });

  it('a program that returned nothing has no value, one that returned null has null', async () => {
    const nothing = json((await ptc(['run', '--json', ...on], 'console.log("seen")')).stdout);
    expect(nothing).toMatchObject({ ok: true, logs: ['seen'] });
    expect(nothing).not.toHaveProperty('value');
    expect(json((await ptc(['run', '--json', ...on], 'return null')).stdout)).toMatchObject({
      ok: true,
      value: null,
    });
  });

  it('an endless loop fails with kind timeout, a memory bomb with kind memory-limit', async () => {
    const loop = await ptc(['run', '-', '--compute-ms', '300', '--json', ...on], 'while(true){}');
    expect(loop.code).toBe(1);
    expect(json(loop.stdout)).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    const bomb = await ptc(
      ['run', '-', '--memory-mb', '32', '--json', ...on],
      'const a=[]; for(;;) a.push({n: 1})',
    );
    expect(bomb.code).toBe(1);
    expect(json(bomb.stdout)).toMatchObject({ ok: false, error: { kind: 'memory-limit', limit: 32 } });
  });

  it('a failed program has kind, message and position, and the calls that it made', async () => {
    const program = 'await tools.add({ a: 1, b: 2 });\nawait tools.divide({ a: 1, b: 0 });';
    const { code, stdout } = await ptc(['run', '-', ...MATH, '--json', ...on], program);
    expect(code).toBe(1);
    expect(json(stdout)).toMatchObject({
      ok: false,
      error: {
        kind: 'exception',
        message: expect.stringContaining('Cannot divide by 0'),
        position: { line: 2 },
      },
      calls: [
        { name: 'add', ok: true },
        { name: 'divide', ok: false },
      ],
    });
  });

  it('a syntax error has its line', async () => {
    const { code, stdout } = await ptc(['run', '-', '--json', ...on], 'const a = 1;\nconst b = = 2;');
    expect(code).toBe(1);
    expect(json(stdout)).toMatchObject({ error: { kind: 'syntax', position: { line: 2 } } });
  });
});

describe('ptc run', () => {
  it('its sandbox process starts while the sources of tools do', async () => {
    const watch = `import cp from 'node:child_process'; import { syncBuiltinESMExports } from 'node:module';
      const { spawn } = cp; cp.spawn = (...args) => { console.error('spawned'); return spawn(...args); }; syncBuiltinESMExports();`;
    const files = {
      'watch.js': watch,
      'tools.js': `console.error('loaded'); export default [];`,
      'package.json': '{"type":"module"}',
    };
    await withFiles(files, async (folder) => {
      const preload = ['--import', pathToFileURL(join(folder, 'watch.js')).href];
      const run = startPtc(['run', '-', '--tools', join(folder, 'tools.js')], 'return 1', preload);
      const { code, stdout, stderr } = await run.ended;
      expect([code, stdout]).toEqual([0, '1\n']);
      expect(
        stderr
          .split('\n')
          .filter((line) => /^(spawned|loaded)$/.test(line))
          .slice(0, 2),
      ).toEqual(['spawned', 'loaded']);
    });
  });

  it('shows each sub-call on standard error and what the model reads on standard output', async () => {
    const { code, stdout, stderr } = await ptc(
      ['run', '-', ...MATH],
      'return await tools.add({ a: 20, b: 22 })',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '42\n' });
    expect(stderr).toMatch(/^-> 1 add\n<- 1 add [\d.]+ ms ok\n$/);
  });

  it('a failure without --json prints what the model reads and exits with 1', async () => {
    const { code, stdout } = await ptc(['run', '-', ...MATH], 'throw new Error("broken on purpose")');
    expect(code).toBe(1);
    expect(stdout).toContain('broken on purpose');
  });

  it('the file name is the description, unless one is given', async () => {
    await withFiles({ 'report.ts': 'return 1' }, async (folder) => {
      expect((await ptc(['run', join(folder, 'report.ts')])).stdout).toBe('1\n');
      const blank = await ptc(['run', join(folder, 'report.ts'), '--description', '  ', '--json']);
      expect(blank.code).toBe(1);
      expect(json(blank.stdout)).toMatchObject({
        ok: false,
        error: { kind: 'rejected' },
        calls: [],
        logs: [],
      });
    });
  });

  it('an interrupt aborts the run, prints its result and exits with 130', async () => {
    await withFiles({ 'hang.mjs': HANGING_TOOL }, async (folder) => {
      const { child, ended } = startPtc(
        ['run', '-', '--tools', join(folder, 'hang.mjs'), '--json'],
        'await tools.hang({})',
      );
      const reachedTool = new Promise<void>((resolve) => {
        child.stderr?.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('hanging')) resolve();
        });
      });
      await reachedTool;
      child.kill('SIGINT');
      const { code, stdout } = await ended;
      expect(code).toBe(130);
      expect(json(stdout)).toMatchObject({ ok: false, error: { kind: 'abort' } });
    });
  });

  it('the tools module may default-export an async function', async () => {
    const module = `const { default: tools } = await import(${JSON.stringify(join(process.cwd(), 'examples/math-tools.js'))});
export default async () => tools;`;
    await withFiles({ 'tools.mjs': module }, async (folder) => {
      const { stdout } = await ptc(
        ['run', '-', '--tools', join(folder, 'tools.mjs')],
        'return await tools.add({a:1,b:1})',
      );
      expect(stdout).toBe('2\n');
    });
  });

  it.each([
    [['run', 'no-such-program.ts'], 'Cannot read program "no-such-program.ts"'],
    [['run', '-', '--tools', 'no-such-module.js'], 'Cannot load tools module "no-such-module.js"'],
    [['run', '-', '--tools', 'package.json'], 'Cannot load tools module "package.json"'],
    [['run', '-', '--tools', 'README.md'], 'Cannot load tools module "README.md"'],
    [['run', '-', '--mcp', 'no-such-config.json'], 'Cannot read MCP configuration "no-such-config.json"'],
    [
      ['run', '-', '--mcp', 'package.json'],
      'Cannot use MCP configuration "package.json": wanted an object "mcpServers"',
    ],
    [['run', '-', '--compute-ms', 'soon'], 'wanted a positive whole number of milliseconds, received "soon"'],
    [['run', '-', '--memory-mb', '0'], 'wanted a positive whole number of MiB, received "0"'],
    [['run', '-', '--max-output-bytes', '1.5'], 'wanted a positive whole number of bytes, received "1.5"'],
    [['run', '-', '--engine', 'v9'], 'Allowed choices are auto, isolated-vm, quickjs'],
    [['run', '-', '--placement', 'moon'], 'Allowed choices are process, in-process'],
    [['run', '-', '--wat'], "unknown option '--wat'"],
    [['wat'], "unknown command 'wat'"],
    [['sdk', '--tools', 'no-such-module.js'], 'Cannot load tools module "no-such-module.js"'],
  ])('wrong usage %j is one clear line and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await ptc(args, 'return 1');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a missing MCP server ends with exit code 2, or is reported with --allow-missing', async () => {
    const config = JSON.stringify({ mcpServers: { gone: { command: 'no-such-command-at-all' } } });
    await withFiles({ 'mcp.json': config }, async (folder) => {
      const strict = await ptc(['run', '-', '--mcp', join(folder, 'mcp.json')], 'return 1');
      expect(strict.code).toBe(2);
      expect(strict.stderr).toMatch(/^ptc: Cannot start MCP server "gone" [^\n]+\n$/);
      const lenient = await ptc(
        ['run', '-', '--mcp', join(folder, 'mcp.json'), '--allow-missing'],
        'return 1',
      );
      expect({ code: lenient.code, stdout: lenient.stdout }).toEqual({ code: 0, stdout: '1\n' });
      expect(lenient.stderr).toContain('"gone"');
    });
  });

  it('--version and --help answer with exit code 0', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await ptc(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect((await ptc(['--help'])).stdout).toContain('run [options] [file]');
    const help = await ptc(['run', '--help']);
    expect(help.code).toBe(0);
    for (const option of [
      '--tools',
      '--mcp',
      '--engine',
      '--compute-ms',
      '--wall-ms',
      '--memory-mb',
      '--json',
    ]) {
      expect(help.stdout).toContain(option);
    }
  });

  it('in-process placement runs too', async () => {
    const { stdout } = await ptc(
      ['run', '-', ...MATH, '--placement', 'in-process', '--engine', 'quickjs', '--json'],
      'return await tools.add({a:1,b:1})',
    );
    expect(json(stdout)).toMatchObject({
      ok: true,
      value: 2,
      stats: { placement: 'in-process', engine: 'quickjs' },
    });
  });
});

const HANGING_TOOL = `export default [{
  name: 'hang',
  description: 'Settles when aborted.',
  parameters: { type: 'object', properties: {} },
  output: { schema: {}, render: () => [] },
  execute: (_, exec) => new Promise((_, reject) => {
    console.error('hanging');
    exec.signal.addEventListener('abort', () => reject(exec.signal.reason));
  }),
}];`;

describe('ptc run --check', () => {
  const program = 'const r = await tools.add({ a: 1, bee: 2 });\nreturn r;';

  it.each(engines)(
    'C70: enforce refuses a misspelt property on %s before any call, with line and column',
    async (engine) => {
      const { code, stdout } = await ptc(
        ['run', '-', ...MATH, '--check', 'enforce', '--json', '--engine', engine],
        program,
      );
      expect(code).toBe(1);
      expect(json(stdout)).toMatchObject({
        error: {
          kind: 'type-check',
          message: expect.stringContaining('bee'),
          position: { line: 1, column: 35 },
        },
        calls: [],
      });
    },
  );

  it('C70: without it the program runs, and the tool refuses its arguments', async () => {
    const { code, stdout } = await ptc(['run', '-', ...MATH, '--json'], program);
    expect(code).toBe(1);
    expect(json(stdout)).toMatchObject({
      error: { kind: 'exception', code: 'INVALID_ARGS' },
      calls: [{ ok: false }],
    });
  });
});
