import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { load } from './load.ts';

const { take } = await load('take.js');

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ptc-bench-'));
  folders.push(folder);
  return folder;
}

const PEERS = readdirSync('bench/peers', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('a case in a process of its own', () => {
  it.each([
    'floor',
    'isolated-vm/process',
    'isolated-vm/in-process',
    'quickjs/process',
    'quickjs/in-process',
  ])('overlap of %s settles with the time that the calls took, not their sum', async (system) => {
    const ms = await take('overlap', system);
    expect(ms).toBeGreaterThanOrEqual(19);
    expect(ms).toBeLessThan(400);
  });

  it('a process that cannot open its system rejects with the line that says why', async () => {
    await expect(take('overlap', 'isolated-vm/nowhere')).rejects.toThrow(/placement.*nowhere/);
  });

  it('the package can be another one than that of this tree', async () => {
    const missing = pathToFileURL(resolve('no-such-package.js')).href;
    await expect(take('overlap', 'quickjs/process', missing)).rejects.toThrow(/no-such-package/);
    const own = pathToFileURL(resolve('dist/index.js')).href;
    expect(await take('overlap', 'quickjs/process', own)).toBeGreaterThanOrEqual(19);
  });
});

describe('the adapters for a harness', () => {
  it('there is one for each engine in each placement, and one with several programs in a process', () => {
    expect(PEERS.sort()).toEqual([
      'ptc-runtime',
      'ptc-runtime-in-process',
      'ptc-runtime-quickjs',
      'ptc-runtime-quickjs-in-process',
      'ptc-runtime-shared',
    ]);
    const sandboxes = PEERS.map((name) => manifest(join('bench/peers', name)).bench.sandbox);
    expect(sandboxes).toEqual([
      { engine: 'isolated-vm', placement: 'process' },
      { engine: 'isolated-vm', placement: 'in-process' },
      { engine: 'quickjs', placement: 'process' },
      { engine: 'quickjs', placement: 'in-process' },
      { engine: 'isolated-vm', placement: 'process', runsPerProcess: 10 },
    ]);
  });

  it('they are one adapter: only what the package.json says differs', () => {
    const envs = temporary();
    expect(spawnSync(process.execPath, ['bench/peers/place.js', envs]).status).toBe(0);
    const only = readFileSync('bench/peers/ptc-runtime/adapter.mjs', 'utf8');
    const placed = PEERS.map((name) => readFileSync(join(envs, name, 'adapter.mjs'), 'utf8'));
    expect(placed).toEqual(PEERS.map(() => only));
  });

  it.each(PEERS)('%s, placed beside others, runs a program and hands its failure on', (name) => {
    const envs = temporary();
    const { status } = spawnSync(process.execPath, ['bench/peers/place.js', envs]);
    expect(status).toBe(0);
    const folder = join(envs, name);
    expect(manifest(folder).dependencies['ptc-runtime']).toBe(`file:${resolve('.')}/`);
    expect(readFileSync(join(folder, '.npmrc'), 'utf8')).toBe('install-links=true\n');
    const { flags = [] } = manifest(folder).bench;
    const script = `
      const { default: adapter } = await import(${JSON.stringify(pathToFileURL(join(folder, 'adapter.mjs')).href)});
      await adapter.setup({ echo: async (args) => args, big: async () => [1, 2], slow: async () => ({ ok: true }) });
      const program = 'const { i } = await tools.echo({ i: 41 }); const { length } = await tools.big({ i }); return i + length;';
      const value = await adapter.run(program);
      const failed = await adapter.run('throw new Error("on purpose")').then(() => 'no failure', (error) => error.message);
      await adapter.dispose();
      console.log(JSON.stringify({ name: adapter.name, language: adapter.language, value, failed }));`;
    installed(folder);
    const ran = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual({
      name,
      language: 'js',
      value: 43,
      failed: expect.stringContaining('on purpose'),
    });
  });

  it('placing them where there is no folder is refused', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bench/peers/place.js', '/no/such/folder'], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toBe('Cannot place the adapters in "/no/such/folder": wanted a directory that exists\n');
  });
});

function manifest(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** What npm would do for the dependency on this tree. */
function installed(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'ptc-runtime'), 'dir');
}
