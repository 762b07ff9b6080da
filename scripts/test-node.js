// Runs the tests of the built package on another version of Node: npm run test:node -- 24 [what vitest takes]
//
// The Node comes from the registry's package node-<system>-<processor>, its tests run in a copy of this tree that is
// installed with it, so that optional packages are those that a user of that Node gets. Everything is removed at the end.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = '', ...vitestArguments] = process.argv.slice(2);
if (!/^[1-9]\d*(\.\d+){0,2}$/.test(major)) {
  console.error(`Cannot choose a Node: wanted its version, such as 24, received "${major}"`);
  process.exit(2);
}

const isWindows = process.platform === 'win32';
const system = { win32: 'win' }[process.platform] ?? process.platform;
const nodePackage = `node-${system}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), `ptc-node-${major}-`));
let running;

/** Settles with the exit code and what was printed, which is shown too unless it is only to be read. */
function run(command, args, { cwd, env = process.env, isShown = true }) {
  return new Promise((resolve, reject) => {
    // A group of its own: what a test run has started ends with it.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: !isWindows,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running = child;
    const chunks = [];
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      if (isShown) process.stdout.write(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

async function must(what, ...command) {
  const outcome = await run(...command);
  if (outcome.code !== 0) throw new Error(`Cannot ${what}: exit code ${outcome.code}`);
  return outcome.output;
}

async function fetchNode() {
  const cwd = join(folder, 'node');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${nodePackage}@${major}`];
  await must(`install "${nodePackage}@${major}"`, 'npm', args, { cwd });
  return join(cwd, 'node_modules', nodePackage);
}

async function copyTree(to) {
  const listed = await must('list the tree', 'git', ['ls-files', '-z'], { cwd: root, isShown: false });
  for (const file of listed.split('\0')) {
    // One that is deleted and not committed yet is still listed.
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(root, file), join(to, file));
  }
  for (const built of ['build', 'dist']) cpSync(join(root, built), join(to, built), { recursive: true });
  // Some tests ask for the history.
  const git = (...args) => must('keep the copy', 'git', args, { cwd: to, isShown: false });
  await git('init', '--quiet');
  await git('add', '--all');
  await git(
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@localhost',
    'commit',
    '--quiet',
    '-m',
    'the tree as it is tested',
  );
}

/** The locked packages; then isolated-vm alone as npm chooses it for this Node, since the lock file holds one version. */
async function install(cwd, env) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await must('install the tree', 'npm', ['ci', '--ignore-scripts', ...quiet], { cwd, env });
  rmSync(join(cwd, 'node_modules', 'isolated-vm'), { recursive: true, force: true });
  rmSync(join(cwd, 'node_modules', '.package-lock.json'), { force: true });
  await must('install isolated-vm', 'npm', ['install', '--no-save', '--no-package-lock', ...quiet], {
    cwd,
    env,
  });
  const manifest = join(cwd, 'node_modules', 'isolated-vm', 'package.json');
  return existsSync(manifest)
    ? `isolated-vm ${JSON.parse(readFileSync(manifest, 'utf8')).version}`
    : 'no isolated-vm';
}

async function testOnNode() {
  const home = await fetchNode();
  const node = join(home, 'bin', isWindows ? 'node.exe' : 'node');
  const cwd = join(folder, 'tree');
  await copyTree(cwd);
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    // An addon without a binary for this Node is built against the headers that come with it.
    npm_config_nodedir: home,
  };
  const engine = await install(cwd, env);
  const version = (await must('start Node', node, ['--version'], { cwd, isShown: false })).trim();
  console.log(`Node ${version}, ${engine}`);
  const { code, output } = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...vitestArguments], {
    cwd,
    env,
  });
  // A run that broke off, or never began, has no last line of its own.
  if (!/^\d+ passed, \d+ failed.*\n?$/.test(output.split('\n').filter(Boolean).at(-1) ?? ''))
    console.log('0 passed, 1 failed');
  return code;
}

function clean() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    try {
      process.kill(isWindows ? running.pid : -running.pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
    clean();
    process.exit(130);
  });
}

try {
  process.exitCode = await testOnNode();
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  clean();
}
