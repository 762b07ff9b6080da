import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { load } from './load.ts';

const { openTrees } = await load('trees.js');

/** A repository with the suite and a build that stands in for the package's: it hands the real one on. */
let repository: string;

function started(command: string, ...args: string[]) {
  return spawnSync(command, args, { cwd: repository, encoding: 'utf8' });
}

function commit(build: string): string {
  writeFileSync(join(repository, 'build.js'), build);
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  expect(started('git', 'add', '-A').status).toBe(0);
  expect(started('git', ...who, 'commit', '-q', '-m', 'state').status).toBe(0);
  return started('git', 'rev-parse', 'HEAD').stdout.trim();
}

const worktrees = () =>
  started('git', 'worktree', 'list', '--porcelain').stdout.match(/^worktree /gm)?.length;
const leftOvers = () => started('git', 'status', '--porcelain').stdout;

/** A build whose entry hands the package on, after `first`. */
function buildOf(first = ''): string {
  const entry = `${first}\nexport * from '${pathToFileURL(resolve('dist/index.js')).href}';\n`;
  return `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist');
writeFileSync('dist/index.js', ${JSON.stringify(entry)});
`;
}

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'ptc-compare-'));
  cpSync('bench', join(repository, 'bench'), { recursive: true });
  mkdirSync(join(repository, 'node_modules'));
  writeFileSync(join(repository, '.gitignore'), 'node_modules/\nnode_modules\n');
  writeFileSync(
    join(repository, 'package.json'),
    JSON.stringify({ name: 'stand-in', type: 'module', scripts: { build: 'node build.js' } }),
  );
  started('git', 'init', '-q', '-b', 'main');
});

afterEach(() => {
  rmSync(repository, { recursive: true, force: true });
});

describe('two refs side by side', () => {
  it('each is built in a tree of its own, the figures are told beside each other, and no tree is left', () => {
    const first = commit(buildOf());
    const second = commit(buildOf('// Another state.'));
    const { status, stdout, stderr } = started(
      'bench/compare',
      ...[first, 'main', 'overlap', '--engine', 'quickjs', '--placement', 'in-process', '--rounds', '2'],
      ...['--json', 'figures.json'],
    );
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `Building ${first}\nBuilding main\noverlap, quickjs/in-process\n`,
    });
    expect(stdout).toContain(`| A ${first} | B main ${second.slice(0, 7)} |`);
    expect(stdout).toMatch(/^\| overlap \| quickjs, in-process \| .*no clear difference \|$/m);
    const { refs, rows } = JSON.parse(readFileSync(join(repository, 'figures.json'), 'utf8'));
    expect(refs).toEqual([
      { ref: first, commit: first },
      { ref: 'main', commit: second },
    ]);
    expect(rows[0].pairs).toEqual([
      [expect.any(Number), expect.any(Number)],
      [expect.any(Number), expect.any(Number)],
    ]);
    expect(worktrees()).toBe(1);
    expect(leftOvers()).toBe('?? figures.json\n');
  }, 60_000);

  it('a ref that does not build ends the comparison with what the build said, and no tree is left', () => {
    commit(`console.error('no such type'); process.exit(3);`);
    const { status, stdout, stderr } = started('bench/compare', 'HEAD', 'HEAD', 'overlap');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('no such type');
    expect(worktrees()).toBe(1);
    expect(leftOvers()).toBe('');
  });

  it('a case that fails in one ref is told as that, the others are taken, and the command fails', () => {
    commit(buildOf('throw new Error("does not start");'));
    const { status, stdout } = started(
      'bench/compare',
      'HEAD',
      'HEAD',
      'seq',
      'overlap',
      '--engine',
      'quickjs',
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^\| seq .*failed: .*does not start/m);
    expect(stdout).toMatch(/^\| overlap .*failed: .*does not start/m);
  });

  it('an interrupt while it builds ends it and removes the trees too', async () => {
    commit(`console.log('started'); setInterval(() => {}, 1000);`);
    const child = spawn('bench/compare', ['HEAD', 'HEAD', 'overlap'], { cwd: repository, stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (worktrees() !== 2) await nextTurn();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(worktrees()).toBe(1);
  });
});

describe('temporary work trees', () => {
  it('closing twice removes what there is once', () => {
    const trees = openTrees();
    expect(existsSync(trees.folder)).toBe(true);
    trees.close();
    trees.close();
    expect(existsSync(trees.folder)).toBe(false);
  });
});
