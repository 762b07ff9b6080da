// What the sandbox costs, each figure beside a floor that was taken in the same run: `node bench/sandbox.js [--engine E]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxRuntime } from '../dist/index.js';
import { launchPlans, OWN_MODULES } from '../dist/runtime/sandbox/launch-plans.js';
import { resolveSandboxOptions } from '../dist/runtime/sandbox/options.js';

const { values } = parseArgs({
  options: { engine: { type: 'string' }, rounds: { type: 'string', default: '200' } },
});
const ROUNDS = Number(values.rounds);
const engines = values.engine ? [values.engine] : ['isolated-vm', 'quickjs'];
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const line = (name, value, unit, floor) =>
  console.log(
    `${name.padEnd(52)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(4)} floor ${floor.toFixed(2)}`,
  );

/** Memory that no other process shares, MiB (Linux). */
function privateMb(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  let kib = 0;
  for (const [, size] of text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)) kib += Number(size);
  return kib / 1024;
}

const children = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1')
    .split(' ')
    .filter(Boolean)
    .map(Number);

/** The floor of a round trip: a bare process that sends back what it gets. */
async function echoProcess() {
  const script = join(mkdtempSync(join(tmpdir(), 'bench-')), 'echo.cjs');
  writeFileSync(
    script,
    `const fs = require('fs'); const b = Buffer.alloc(65536);
for (;;) { const n = fs.readSync(0, b); if (n === 0) break; fs.writeSync(1, b, 0, n); }`,
  );
  const child = spawn(process.execPath, ['--no-node-snapshot', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ask = async () => {
    child.stdin.write('return 1');
    await once(child.stdout, 'data');
  };
  await ask();
  return { pid: child.pid, ask, end: () => child.kill('SIGKILL') };
}

/** A sandbox process that has said that it is ready and has seen no program: nothing that erases types is loaded. */
async function readyOnly(engine) {
  const [plan] = launchPlans(resolveSandboxOptions({ engine }), OWN_MODULES);
  const child = spawn(plan.command, plan.args, { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
  await once(child.stdout, 'data');
  await pause(50);
  const size = privateMb(child.pid);
  child.kill('SIGKILL');
  return size;
}

async function timed(act, rounds, gapMs) {
  const taken = [];
  for (let n = 0; n < rounds; n += 1) {
    if (gapMs > 0) await pause(gapMs);
    const start = performance.now();
    await act();
    taken.push(performance.now() - start);
  }
  return median(taken);
}

for (const engine of engines) {
  console.log(`\n${engine}, Node ${process.version}`);
  const bare = await echoProcess();
  const runtime = sandboxRuntime({
    engine,
    minIdle: 0,
    maxProcesses: 1,
    recycleAfter: 100_000,
    onWarning: () => {},
  });
  await runtime.warm();
  const run = (program = 'return 1') => runtime.run({ program, bindings: [] });
  const pid = children().find((child) => child !== bare.pid);
  line('idle process: private memory, no eraser loaded', await readyOnly(engine), 'MiB', privateMb(bare.pid));
  line('idle process: private memory, eraser loaded', privateMb(pid), 'MiB', privateMb(bare.pid));
  await run('enum E { A, B } return E.B');
  await pause(50);
  line('idle process: private memory, transformer loaded', privateMb(pid), 'MiB', privateMb(bare.pid));
  for (let n = 0; n < 50; n += 1) await run();
  const before = privateMb(pid);
  const bareBefore = privateMb(bare.pid);
  for (let n = 0; n < 1000; n += 1) {
    await run();
    await bare.ask();
  }
  await pause(50);
  line('growth over 1,000 runs', privateMb(pid) - before, 'MiB', privateMb(bare.pid) - bareBefore);
  await runtime.dispose();

  // With the defaults there is a spare process: programs in a row take turns with both.
  const usual = sandboxRuntime({ engine, recycleAfter: 100_000, onWarning: () => {} });
  const runUsual = () => usual.run({ program: 'return 1', bindings: [] });
  await usual.warm();
  while (children().filter((child) => child !== bare.pid).length < 2) await runUsual();
  for (let n = 0; n < 200; n += 1) await runUsual();
  const inRow = await timed(runUsual, ROUNDS, 0);
  line('return 1, back to back', inRow, 'ms', await timed(bare.ask, ROUNDS, 0));
  line('return 1, spaced 5 ms', await timed(runUsual, ROUNDS, 5), 'ms', await timed(bare.ask, ROUNDS, 5));
  await usual.dispose();

  const spare = sandboxRuntime({
    engine,
    minIdle: 1,
    maxProcesses: 2,
    computeMs: 60_000,
    onWarning: () => {},
  });
  await spare.warm();
  const kills = [];
  const floors = [];
  for (let n = 0; n < 10; n += 1) {
    await spare.run({ program: 'return 1', bindings: [] });
    const controller = new AbortController();
    let started;
    const isStarted = new Promise((resolve) => {
      started = resolve;
    });
    const running = spare.run({
      program: 'await tools.go({}); for (;;) {}',
      bindings: [{ global: 'tools', functions: { go: async () => started() } }],
      signal: controller.signal,
    });
    await isStarted;
    // The spare one is started while the other computes.
    while (children().filter((child) => child !== bare.pid).length < 2) await pause(20);
    await pause(500);
    let start = performance.now();
    controller.abort('enough');
    await running;
    await spare.run({ program: 'return 1', bindings: [] });
    kills.push(performance.now() - start);
    start = performance.now();
    await spare.run({ program: 'return 1', bindings: [] });
    floors.push(performance.now() - start);
  }
  line('kill of a computing program to the next result', median(kills), 'ms', median(floors));
  await spare.dispose();
  bare.end();
}
console.log(
  `\nfloor: a bare process that echoes over the same pipes; of the kill, the same run without a kill`,
);
