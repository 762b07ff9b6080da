// What do all policies together cost a call that none of them has anything to say about? Run on built code:
// node bench/policies.js [--rounds N]
//
// Each round takes both variants in fresh processes, in alternating order; time is the processor time of the whole process.
// The figure is the difference of the medians, per call, for direct calls, for calls that have a parent, and for a tool that
// declares a deadline: that one costs two abort controllers and a timer, so it has no target of its own.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFigures } from './lib/figures-file.js';

const MAX_MICROS = 25;
const CALLS = 20_000;
const WARM_UP = 4_000;

async function measure(variant, kind) {
  const { createTools, toolCallId } = await import('../dist/runtime/index.js');
  const tools = createTools();
  if (variant === 'all') await usePolicies(tools);
  tools.register(
    {
      name: 'noop',
      description: 'Does nothing.',
      parameters: { type: 'object' },
      output: { schema: { type: 'null' }, render: () => [{ type: 'text', text: 'done' }] },
      execute: async () => null,
      ...(kind === 'deadline' && { timeoutMs: 1000 }),
      isConcurrencySafe: () => true,
    },
    { kind: 'read', readOnly: true, idempotent: true, source: 'bench' },
  );
  const agent = { id: 'bench', session: { id: 'bench', append: () => ({ seq: 1 }) } };
  const { signal } = new AbortController();
  const parent = kind === 'sub-call' ? { parent: Symbol('run') } : {};
  const calls = async (count, from) => {
    for (let n = from; n < from + count; n += 1) {
      const callId = toolCallId(`c${n}`);
      // Other arguments each time, or the cache would answer.
      const result = await tools.pipeline.execute({
        callId,
        rootCallId: kind === 'sub-call' ? toolCallId('run') : callId,
        name: 'noop',
        arguments: { n },
        agent,
        signal,
        ...parent,
      });
      if (result.isError) throw new Error(result.error.message);
    }
  };
  await calls(WARM_UP, 0);
  const before = process.cpuUsage();
  await calls(CALLS, WARM_UP);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

async function usePolicies(tools) {
  const policies = await import('../dist/policies/index.js');
  const store = policies.memorySpillStore();
  policies.checkpoint(tools);
  policies.redact(tools, { patterns: [/sk-[\w-]+/], fields: ['password'] });
  policies.spill(tools, { maxInlineBytes: 16_384, store });
  policies.audit(tools, { write() {} });
  policies.rules(tools, {
    preset: 'ask-for-writes',
    rules: [{ decision: 'deny', arguments: [{ at: '$.path', path: 'secret/**' }] }],
    grants: policies.createGrants(tools),
  });
  policies.provenance(tools, { untrusted: [{ kind: 'fetch' }], sensitive: [{ tool: 'send_*' }] });
  policies.approvals(tools);
  policies.callBudget(tools, { perRun: 1e9, maxCost: 1e9 });
  policies.dryRun(tools);
  policies.cache(tools);
  policies.retry(tools);
  policies.toolTimeout(tools);
  policies.repeatReminder(tools);
}

function inOwnProcess(variant, kind) {
  const args = [fileURLToPath(import.meta.url), '--measure', variant, '--kind', kind];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot measure "${variant}": ${stderr}`);
  return Number(stdout);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const { values } = parseArgs({
  options: {
    measure: { type: 'string' },
    kind: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
});
if (values.measure !== undefined) {
  console.log(await measure(values.measure, values.kind));
} else {
  const figures = [];
  for (const kind of ['direct', 'sub-call', 'deadline']) {
    const taken = { none: [], all: [] };
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const order = round % 2 === 0 ? ['none', 'all'] : ['all', 'none'];
      for (const variant of order) taken[variant].push(inOwnProcess(variant, kind));
    }
    const more = median(taken.all) - median(taken.none);
    const raw = (numbers) => numbers.map((number) => number.toFixed(1)).join(', ');
    const isOver = kind !== 'deadline' && more > MAX_MICROS;
    if (isOver) process.exitCode = 1;
    const bound = kind === 'deadline' ? {} : { atMost: MAX_MICROS };
    figures.push({ name: kind, unit: 'µs more', value: more, rounds: taken, ...bound, isMet: !isOver });
    const target = kind === 'deadline' ? 'no target' : `at most ${MAX_MICROS}`;
    console.log(
      `${isOver ? '!' : ' '} ${kind.padEnd(9)} ${more.toFixed(1)} µs more with all policies (${target}; none ${raw(taken.none)}; all ${raw(taken.all)})`,
    );
  }
  writeFigures(figures);
}
