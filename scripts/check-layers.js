// Fails when an import goes against the arrows of docs/architecture.md, when files form a cycle, or when a source file is too long.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const MAX_LINES = 300;

/** For each room, the rooms its files may import besides itself. The most specific room wins. */
const ARROWS = {
  'runtime/core': [],
  'runtime/schema': ['runtime/core'],
  'runtime/contract': ['runtime/schema', 'runtime/core'],
  'runtime/tools': ['runtime/contract', 'runtime/schema', 'runtime/core'],
  'runtime/pipeline': ['runtime/tools', 'runtime/contract', 'runtime/schema', 'runtime/core'],
  'runtime/executor': [
    'runtime/pipeline',
    'runtime/tools',
    'runtime/contract',
    'runtime/schema',
    'runtime/core',
  ],
  'runtime/service': [
    'runtime/executor',
    'runtime/pipeline',
    'runtime/tools',
    'runtime/contract',
    'runtime/schema',
    'runtime/core',
  ],
  'runtime/sandbox': ['runtime/core', 'runtime/contract'],
  runtime: ['runtime/*'],
  'sdk-gen': ['runtime/core', 'runtime/schema', 'runtime/contract'],
  bridge: ['runtime', 'runtime/*', 'sdk-gen'],
  policies: ['runtime', 'runtime/*'],
  adapters: ['runtime', 'runtime/*', 'bridge', 'sdk-gen'],
  cli: ['runtime', 'runtime/*', 'bridge', 'sdk-gen', 'policies', 'adapters', '.'],
  '.': ['runtime', 'runtime/*', 'bridge', 'sdk-gen', 'policies'],
};

const rooms = Object.keys(ARROWS).sort((a, b) => b.length - a.length);
const roomOf = (file) => rooms.find((room) => file.startsWith(`${room}/`)) ?? '.';

const sources = (dir) => {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
};

const files = [
  'index.ts',
  ...['runtime', 'bridge', 'sdk-gen', 'policies', 'adapters', 'cli'].flatMap(sources),
];
const known = new Set(files);
const problems = [];
const edges = new Map();

for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES)
    problems.push(`${file} has ${lines} lines, at most ${MAX_LINES} are wanted: split it`);
  const targets = [];
  const statements = text.matchAll(
    /(?:(import\s+type|export\s+type)\s[^;]*?from\s+|from\s+|import\s*\(\s*|import\s+)'(\.[^']+)'/g,
  );
  for (const match of statements) {
    const target = normalize(join(dirname(file), match[2])).replace(/\.js$/, '.ts');
    if (!known.has(target)) continue;
    // Types are erased, so they cannot form a cycle at run time; they obey the arrows all the same.
    if (!match[1]) targets.push(target);
    const from = roomOf(file);
    const to = roomOf(target);
    const allowed = ARROWS[from];
    const isAllowed =
      from === to ||
      allowed.some((room) => room === to || (room.endsWith('/*') && to.startsWith(room.slice(0, -1))));
    if (!isAllowed) problems.push(`${file} imports ${target}: the arrow ${from} -> ${to} is not allowed`);
    const isOwnIndex = target.endsWith('/index.ts') && dirname(file).startsWith(dirname(target));
    if (isOwnIndex)
      problems.push(`${file} imports its own folder's ${target}: import the file that defines the name`);
  }
  edges.set(file, targets);
}

const state = new Map();
const visit = (file, path) => {
  if (state.get(file) === 'done') return;
  if (state.get(file) === 'open') {
    problems.push(`imports form a cycle: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`);
    return;
  }
  state.set(file, 'open');
  for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
  state.set(file, 'done');
};
for (const file of files) visit(file, []);

if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
console.log(`layers: ${files.length} files, every arrow allowed, no cycle, no file over ${MAX_LINES} lines`);
