import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ptcExecutor } from '#dist/bridge/index.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { fakeRuntime, type Play } from '../support/fake-runtime.ts';
import { flush } from '../support/gate.ts';
import { makeTool } from '../support/make-tool.ts';
import { type RecordingAgent, recordingAgent } from '../support/recording-agent.ts';

const RUNS = 200;

interface Script {
  /** What the program does one after the other: a group of calls made together. */
  readonly groups: readonly (readonly ('read' | 'write' | 'fail' | 'hang')[])[];
  /** After how many turns of the loop the caller aborts; above 20 only when it hangs. */
  readonly abortAfter: number;
  readonly forgetsLast: boolean;
  readonly throwsAtEnd: boolean;
}

const script: fc.Arbitrary<Script> = fc.record({
  groups: fc.array(
    fc.array(fc.constantFrom('read', 'read', 'write', 'fail', 'hang'), { minLength: 1, maxLength: 5 }),
    { minLength: 1, maxLength: 4 },
  ),
  abortAfter: fc.nat(40),
  forgetsLast: fc.boolean(),
  throwsAtEnd: fc.boolean(),
});

const playOf =
  ({ groups, forgetsLast, throwsAtEnd }: Script): Play =>
  async ({ tools }) => {
    for (const [i, group] of groups.entries()) {
      const calls = group.map((name, k) => tools[name]!({ i, k }).catch(() => 'failed'));
      if (forgetsLast && i === groups.length - 1) break;
      // A hanging call ends with the run only, so a program does not wait for one.
      await Promise.all(calls.filter((_, k) => group[k] !== 'hang'));
    }
    if (throwsAtEnd) throw new Error('at the end');
    return 'done';
  };

/** Counts every start and end of one agent, and checks that they pair up. */
function checkLog(agent: RecordingAgent): Set<string> {
  const started = agent.of('tool/ptc-dispatch-start').map((payload) => String(payload['subCallId']));
  const ended = agent.of('tool/ptc-dispatch').map((payload) => String(payload['subCallId']));
  expect(new Set(started).size).toBe(started.length);
  expect([...ended].sort()).toEqual([...started].sort());
  const order = started.map((id) => Number(id.split(':ptc:')[1]));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  return new Set(started);
}

describe('two hundred programs at once', () => {
  it('C35, C42, C60, C61: every start is settled once, every effect happens once, and nothing is left behind', async () => {
    const scripts = fc.sample(script, { numRuns: RUNS, seed: 20_240_817 });
    const tools = createTools({ onWarning: (message) => warnings.push(message) });
    const warnings: string[] = [];
    const bodies: string[] = [];
    const effects: string[] = [];
    let open = 0;
    let peak = 0;
    const body = (name: string, settle: () => Promise<unknown>) =>
      makeTool(name, {
        output: { schema: {}, render: () => [] },
        isConcurrencySafe: () => name !== 'write',
        execute: async (_, exec) => {
          bodies.push(exec.callId);
          open += 1;
          peak = Math.max(peak, open);
          try {
            if (name === 'hang') return await untilAborted(exec.signal);
            await settle();
            effects.push(exec.callId);
            return name;
          } finally {
            open -= 1;
          }
        },
      });
    tools.register(body('read', flush));
    tools.register(body('write', flush));
    tools.register(
      body('fail', async () => {
        await flush();
        throw new Error('failed');
      }),
    );
    tools.register(body('hang', flush));
    const runtime = fakeRuntime(Object.fromEntries(scripts.map((one, i) => [`run ${i}`, playOf(one)])));
    tools.setExecutor(ptcExecutor({ runtime, maxParallelSubCalls: 3 }));

    const runs = scripts.map(({ abortAfter }, i) => {
      const agent = recordingAgent(`agent ${i}`);
      const controller = new AbortController();
      const outcome = tools.execute({
        calls: [
          {
            callId: toolCallId(`c${i}`),
            name: 'run_code',
            arguments: JSON.stringify({ code: `run ${i}`, description: 'one of many' }),
          },
        ],
        signal: controller.signal,
        agent,
        log: { turn: 1, step: 1 },
      });
      return { agent, controller, outcome, abortAfter };
    });
    for (let turn = 0; turn <= 20; turn += 1) {
      for (const { controller, abortAfter } of runs)
        if (abortAfter === turn) controller.abort(new Error('stop'));
      await flush();
    }
    // Who waits for an exclusive call behind one that hangs waits for ever: they are given up at last.
    for (let turn = 0; turn < 60; turn += 1) await flush();
    for (const { controller } of runs) controller.abort(new Error('stop'));
    const results = await Promise.all(runs.map(({ outcome }) => outcome));

    const codes = results.map(({ results: [only] }) => only!.result.error?.info?.code ?? 'ok');
    const started = new Set<string>();
    for (const { agent } of runs) {
      for (const id of checkLog(agent)) started.add(id);
      expect(agent.of('tool/call').length).toBe(1);
      expect(agent.of('tool/result').length).toBe(1);
    }
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(new Set(effects).size).toBe(effects.length);
    expect(bodies.filter((id) => !started.has(id))).toEqual([]);
    expect([open, warnings]).toEqual([0, []]);
    expect(peak).toBeGreaterThan(RUNS / 2);
    // The sample has them all: successes, failures, and aborts before and after the start.
    expect(new Set(codes)).toEqual(new Set(['ok', 'CODE_RUN_FAILED', 'ABORTED_BEFORE_DISPATCH']));
  });
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
