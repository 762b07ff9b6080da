import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScheduledEntry, Ticket } from '#dist/runtime/executor/scheduled-entry.js';
import { Scheduler } from '#dist/runtime/executor/scheduler.js';

type Stage =
  | 'unsubmitted'
  | 'queued'
  | 'starting'
  | 'running'
  | 'settled'
  | 'committing'
  | 'closed'
  | 'taken';

interface Plan {
  readonly exclusive: boolean;
  readonly hasBody: boolean;
  readonly lane: number;
  readonly startsAtOnce: boolean;
  readonly commitsAtOnce: boolean;
  readonly fails: 'never' | 'start' | 'run' | 'commit';
}

/** What an entry waits for; letting it go is when its part settles, for the model and for the scheduler alike. */
type Pending = () => void;

const LANE_MAX = 2;
const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Plays a schedule: every part of every entry waits until the test lets it go; every step is checked by a naive model. */
class Harness {
  readonly entries: Observed[];
  readonly settleOrder: number[] = [];
  readonly commitOrder: number[] = [];
  readonly startOrder: number[] = [];
  /** What an entry saw: an assertion inside a part would only be one more failure to the scheduler. */
  readonly breaches: string[] = [];
  readonly scheduler: Scheduler;
  /** Several things settle in one turn: the model knows of all at once, the scheduler of one after the other. */
  isBurst = false;
  /** From then on the order of what settled together is the scheduler's to say. */
  hadBurst = false;
  mayStart = true;
  isStopped = false;
  firstFailure: string | undefined;
  rest: ScheduledEntry[] = [];

  constructor(
    plans: readonly Plan[],
    readonly cap: number,
    readonly order: 'submission' | 'settled',
  ) {
    this.scheduler = new Scheduler({
      maxParallel: cap,
      commitOrder: order,
      mayStart: () => this.mayStart,
    });
    this.entries = plans.map((plan, index) => new Observed(this, plan, index));
  }

  at(...stages: Stage[]): Observed[] {
    return this.entries.filter((entry) => stages.includes(entry.stage));
  }

  fail(entry: Observed, part: string): Error {
    this.firstFailure ??= `${part} ${entry.index}`;
    this.isStopped = true;
    entry.stage = 'closed';
    return new Error(`${part} ${entry.index}`);
  }

  breach(text: string): void {
    if (!this.isBurst) this.breaches.push(text);
  }

  submit(entry: Observed): void {
    if (this.isStopped) return;
    entry.stage = 'queued';
    entry.ticket = this.scheduler.submit(entry);
  }

  /** Which entry the rules want to commit next, if any. */
  nextCommit(): Observed | undefined {
    if (this.at('committing').length > 0) return undefined;
    if (this.order === 'settled') {
      const index = this.settleOrder.find((i) => this.entries[i]!.stage === 'settled');
      return index === undefined ? undefined : this.entries[index];
    }
    const first = this.at('starting', 'running', 'settled', 'committing')[0];
    return first?.stage === 'settled' ? first : undefined;
  }

  /** Which entry the rules want to start now, if any. */
  nextStart(): Observed | undefined {
    const head = this.at('queued')[0];
    if (head === undefined || this.isStopped || !this.mayStart) return undefined;
    if (this.at('starting', 'committing').length > 0 || this.nextCommit() !== undefined) return undefined;
    const open = this.at('running', 'settled');
    if (open.some((entry) => entry.startedExclusive)) return undefined;
    const bodies = this.at('running');
    if (bodies.length >= this.cap) return undefined;
    if (head.exclusiveNow) return open.length === 0 ? head : undefined;
    const sameLane = bodies.filter((entry) => head.plan.lane > 0 && entry.plan.lane === head.plan.lane);
    return sameLane.length < LANE_MAX ? head : undefined;
  }

  /** What must hold whenever nothing more happens by itself. */
  check(): void {
    expect(this.breaches).toEqual([]);
    expect(this.nextCommit()?.index, 'an entry could commit and does not').toBeUndefined();
    expect(this.nextStart()?.index, 'an entry could start and does not').toBeUndefined();
    expect(this.at('committing').length).toBeLessThanOrEqual(1);
    expect(this.at('running').length).toBeLessThanOrEqual(this.cap);
    expect([this.scheduler.queued, this.scheduler.open, this.scheduler.bodies]).toEqual([
      this.isStopped && this.firstFailure === undefined ? 0 : this.at('queued').length,
      this.at('starting', 'running', 'settled', 'committing').length,
      this.at('running').length,
    ]);
  }
}

class Observed implements ScheduledEntry {
  stage: Stage = 'unsubmitted';
  pending: Pending | undefined;
  ticket: Ticket | undefined;
  exclusiveNow: boolean;
  startedExclusive = false;
  starts = 0;
  commits = 0;

  constructor(
    readonly harness: Harness,
    readonly plan: Plan,
    readonly index: number,
  ) {
    this.exclusiveNow = plan.exclusive;
  }

  mode() {
    return this.exclusiveNow ? ('exclusive' as const) : ('parallel' as const);
  }

  limit() {
    return this.plan.lane === 0 ? undefined : { key: this.plan.lane, max: LANE_MAX };
  }

  start() {
    const { harness } = this;
    if (harness.nextStart() !== this) harness.breach(`entry ${this.index} starts against the rules`);
    this.starts += 1;
    harness.startOrder.push(this.index);
    this.startedExclusive = this.exclusiveNow;
    this.stage = 'starting';
    if (this.plan.fails === 'start') throw harness.fail(this, 'start');
    if (this.plan.startsAtOnce) return this.#started();
    return new Promise<boolean>((resolve) => {
      this.pending = () => resolve(this.#started());
    });
  }

  run() {
    this.stage = 'running';
    return this.#part('run', () => this.#settle());
  }

  commit() {
    const { harness } = this;
    const due = harness.nextCommit();
    const isDue = harness.hadBurst && harness.order === 'settled' ? due !== undefined : due === this;
    if (!isDue) harness.breach(`entry ${this.index} commits against the rules`);
    this.commits += 1;
    harness.commitOrder.push(this.index);
    this.stage = 'committing';
    const part = this.#part('commit', () => {
      this.stage = 'closed';
    });
    if (this.plan.commitsAtOnce) this.takePending()?.();
    return part;
  }

  takePending(): Pending | undefined {
    const { pending } = this;
    this.pending = undefined;
    return pending;
  }

  #started(): boolean {
    if (this.harness.firstFailure !== undefined) this.stage = 'closed';
    else if (this.plan.hasBody) this.stage = 'running';
    else this.#settle();
    return this.plan.hasBody;
  }

  #part(name: 'run' | 'commit', done: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending = () => {
        if (this.plan.fails === name) return reject(this.harness.fail(this, name));
        done();
        resolve();
      };
    });
  }

  #settle(): void {
    this.stage = 'settled';
    this.harness.settleOrder.push(this.index);
  }
}

const plan = (failures: readonly Plan['fails'][]) =>
  fc.record({
    exclusive: fc.nat(3).map((n) => n === 0),
    hasBody: fc.nat(5).map((n) => n > 0),
    lane: fc.nat(2),
    startsAtOnce: fc.boolean(),
    commitsAtOnce: fc.boolean(),
    fails: fc.constantFrom(...failures),
  });

const move = fc.record({
  kind: fc.constantFrom('submit', 'submit', 'go', 'go', 'go', 'go', 'take back', 'flip', 'hold', 'burst'),
  pick: fc.nat(1000),
});

async function play(
  harness: Harness,
  moves: readonly { kind: string; pick: number }[],
  stopAt: number,
): Promise<void> {
  const go = (pick: number) => {
    const waiting = harness.entries.filter((entry) => entry.pending !== undefined);
    waiting[pick % Math.max(waiting.length, 1)]?.takePending()?.();
  };
  const submitNext = () => {
    const next = harness.at('unsubmitted')[0];
    if (next !== undefined) harness.submit(next);
  };
  for (const [step, { kind, pick }] of moves.entries()) {
    if (step === stopAt && !harness.isStopped) {
      harness.rest = harness.scheduler.stop();
      harness.isStopped = true;
      expect(harness.rest).toEqual(harness.at('queued'));
      for (const entry of harness.at('queued')) entry.stage = 'taken';
    }
    const queued = harness.at('queued');
    const target = queued[pick % Math.max(queued.length, 1)];
    if (kind === 'submit') submitNext();
    if (kind === 'go') go(pick);
    if (kind === 'burst') {
      submitNext();
      submitNext();
      harness.isBurst = true;
      harness.hadBurst = true;
      go(pick);
      go(pick + 1);
    }
    if (kind === 'take back' && target !== undefined) {
      // The stage first: taking one back may let the next start on the spot.
      target.stage = 'taken';
      expect(harness.scheduler.withdraw(target.ticket!)).toBe(true);
    }
    if (kind === 'flip' && target !== undefined) {
      target.exclusiveNow = !target.exclusiveNow;
      harness.scheduler.wake();
    }
    if (kind === 'hold') {
      harness.mayStart = !harness.mayStart;
      harness.scheduler.wake();
    }
    await flush();
    harness.isBurst = false;
    harness.check();
  }
  harness.mayStart = true;
  harness.scheduler.wake();
  if (!harness.isStopped) while (harness.at('unsubmitted').length > 0 && !harness.isStopped) submitNext();
  const idle = harness.scheduler.idle().then(
    () => 'idle',
    (error: Error) => error.message,
  );
  for (let turns = 0; turns < 10 * harness.entries.length + 10; turns += 1) {
    await flush();
    harness.check();
    go(turns);
  }
  expect(await idle).toBe(harness.firstFailure ?? 'idle');
}

function checkEnd(harness: Harness): void {
  const { entries, startOrder, commitOrder, settleOrder } = harness;
  expect(startOrder).toEqual([...startOrder].sort((a, b) => a - b));
  for (const entry of entries) {
    expect(entry.starts).toBe(startOrder.includes(entry.index) ? 1 : 0);
    expect(entry.commits).toBeLessThanOrEqual(1);
  }
  const ordered =
    harness.hadBurst && harness.order === 'settled'
      ? commitOrder
      : harness.order === 'submission'
        ? [...commitOrder].sort((a, b) => a - b)
        : settleOrder.filter((i) => commitOrder.includes(i));
  expect(commitOrder).toEqual(ordered);
  if (harness.firstFailure !== undefined) return;
  // Each started exactly once settled; each submitted either started, was taken back, or was handed back by the stop.
  expect([...commitOrder].sort((a, b) => a - b)).toEqual(startOrder);
  expect(harness.at('queued', 'starting', 'running', 'settled', 'committing')).toEqual([]);
}

describe('Scheduler against a naive model', () => {
  for (const order of ['submission', 'settled'] as const) {
    it(`N10, N12, N14, C35, C36, C37, C41: random schedules in ${order} order start, commit and wake by the rules`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(plan(['never']), { minLength: 1, maxLength: 14 }),
          fc.integer({ min: 1, max: 4 }),
          fc.array(move, { maxLength: 40 }),
          fc.option(fc.nat(60), { nil: -1 }),
          async (plans, cap, moves, stopAt) => {
            const harness = new Harness(plans, cap, order);
            await play(harness, moves, stopAt);
            checkEnd(harness);
          },
        ),
        { numRuns: 250 },
      );
    });

    it(`N24, E72: random failures in ${order} order stop starts, drain, and surface the first`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(plan(['never', 'never', 'never', 'start', 'run', 'commit']), {
            minLength: 1,
            maxLength: 14,
          }),
          fc.integer({ min: 1, max: 4 }),
          fc.array(move, { maxLength: 30 }),
          async (plans, cap, moves) => {
            const harness = new Harness(plans, cap, order);
            // Of two failures in one turn nobody can say which was first.
            await play(
              harness,
              moves.filter(({ kind }) => kind !== 'burst'),
              -1,
            );
            checkEnd(harness);
          },
        ),
        { numRuns: 150 },
      );
    });
  }
});
