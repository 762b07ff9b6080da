// Runs good and hostile programs on both engines while sandbox processes are killed at random, and judges every result.
// `npm run soak -- --minutes 5 [--seed N]`; exit code 1 when a result was wrong, a side effect doubled, or something leaked.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxRuntime } from '../dist/index.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
const endAt = performance.now() + Number(values.minutes) * 60_000;
const FIXTURES = join(import.meta.dirname, '../test/fixtures');
/** Ends that a killed process explains. */
const KILLED = new Set(['sandbox-died', 'sandbox-unavailable']);
/** Runs at once per engine. */
const LANES = 2;
/** One run in so many is struck by a signal. */
const STRIKE_IN = 5;

let state = Number(values.seed) >>> 0;
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const good = [
  (n) => ({ program: `return ${n} * 2`, value: n * 2 }),
  (n) => ({
    program: `const x: number = ${n}; console.log('x', x); return { x, list: [x, null] }`,
    value: { x: n, list: [n, null] },
  }),
  (n) => ({
    program: `return await Promise.all([0, 1, 2, 3].map((i) => tools.effect({ n: ${n} + i })))`,
    value: [n, n + 1, n + 2, n + 3],
  }),
  (n) => ({
    program: `let sum = 0; for (let i = 0; i < 20; i++) sum += await tools.effect({ n: ${n} + i }); return sum`,
    value: 20 * n + 190,
  }),
  (n) => ({ program: `await new Promise((r) => setTimeout(r, 5)); return 'late ${n}'`, value: `late ${n}` }),
  (n) => ({
    program: `try { await tools.fail({}) } catch (e) { return [e.name, e.message, ${n}] }`,
    value: ['ToolCallError', 'no', n],
  }),
  (n) => ({
    program: `const a = []; for (let i = 0; i < 50_000; i++) a.push((i * 7919) % 50_021); a.sort((x, y) => x - y); return a[0] + ${n}`,
    value: n,
  }),
];
const hostile = ['hostile', 'attacks'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder)).map((file) => ({
    file,
    program: readFileSync(join(FIXTURES, folder, file), 'utf8').replace(/^\/\*[\s\S]*?\*\/\n/, ''),
  })),
);

/** Pids of this process's children. */
function children() {
  try {
    const text = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    try {
      return execFileSync('pgrep', ['-P', String(process.pid)], { encoding: 'latin1' })
        .split('\n')
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  }
}

const counts = { runs: 0, values: 0, strikes: 0, wrong: 0, doubled: 0, leaks: 0 };
const failures = new Map();
const problems = [];
const seen = new Set();
let peakMb = 0;
const complain = (kind, text) => {
  counts[kind] += 1;
  if (problems.length < 20) problems.push(`${kind}: ${text}`);
};
const look = () => {
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 2 ** 20);
  for (const pid of children()) seen.add(pid);
};

function bindings(effects) {
  const functions = {
    effect: async ({ n }) => {
      effects.set(n, (effects.get(n) ?? 0) + 1);
      return n;
    },
    fail: () => Promise.reject(new Error('no')),
    add: async ({ a, b }) => a + b,
    echo: async (args) => args,
  };
  const errorClass = { name: 'ToolCallError', memberNameProperty: 'toolName' };
  return [{ global: 'tools', functions, errorClass }];
}

async function once(runtime, engine) {
  const isHostile = random(4) === 0;
  const n = random(1000);
  const chosen = isHostile ? hostile[random(hostile.length)] : good[random(good.length)](n);
  const effects = new Map();
  if (random(STRIKE_IN) === 0) {
    counts.strikes += 1;
    setTimeout(() => {
      const pids = children();
      if (pids.length > 0) process.kill(pids[random(pids.length)], random(2) === 0 ? 'SIGKILL' : 'SIGSEGV');
    }, random(30));
  }
  const { error, value } = await runtime.run({ program: chosen.program, bindings: bindings(effects) });
  counts.runs += 1;
  if (error === undefined) counts.values += 1;
  else failures.set(error.kind, (failures.get(error.kind) ?? 0) + 1);
  const name = `${engine}, ${isHostile ? chosen.file : chosen.program}`;
  if ([...effects.values()].some((times) => times > 1)) complain('doubled', name);
  if (isHostile) return;
  if (error !== undefined && !KILLED.has(error.kind))
    complain('wrong', `${name}: ${error.kind} ${error.message}`);
  if (error === undefined && JSON.stringify(value) !== JSON.stringify(chosen.value)) {
    complain('wrong', `${name}: ${JSON.stringify(value)}`);
  }
}

const held = () => ({
  children: children().length,
  descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  timers: process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length,
});

/** What each open descriptor leads to. */
function openFiles() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [`${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`];
    } catch {
      // The listing itself.
      return [];
    }
  });
}

// What Node opens once, with the first process, is no leak.
const first = sandboxRuntime({ onWarning: () => {} });
await first.run({ program: 'return 1', bindings: [] });
await first.dispose();
const before = held();
const openBefore = openFiles();
const watch = setInterval(look, 100);
const runtimes = ['isolated-vm', 'quickjs'].map((engine) => [
  engine,
  sandboxRuntime({
    engine,
    computeMs: 1000,
    wallMs: 30_000,
    memoryMb: 64,
    maxProcesses: 2,
    onWarning: () => {},
  }),
]);
await Promise.all(runtimes.map(([, runtime]) => runtime.warm()));
globalThis.gc?.();
const startMb = process.memoryUsage.rss() / 2 ** 20;
await Promise.all(
  runtimes.flatMap(([engine, runtime]) =>
    Array.from({ length: LANES }, async () => {
      while (performance.now() < endAt) await once(runtime, engine);
    }),
  ),
);
for (const [engine, runtime] of runtimes) {
  const { value } = await runtime.run({ program: 'return 1', bindings: [] });
  if (value !== 1) complain('wrong', `${engine}: the last program`);
  await runtime.dispose();
}
clearInterval(watch);
// Strikes that were still to come, and the ends of what was closed.
await new Promise((resolve) => setTimeout(resolve, 500));
globalThis.gc?.();
const after = held();
for (const [name, count] of Object.entries(after)) {
  if (count > before[name]) complain('leaks', `${count - before[name]} ${name}`);
}
for (const file of counts.leaks > 0 ? openFiles() : []) {
  if (!openBefore.includes(file)) problems.push(`open: ${file}`);
}
const finalMb = process.memoryUsage.rss() / 2 ** 20;
const byKind = [...failures].sort().map(([kind, count]) => `${kind} ${count}`);
console.log(`runs ${counts.runs} (${counts.values} values), strikes ${counts.strikes}, respawns ${Math.max(0, seen.size - 2)}
failures by kind: ${byKind.join(', ')}
host memory: ${startMb.toFixed(0)} MiB at the start, peak ${peakMb.toFixed(0)}, final ${finalMb.toFixed(0)}
leaks ${counts.leaks}, wrong results ${counts.wrong}, doubled side effects ${counts.doubled}`);
for (const problem of problems) console.log(`  ${problem}`);
process.exit(counts.leaks + counts.wrong + counts.doubled > 0 ? 1 : 0);
