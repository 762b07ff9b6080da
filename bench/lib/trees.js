import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Stands for this tree as it is, with what is not committed. */
const HERE = '.';

const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/**
 * The commit of a ref, or `.` itself.
 *
 * @throws {Error} when there is no such commit, or no git
 */
export function commitOf(ref) {
  if (ref === HERE) return HERE;
  const { status, stdout, error } = git(
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  );
  if (error !== undefined) throw new Error(`Cannot compare "${ref}": ${error.message}`);
  if (status !== 0)
    throw new Error(`Cannot compare "${ref}": wanted a commit, branch or tag of this repository, or .`);
  return stdout.trim();
}

/** Runs to the end, or until `running` is told to stop. */
function run(command, args, cwd, running) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        out += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => {
      running.delete(child);
      if (status === 0) resolve(out);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${status}:\n${out.trim()}`));
    });
  });
}

/**
 * Opens temporary work trees. `close` removes all of them and may be called at any time, also twice.
 *
 * @example
 * const trees = openTrees();
 * const { entry } = await trees.built('main');
 * trees.close();
 */
export function openTrees() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-compare-'));
  const added = new Set();
  const running = new Set();
  let isClosed = false;
  return {
    folder,

    /** Checks a ref out, links the installed packages and builds; settles with the URL of its entry. */
    async built(ref, name) {
      const commit = commitOf(ref);
      const tree = commit === HERE ? ROOT : join(folder, name);
      if (commit !== HERE) {
        added.add(tree);
        await run('git', ['worktree', 'add', '--detach', '--quiet', tree, commit], ROOT, running);
        symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'), 'dir');
      }
      await run('npm', ['run', '--silent', 'build'], tree, running);
      const lockFile = (at) => {
        const file = join(at, 'package-lock.json');
        return existsSync(file) ? readFileSync(file, 'utf8') : '';
      };
      return {
        commit,
        entry: pathToFileURL(join(tree, 'dist', 'index.js')).href,
        hasOtherPackages: lockFile(tree) !== lockFile(ROOT),
      };
    },

    close() {
      if (isClosed) return;
      isClosed = true;
      for (const child of running) child.kill();
      for (const tree of added) git('worktree', 'remove', '--force', tree);
      rmSync(folder, { recursive: true, force: true });
      git('worktree', 'prune');
    },
  };
}
