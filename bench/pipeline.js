// What does the pipeline itself cost? Run on built code: node bench/pipeline.js [figure …]
//
// Every figure is measured in a process of its own, several times in alternating order; what is printed is the median of
// the rounds, with the best one and all of them beside it. Time is the processor time of the whole process (so that of its
// collector threads too), which does not count what else a busy machine does.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeFigures } from './lib/figures-file.js';

const ROUNDS = 5;

/** By name: what is counted, the wanted bound, and a function that measures it once. */
const FIGURES = {
  direct: { unit: 'calls/s', atLeast: 400_000, measure: () => callsPerSecond() },
  'direct, checked arguments and output': { unit: 'calls/s', measure: definedTool },
  'one listener on each waterfall': { unit: 'calls/s', measure: () => callsPerSecond({ listeners: 1 }) },
  'three listeners on each waterfall': {
    unit: 'calls/s',
    atLeast: 100_000,
    measure: () => callsPerSecond({ listeners: 3 }),
  },
  'native executor, batches of 10': { unit: 'calls/s', measure: nativeBatches },
  'validator: closed object of 5 fields': { unit: 'ns', measure: () => validatorCost('subset') },
  'the same through ajv': { unit: 'ns', measure: () => validatorCost('2020-12') },
  'snapshot, against a JSON round trip': { unit: 'of its time', atMost: 1, measure: snapshotRatio },
  'frozen snapshot': { unit: 'µs per KB', measure: () => perKilobyte('frozenSnapshot') },
};

function report(names) {
  const rounds = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      rounds.get(name).push(inOwnProcess(name));
  }
  let failed = 0;
  const figures = [];
  for (const [name, raw] of rounds) {
    const { unit, atLeast, atMost } = FIGURES[name];
    const sorted = raw.toSorted((a, b) => a - b);
    const median = sorted[(ROUNDS - 1) / 2];
    const best = atMost === undefined && unit === 'calls/s' ? sorted.at(-1) : sorted[0];
    const isMet = (atLeast === undefined || median >= atLeast) && (atMost === undefined || median <= atMost);
    if (!isMet) failed += 1;
    figures.push({ name, unit, value: median, rounds: raw, atLeast, atMost, isMet });
    const target =
      atLeast !== undefined
        ? `at least ${format(atLeast)}`
        : atMost !== undefined
          ? `at most ${format(atMost)}`
          : 'no target';
    console.log(
      `${isMet ? ' ' : '!'} ${name.padEnd(38)} ${format(median).padStart(9)} ${unit.padEnd(12)} (${target}; best ${format(best)}; ${raw.map(format).join(', ')})`,
    );
  }
  writeFigures(figures);
  process.exitCode = failed === 0 ? 0 : 1;
}

function format(figure) {
  return figure >= 1_000 ? Math.round(figure).toLocaleString('en') : figure.toPrecision(3);
}

function inOwnProcess(name) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--measure', name],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Cannot measure "${name}": ${stderr}`);
  return Number(stdout);
}

const noop = {
  name: 'noop',
  description: 'Does nothing',
  parameters: { type: 'object' },
  output: { schema: { type: 'null' }, render: () => [{ type: 'text', text: 'done' }] },
  execute: async () => null,
  isConcurrencySafe: () => true,
};

async function service() {
  const { createTools } = await import('../dist/runtime/service/create-tools.js');
  const tools = createTools();
  tools.register(noop);
  return tools;
}

async function callsPerSecond({ listeners = 0 } = {}) {
  const tools = await service();
  for (let each = 0; each < listeners; each += 1) {
    tools.on('tools/pre-execute', async (_exec, next) => next());
    tools.on('tools/execute', async (_exec, next) => next());
    tools.on('tools/post-execute', async (_exec, _result, next) => next());
    tools.on('tools/result', () => {});
  }
  const { signal } = new AbortController();
  const run = async (count) => {
    for (let call = 0; call < count; call += 1) {
      await tools.pipeline.execute({ callId: 'call', name: 'noop', arguments: {}, signal });
    }
  };
  return perSecond(run, 20_000);
}

async function definedTool() {
  const { createTools } = await import('../dist/runtime/service/create-tools.js');
  const { defineTool } = await import('../dist/runtime/tools/define-tool.js');
  const tools = createTools();
  tools.register(
    defineTool({
      name: 'stat',
      description: 'Describes a file',
      parameters: { path: { type: 'string', required: true }, follow: { type: 'boolean' } },
      output: {
        schema: {
          type: 'object',
          properties: {
            path: { type: 'string', required: true },
            bytes: { type: 'integer', required: true },
          },
          additionalProperties: false,
        },
        render: (_, { path, bytes }) => [{ type: 'text', text: `${path}: ${bytes} bytes` }],
      },
      execute: async ({ path }) => ({ path, bytes: 120 }),
    }),
  );
  const { signal } = new AbortController();
  return perSecond(async (count) => {
    for (let call = 0; call < count; call += 1) {
      await tools.pipeline.execute({
        callId: 'call',
        name: 'stat',
        arguments: { path: '/a/b.txt', follow: true },
        signal,
      });
    }
  }, 20_000);
}

async function nativeBatches() {
  const { nativeExecutor } = await import('../dist/runtime/executor/native-executor.js');
  const tools = await service();
  tools.setExecutor(nativeExecutor());
  const { signal } = new AbortController();
  const calls = Array.from({ length: 10 }, (_, index) => ({
    callId: `call_${index}`,
    name: 'noop',
    arguments: '{}',
  }));
  return perSecond(async (count) => {
    for (let call = 0; call < count; call += calls.length) await tools.execute({ calls, signal });
  }, 10_000);
}

const record = () => ({ path: '/a/b.txt', bytes: 120, ok: true, tags: ['x', 'y'], owner: null });

async function validatorCost(dialect) {
  const { schemaValidator } = await import('../dist/runtime/schema/schema-validator.js');
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      bytes: { type: 'integer' },
      ok: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      owner: { type: 'null' },
    },
    required: ['path', 'bytes', 'ok'],
    additionalProperties: false,
  };
  const value = record();
  return (
    1e9 /
    (await perSecond(
      (count) => repeat(count, () => schemaValidator(schema, dialect)(value, 'value')),
      20_000,
    ))
  );
}

/** About 10 KB of JSON text. */
const table = () => ({ rows: Array.from({ length: 130 }, record) });

async function perKilobyte(name) {
  const json = await import('../dist/runtime/core/json.js');
  const value = table();
  const kilobytes = JSON.stringify(value).length / 1024;
  return 1e6 / (await perSecond((count) => repeat(count, () => json[name](value)), 500)) / kilobytes;
}

async function snapshotRatio() {
  const { snapshotJsonValue } = await import('../dist/runtime/core/json.js');
  const value = table();
  const snapshot = await perSecond((count) => repeat(count, () => snapshotJsonValue(value)), 500);
  const roundTrip = await perSecond((count) => repeat(count, () => JSON.parse(JSON.stringify(value))), 500);
  return roundTrip / snapshot;
}

async function repeat(count, run) {
  for (let each = 0; each < count; each += 1) run();
}

/** Warms up, then takes the best of several short runs. */
async function perSecond(run, count) {
  await run(count * 2);
  let best = 0;
  for (let round = 0; round < 10; round += 1) {
    const start = process.cpuUsage();
    await run(count);
    const { user, system } = process.cpuUsage(start);
    best = Math.max(best, (count * 1e6) / (user + system));
  }
  return best;
}

const wanted = process.argv.slice(2);
if (wanted[0] === '--measure') {
  console.log(await FIGURES[wanted[1]].measure());
} else {
  report(wanted.length === 0 ? Object.keys(FIGURES) : wanted);
}
