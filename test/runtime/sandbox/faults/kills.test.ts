import { getEventListeners } from 'node:events';
import { type CodeRunResult, sandboxRuntime } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import { flush } from '../../../support/gate.ts';
import { toolsOf } from '../scripted-run.ts';
import { childProcesses, holdings, leftAbove } from './leaks.ts';

/** Runs per engine; both together are those of one pass. */
const RUNS = process.env['PTC_FULL'] === '1' ? 250 : 25;
const SIGNALS = ['SIGKILL', 'SIGSEGV', 'SIGSTOP'] as const;
const ROUNDS = 4;
const LANES = 3;
const VALUE = Array.from({ length: ROUNDS * LANES }, (_, n) => n * 2);
const LOGS = Array.from({ length: ROUNDS }, (_, round) => `round ${round}`);

const PROGRAM = `const out: number[] = [];
for (let round = 0; round < ${ROUNDS}; round++) {
  const lanes = Array.from({ length: ${LANES} }, (_, lane) => tools.effect({ n: round * ${LANES} + lane }));
  out.push(...(await Promise.all(lanes)));
  let sum = 0;
  for (let i = 0; i < 100_000; i++) sum += i;
  console.log('round', round);
}
return out;`;

/** The same numbers every time; the seed is in the failure's text. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What one run did to the world. */
class Effects {
  readonly started: number[] = [];
  readonly finished: number[] = [];
  readonly #onCall: (count: number) => void;

  constructor(onCall: (count: number) => void) {
    this.#onCall = onCall;
  }

  readonly tools = toolsOf({
    effect: async (args) => {
      const { n } = args as { n: number };
      this.started.push(n);
      this.#onCall(this.started.length);
      await flush();
      this.finished.push(n);
      return n * 2;
    },
  });
}

function judge(result: CodeRunResult, { started }: Effects, signal: string): void {
  const { error, value, logs, stats } = result;
  if (error === undefined) expect(value).toEqual(VALUE);
  else expect(['sandbox-died', 'timeout', 'sandbox-unavailable'], error.message).toContain(error.kind);
  if (error?.kind === 'timeout') expect([signal, error.budget]).toEqual(['SIGSTOP', 'wall']);
  expect(logs).toEqual(LOGS.slice(0, logs.length));
  expect([...new Set(started)], 'each side effect once').toEqual(started);
  expect(stats.calls).toBe(started.length);
  const { completed = [], inFlight = [], notStarted = [] } = error?.calls ?? {};
  if (error?.calls !== undefined) {
    expect(completed.length + inFlight.length, 'each started call is told').toBe(started.length);
    expect(notStarted.map(({ n }) => n).every((n) => n > started.length)).toBe(true);
  }
}

describe.each(['isolated-vm', 'quickjs'] as const)('processes that are killed at random, %s', (engine) => {
  it(
    'M34, M40, E105: every run settles, each started call took place once, nothing is left behind, and the next run works',
    async () => {
      const before = holdings();
      const seed = 20_261_129;
      const random = randomFrom(seed);
      const runtime = sandboxRuntime({
        engine,
        minIdle: 0,
        maxProcesses: 1,
        wallMs: 4000,
        onWarning: () => {},
      });
      await runtime.warm();
      const kinds = new Map<string, number>();
      for (let n = 0; n < RUNS; n += 1) {
        // A stopped process costs the whole wall budget, so there are fewer of them.
        const signal = SIGNALS[random(12) === 0 ? 2 : random(2)]!;
        const strike = () => {
          for (const pid of childProcesses()) process.kill(pid, signal);
        };
        const at = random(ROUNDS * LANES + 1);
        let timer: NodeJS.Timeout | undefined;
        const effects = new Effects((count) => {
          if (count === at) strike();
        });
        // Moments between calls too, the boot apart: a stopped one would cost its patience.
        if (at === 0 && signal !== 'SIGSTOP') timer = setTimeout(strike, random(20));
        const controller = new AbortController();
        const result = await runtime.run({
          program: PROGRAM,
          bindings: effects.tools,
          signal: controller.signal,
        });
        clearTimeout(timer);
        judge(result, effects, signal);
        expect(getEventListeners(controller.signal, 'abort'), `seed ${seed}, run ${n}`).toEqual([]);
        const kind = result.error?.kind ?? 'value';
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        // Calls that were in flight finish by themselves.
        while (effects.finished.length < effects.started.length) await flush();
        // A signal that came with the end hits nobody's run.
        if (signal === 'SIGSTOP') for (const pid of childProcesses()) process.kill(pid, 'SIGCONT');
      }
      expect(kinds.get('sandbox-died')).toBeGreaterThan(RUNS / 4);
      expect((await runtime.run({ program: 'return 1', bindings: [] })).value).toBe(1);
      await runtime.dispose();
      expect(await leftAbove(before)).toEqual({});
    },
    RUNS * 6000,
  );
});

describe('processes that are killed while others work', () => {
  it('M34, M49: programs side by side lose their own process only, and all settle', async () => {
    const before = holdings();
    const runtime = sandboxRuntime({ minIdle: 1, maxProcesses: 2, onWarning: () => {} });
    await runtime.warm();
    const random = randomFrom(7);
    const all = Array.from({ length: 8 }, async () => {
      const at = 1 + random(ROUNDS * LANES);
      const effects = new Effects((count) => {
        const pids = childProcesses();
        if (count === at && pids.length > 0) process.kill(pids[random(pids.length)]!, 'SIGKILL');
      });
      judge(await runtime.run({ program: PROGRAM, bindings: effects.tools }), effects, 'SIGKILL');
    });
    await Promise.all(all);
    expect((await runtime.run({ program: 'return 1', bindings: [] })).value).toBe(1);
    await runtime.dispose();
    expect(await leftAbove(before)).toEqual({});
  });

  it('M3: a process that is killed while it starts is replaced, where one has started before, and its run is not refused', async () => {
    const before = holdings();
    const runtime = sandboxRuntime({ minIdle: 0, maxProcesses: 1, onWarning: () => {} });
    await runtime.warm();
    const strike = () => {
      for (const pid of childProcesses()) process.kill(pid, 'SIGKILL');
    };
    const kinds = new Set<string>();
    for (let n = 0; n < 3; n += 1) {
      strike();
      while (childProcesses().length > 0) await flush();
      // The process that ended may still count as idle: its end has not been heard yet.
      await flush();
      let isSettled = false;
      const running = runtime.run({ program: 'return 1', bindings: [] }).finally(() => {
        isSettled = true;
      });
      while (!isSettled && childProcesses().length === 0) await flush();
      strike();
      kinds.add((await running).error?.kind ?? 'value');
    }
    expect([...kinds].filter((kind) => kind !== 'value' && kind !== 'sandbox-died')).toEqual([]);
    await runtime.dispose();
    expect(await leftAbove(before)).toEqual({});
  });
});
