import { describe, expect, it } from 'vitest';
import { runWaterfall } from '#dist/runtime/core/waterfall.js';
import { gate } from '../../support/gate.ts';

type Listener = (log: string[], next: () => Promise<string>) => Promise<string> | string;

const around =
  (name: string): Listener =>
  async (log, next) => {
    log.push(`${name} in`);
    const inner = await next();
    log.push(`${name} out`);
    return `${name}(${inner})`;
  };

describe('runWaterfall', () => {
  it('R65: without listeners the innermost step is all there is', async () => {
    expect(await runWaterfall([], [], async () => 'core')).toBe('core');
    const failure = new Error('core failed');
    await expect(
      runWaterfall([], [], () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
  });

  it('R65: the first listener is outermost and sees the outcome last', async () => {
    const log: string[] = [];
    const outcome = await runWaterfall([around('a'), around('b')], [log], async () => {
      log.push('core');
      return 'core';
    });
    expect(outcome).toBe('a(b(core))');
    expect(log).toEqual(['a in', 'b in', 'core', 'b out', 'a out']);
  });

  it('R65: a listener that does not call next short-circuits everything below it', async () => {
    const log: string[] = [];
    const outcome = await runWaterfall(
      [around('a'), () => 'short', around('never')],
      [log],
      async () => 'core',
    );
    expect(outcome).toBe('a(short)');
    expect(log).toEqual(['a in', 'a out']);
  });

  it('R65: what is passed to next is ignored: everybody gets the same arguments', async () => {
    const seen: unknown[] = [];
    const listener = (value: { n: number }, next: () => Promise<string>) => {
      seen.push(value);
      return (next as (...ignored: unknown[]) => Promise<string>)({ n: 2 });
    };
    const value = { n: 1 };
    await runWaterfall([listener, listener], [value], async () => 'core');
    expect(seen).toEqual([value, value]);
    expect(seen[1]).toBe(value);
  });

  it('R65: a second next of one listener runs nothing and fails that listener', async () => {
    let inner = 0;
    const core = async () => {
      inner += 1;
      return 'core';
    };
    const twice: Listener = async (_, next) => {
      await next();
      return next();
    };
    await expect(runWaterfall([twice, around('b')], [[]], core)).rejects.toThrow('next()');
    expect(inner).toBe(1);
  });

  it('R65: a listener cannot swallow the error of its second next', async () => {
    const swallowing: Listener = async (_, next) => {
      const first = await next();
      try {
        await next();
      } catch {
        return first;
      }
      return 'unreachable';
    };
    await expect(runWaterfall([swallowing], [[]], async () => 'core')).rejects.toThrow(
      'one call by a listener',
    );
  });

  it('R65: the listener around the guilty one may handle the error', async () => {
    const recovering: Listener = async (_, next) => {
      try {
        return await next();
      } catch (error) {
        return `recovered: ${(error as Error).message}`;
      }
    };
    const twice: Listener = async (_, next) => {
      void next();
      void next();
      return 'never';
    };
    const outcome = await runWaterfall([recovering, twice], [[]], async () => 'core');
    expect(outcome).toMatch(/^recovered: .*next\(\)/);
  });

  it('R65: a next that comes after the listener has settled runs nothing', async () => {
    let late: (() => Promise<string>) | undefined;
    let inner = 0;
    const keeping: Listener = (_, next) => {
      late = next;
      return 'done';
    };
    const outcome = await runWaterfall([keeping], [[]], async () => {
      inner += 1;
      return 'core';
    });
    expect(outcome).toBe('done');
    expect(() => late?.()).toThrow('before the listener settled');
    expect(inner).toBe(0);
  });

  it('R65: throws and rejections of listeners and of the innermost step pass outward', async () => {
    const failure = new Error('no');
    const throwing: Listener = () => {
      throw failure;
    };
    await expect(runWaterfall([around('a'), throwing], [[]], async () => 'core')).rejects.toBe(failure);
    await expect(runWaterfall([around('a')], [[]], () => Promise.reject(failure))).rejects.toBe(failure);
  });

  it('P33, P72: what a listener delegated to and left alone is waited for', async () => {
    const body = gate<string>();
    const order: string[] = [];
    const impatient: Listener = (_, next) => {
      void next();
      return 'impatient';
    };
    const run = runWaterfall([impatient], [[]], async () => {
      const value = await body.promise;
      order.push('body quiet');
      return value;
    }).then((outcome) => order.push(outcome));
    body.open('late');
    await run;
    expect(order).toEqual(['body quiet', 'impatient']);
  });

  it('P33: a dropped inner rejection is nobody’s, and the outcome stands', async () => {
    const dropping: Listener = (_, next) => {
      void next();
      return 'mine';
    };
    expect(await runWaterfall([dropping], [[]], () => Promise.reject(new Error('dropped')))).toBe('mine');
  });
});
