import { describe, expect, it } from 'vitest';
import type { LaneLimit, ScheduledEntry } from '#dist/runtime/executor/scheduled-entry.js';
import { Scheduler } from '#dist/runtime/executor/scheduler.js';

interface Gate {
  readonly promise: Promise<void>;
  open(): void;
  fail(error: unknown): void;
}

function gate(): Gate {
  let open!: () => void;
  let fail!: (error: unknown) => void;
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An entry whose every part waits for its own gate and writes a line to the log. */
class Work implements ScheduledEntry {
  prepared = gate();
  body = gate();
  committed = gate();
  hasBody = true;
  constructor(
    readonly name: string,
    readonly log: string[],
    public kind: 'parallel' | 'exclusive' = 'parallel',
    readonly lane?: LaneLimit,
  ) {
    this.prepared.open();
    this.committed.open();
  }
  mode() {
    return this.kind;
  }
  limit() {
    return this.lane;
  }
  async start() {
    this.log.push(`start ${this.name}`);
    await this.prepared.promise;
    return this.hasBody;
  }
  async run() {
    this.log.push(`run ${this.name}`);
    await this.body.promise;
  }
  async commit() {
    this.log.push(`commit ${this.name}`);
    await this.committed.promise;
    this.log.push(`closed ${this.name}`);
  }
}

function setUp(
  names: readonly string[],
  options: { maxParallel: number; commitOrder: 'submission' | 'settled' },
  kinds = '',
) {
  const log: string[] = [];
  const scheduler = new Scheduler(options);
  const works = names.map((name, i) => new Work(name, log, kinds[i] === 'x' ? 'exclusive' : 'parallel'));
  return { log, scheduler, works, submit: () => works.map((work) => scheduler.submit(work)!) };
}

describe('Scheduler', () => {
  it('N12, N15, E69: a settled entry commits before the start that takes its place', async () => {
    const { log, works, submit } = setUp(['1', '2', '3', '4'], { maxParallel: 2, commitOrder: 'submission' });
    submit();
    await flush();
    expect(log).toEqual(['start 1', 'run 1', 'start 2', 'run 2']);
    log.length = 0;
    works[0]!.body.open();
    await flush();
    expect(log).toEqual(['commit 1', 'closed 1', 'start 3', 'run 3']);
  });

  it('N14, E70: in submission order a later entry that settles first waits, yet its place is taken at once', async () => {
    const { log, works, submit } = setUp(['1', '2', '3'], { maxParallel: 2, commitOrder: 'submission' });
    submit();
    await flush();
    log.length = 0;
    works[1]!.body.open();
    await flush();
    expect(log).toEqual(['start 3', 'run 3']);
    works[2]!.body.open();
    works[0]!.body.open();
    await flush();
    expect(log.slice(2)).toEqual(['commit 1', 'closed 1', 'commit 2', 'closed 2', 'commit 3', 'closed 3']);
  });

  it('C35, C38: in settled order entries commit as their bodies settle, one at a time', async () => {
    const { log, works, submit } = setUp(['1', '2', '3'], { maxParallel: 3, commitOrder: 'settled' });
    works[2]!.committed = gate();
    submit();
    await flush();
    log.length = 0;
    works[2]!.body.open();
    await flush();
    works[1]!.body.open();
    works[0]!.body.open();
    await flush();
    expect(log).toEqual(['commit 3']);
    works[2]!.committed.open();
    await flush();
    expect(log).toEqual(['commit 3', 'closed 3', 'commit 2', 'closed 2', 'commit 1', 'closed 1']);
  });

  it('N10, C36, E76: an exclusive entry waits for every earlier commit and holds the rest until its own', async () => {
    const { log, works, submit } = setUp(['1', 'x', '2'], { maxParallel: 9, commitOrder: 'settled' }, 'pxp');
    works[0]!.committed = gate();
    works[1]!.committed = gate();
    submit();
    await flush();
    works[0]!.body.open();
    await flush();
    expect(log).toEqual(['start 1', 'run 1', 'commit 1']);
    works[0]!.committed.open();
    await flush();
    works[1]!.body.open();
    await flush();
    expect(log.slice(3)).toEqual(['closed 1', 'start x', 'run x', 'commit x']);
    works[1]!.committed.open();
    await flush();
    expect(log.slice(7)).toEqual(['closed x', 'start 2', 'run 2']);
  });

  it('N13, E77: the next start waits until the ordered part before it has settled', async () => {
    const { log, works, submit } = setUp(['1', '2'], { maxParallel: 9, commitOrder: 'settled' });
    works[0]!.prepared = gate();
    submit();
    await flush();
    expect(log).toEqual(['start 1']);
    works[0]!.prepared.open();
    await flush();
    expect(log).toEqual(['start 1', 'run 1', 'start 2', 'run 2']);
  });

  it('C38: a settled body commits while a later entry is still in its ordered part', async () => {
    const { log, works, submit } = setUp(['1', '2'], { maxParallel: 9, commitOrder: 'settled' });
    works[1]!.prepared = gate();
    submit();
    await flush();
    works[0]!.body.open();
    await flush();
    expect(log).toEqual(['start 1', 'run 1', 'start 2', 'commit 1', 'closed 1']);
  });

  it('N16: an entry without a body takes no place of the pool and commits in order', async () => {
    const { log, works, submit } = setUp(['1', '2', '3'], { maxParallel: 2, commitOrder: 'submission' });
    works[1]!.hasBody = false;
    submit();
    await flush();
    expect(log).toEqual(['start 1', 'run 1', 'start 2', 'start 3', 'run 3']);
  });

  it('N11, E67, C37: the mode is read again at the head, so an entry can turn exclusive while it waits', async () => {
    const { log, works, submit } = setUp(['1', '2', '3'], { maxParallel: 2, commitOrder: 'submission' });
    submit();
    await flush();
    works[2]!.kind = 'exclusive';
    log.length = 0;
    works[0]!.body.open();
    await flush();
    expect(log).toEqual(['commit 1', 'closed 1']);
    works[1]!.body.open();
    await flush();
    expect(log.slice(2)).toEqual(['commit 2', 'closed 2', 'start 3', 'run 3']);
  });

  it('C36: an entry whose kind is at its own cap holds those behind it', async () => {
    const log: string[] = [];
    const scheduler = new Scheduler({ maxParallel: 9, commitOrder: 'settled' });
    const lane = { key: 'slow', max: 1 };
    const works = [
      new Work('1', log, 'parallel', lane),
      new Work('2', log, 'parallel', lane),
      new Work('3', log),
    ];
    for (const work of works) scheduler.submit(work);
    await flush();
    expect(log).toEqual(['start 1', 'run 1']);
    works[0]!.body.open();
    await flush();
    expect(log.slice(2)).toEqual(['commit 1', 'closed 1', 'start 2', 'run 2', 'start 3', 'run 3']);
  });

  it('C40, C41: a condition of the owner holds every start until it wakes the scheduler', async () => {
    const log: string[] = [];
    let mayStart = false;
    const scheduler = new Scheduler({ maxParallel: 9, commitOrder: 'settled', mayStart: () => mayStart });
    scheduler.submit(new Work('1', log));
    await flush();
    expect(log).toEqual([]);
    mayStart = true;
    scheduler.wake();
    await flush();
    expect(log).toEqual(['start 1', 'run 1']);
  });

  it('N22: after a stop what has started commits, and the rest is handed back in order', async () => {
    const { log, scheduler, works, submit } = setUp(
      ['1', '2', 'x', '3'],
      { maxParallel: 1, commitOrder: 'submission' },
      'ppxp',
    );
    submit();
    await flush();
    const rest = scheduler.stop();
    const idle = scheduler.idle().then(() => log.push('idle'));
    await flush();
    expect(rest).toEqual(works.slice(1));
    works[0]!.body.open();
    await idle;
    expect(log).toEqual(['start 1', 'run 1', 'commit 1', 'closed 1', 'idle']);
    expect(scheduler.submit(works[1]!)).toBeUndefined();
  });

  it('C61: an entry taken back never starts and holds nobody', async () => {
    const { log, scheduler, works, submit } = setUp(
      ['1', 'x', '2'],
      { maxParallel: 9, commitOrder: 'settled' },
      'pxp',
    );
    const tickets = submit();
    await flush();
    expect(tickets.map((ticket) => ticket.isQueued)).toEqual([false, true, true]);
    expect(tickets.map((ticket, i) => i < 2 && scheduler.withdraw(ticket))).toEqual([false, true, false]);
    await flush();
    expect(log).toEqual(['start 1', 'run 1', 'start 2', 'run 2']);
    works[0]!.body.open();
    works[2]!.body.open();
    await scheduler.idle();
    expect([scheduler.queued, scheduler.open, scheduler.bodies]).toEqual([0, 0, 0]);
  });

  it('N24, E72: the first failure stops starts, drains and commits what runs, and is the one that surfaces', async () => {
    const { log, scheduler, works, submit } = setUp(['1', '2', '3'], {
      maxParallel: 2,
      commitOrder: 'submission',
    });
    submit();
    await flush();
    const idle = scheduler.idle().then(
      () => 'resolved',
      (error: unknown) => `rejected: ${error}`,
    );
    works[0]!.body.fail('first');
    await flush();
    log.length = 0;
    works[1]!.committed = gate();
    works[1]!.committed.fail('second');
    works[1]!.body.open();
    expect(await idle).toBe('rejected: first');
    expect(log).toEqual(['commit 2']);
  });

  it('N24: after a failure an entry that is still in its ordered part gets no body', async () => {
    const { log, scheduler, works, submit } = setUp(['1', '2'], {
      maxParallel: 2,
      commitOrder: 'submission',
    });
    works[1]!.prepared = gate();
    submit();
    await flush();
    works[0]!.body.fail('broken');
    await flush();
    works[1]!.prepared.open();
    await expect(scheduler.idle()).rejects.toBe('broken');
    expect(log).toEqual(['start 1', 'run 1', 'start 2']);
  });

  it('N24: a mode that throws is a failure of the scheduler', async () => {
    const scheduler = new Scheduler({ maxParallel: 2, commitOrder: 'submission' });
    scheduler.submit({
      mode: () => {
        throw new Error('no mode');
      },
      start: () => true,
      run: async () => {},
      commit: () => {},
    });
    await expect(scheduler.idle()).rejects.toThrow('no mode');
  });

  it('a long queue of instant entries lets the event loop turn before it has ended', async () => {
    const scheduler = new Scheduler({ maxParallel: 10, commitOrder: 'settled' });
    let done = 0;
    for (let i = 0; i < 1000; i += 1) {
      scheduler.submit({
        mode: () => 'parallel',
        start: () => true,
        run: async () => {},
        commit: () => {
          done += 1;
        },
      });
    }
    const atFirstTurn = await new Promise<number>((resolve) => setImmediate(() => resolve(done)));
    await scheduler.idle();
    expect(atFirstTurn).toBeLessThan(1000);
    expect(done).toBe(1000);
  });
});
