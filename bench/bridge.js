// What sub-dispatch costs above its floor: `node --no-node-snapshot bench/bridge.js [process|in-process]`.
// The floor is the bare transport with frames of the same sizes, plus the pipeline alone for the same calls, taken in the
// same run and in turn with the figure. Ratios near 1 mean that the bridge itself costs little.
import { performance } from 'node:perf_hooks';
import { createTools, defineTool, toolCallId } from 'ptc-runtime';
import { bareIsolate, bareProcess } from './lib/bare-transport.js';
import { programs } from './lib/programs.js';
import { quantile } from './lib/statistics.js';
import { bigValue, openSystem } from './lib/systems.js';

const placement = process.argv[2] ?? 'process';
const engine = process.argv[3] ?? 'isolated-vm';
const ROUNDS = 9;
const CALLS = 2000;
/** Calls that a guest has in flight at once. */
const BATCH = 128;

const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const tools = createTools();
for (const [name, execute] of [
  ['echo', async (args) => args],
  ['big', async () => bigValue()],
]) {
  tools.register(
    defineTool({
      name,
      description: name,
      parameters: { i: { type: 'number' } },
      output: { schema: { type: 'json' }, render: () => [{ type: 'text', text: 'value' }] },
      isConcurrencySafe: () => true,
      execute,
    }),
  );
}
const signal = new AbortController().signal;
let calls = 0;
const pipelineCall = (name, i) => {
  calls += 1;
  return tools.pipeline.execute({ callId: toolCallId(`f${calls}`), name, arguments: { i }, signal });
};

const callText = (i) => `[${i},0,0,{"i":${i}},{"position":[2,60]}]`;
const resultText = (i) => `[${i},0,{"i":${i}}]`;
const batchOf = (size, text) => `[${Array.from({ length: size }, (_, i) => text(i)).join(',')}]`;

const bare = placement === 'process' ? bareProcess() : await bareIsolate();

async function floorSequential() {
  const up = callText(1000).length + 60;
  for (let i = 0; i < CALLS; i += 1) {
    const { value } = await pipelineCall('echo', i);
    await bare.exchange(`[${JSON.stringify([i, 0, value])}]`, up);
  }
}
async function floorParallel() {
  const up = batchOf(BATCH, callText).length;
  for (let done = 0; done < CALLS; done += BATCH) {
    const size = Math.min(BATCH, CALLS - done);
    await Promise.all(Array.from({ length: size }, (_, i) => pipelineCall('echo', i)));
    await bare.exchange(batchOf(size, resultText), up);
  }
}
async function floorPayload() {
  for (let i = 0; i < 50; i += 1) {
    const { value } = await pipelineCall('big', i);
    JSON.parse(JSON.stringify(value));
  }
}

const system = await openSystem(`${engine}/${placement}`);
const run = async (name, n) => {
  const { source, expected } = programs[name];
  const value = await system.run(source(n));
  if (value !== expected(n, bigValue)) throw new Error(`${name} returned ${value}`);
};

const figures = [
  { name: 'sequential', work: () => run('seq', CALLS), floor: floorSequential, target: 0.85 },
  { name: 'Promise.all', work: () => run('par', CALLS), floor: floorParallel, target: 0.6 },
  { name: '50 x 1 MB', work: () => run('payload', 50), floor: floorPayload, target: 0.9 },
];
console.log(
  `${engine}, ${placement}, Node ${process.version}: medians of ${ROUNDS} rounds, floor and figure in turn`,
);
for (const { name, work, floor, target } of figures) {
  await work();
  await floor();
  const taken = [];
  const floors = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await timed(floor));
    taken.push(await timed(work));
  }
  const ms = quantile(taken, 0.5);
  const floorMs = quantile(floors, 0.5);
  console.log(
    `${name.padEnd(12)} ${ms.toFixed(1).padStart(8)} ms   floor ${floorMs.toFixed(1).padStart(8)} ms   ratio ${(floorMs / ms).toFixed(2)} (target ${target})`,
  );
}
const overlap = [];
for (let round = 0; round < ROUNDS; round += 1) overlap.push(await timed(() => run('overlap', 20)));
console.log(`20 calls of a 20 ms tool: ${quantile(overlap, 0.5).toFixed(1)} ms (target 22)`);

const conc = [];
for (let round = 0; round < 5; round += 1) {
  conc.push(await timed(() => Promise.all(Array.from({ length: 20 }, () => run('seq', 100)))));
}
console.log(
  `20 programs x 100 sequential calls: ${Math.round(2_000_000 / quantile(conc, 0.5))} calls/s (target 25000)`,
);

await system.dispose();
bare.close();
process.exit(0);
