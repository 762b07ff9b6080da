import { describe, expect, it } from 'vitest';
import { mayRepeat, runWaterfall } from '#dist/runtime/core/waterfall.js';
import { outcomeOf, policyHost } from '../../policies/policy-host.ts';
import { gate } from '../../support/gate.ts';
import { makeTool } from '../../support/make-tool.ts';

describe('listeners that may repeat', () => {
  it('R65: only with the opt-in may a listener call next() again, and each call runs what is inside it', async () => {
    const host = policyHost();
    const bodies: number[] = [];
    const inner: string[] = [];
    host.tools.register(
      makeTool('count', {
        execute: async () => {
          bodies.push(bodies.length);
          return String(bodies.length);
        },
      }),
    );
    const dispose = host.tools.on(
      'tools/execute',
      async (_, next) => {
        await next();
        return next();
      },
      { repeats: true },
    );
    host.tools.on('tools/execute', (_, next) => {
      inner.push('inner');
      return next();
    });
    expect((await host.call('count')).value).toBe('2');
    expect(inner).toEqual(['inner', 'inner']);
    dispose();
    host.tools.on('tools/execute', async (_, next) => {
      await next();
      return next();
    });
    expect(outcomeOf(await host.call('count'))).toBe(
      'Cannot run "next()": wanted one call by a listener, received a second one',
    );
    expect(bodies).toHaveLength(3);
  });

  it('R65: a call of next() while the one before it runs is an error of the listener, opt-in or not', async () => {
    const inside = gate<number>();
    let runs = 0;
    const listener = mayRepeat(async (next: () => Promise<number>) => {
      const first = next();
      await Promise.resolve();
      try {
        await next();
      } catch {
        // Caught, and still an error of the listener.
      }
      return first;
    });
    const outcome = runWaterfall([listener], [], () => {
      runs += 1;
      return inside.promise;
    });
    inside.open(1);
    await expect(outcome).rejects.toThrow('wanted a call after the one before it had settled');
    expect(runs).toBe(1);
  });

  it('R65: the right belongs to the registration, not to the function, and only "tools/execute" has it', () => {
    const { tools } = policyHost();
    const listener = <R>(_: unknown, next: () => Promise<R>): Promise<R> => next();
    tools.on('tools/execute', listener, { repeats: true });
    expect(() => tools.on('tools/pre-execute', listener, { repeats: true })).toThrow(
      'Cannot listen to "tools/pre-execute" with "repeats"',
    );
  });

  it('P41, R65: a repetition that is overtaken by an abort is no call that never started', async () => {
    const host = policyHost();
    host.tools.register(
      makeTool('once', {
        execute: async () => {
          throw new Error('first');
        },
      }),
    );
    host.tools.on(
      'tools/execute',
      async (_, next) => {
        await next();
        host.controller.abort();
        return next();
      },
      { repeats: true },
    );
    expect(outcomeOf(await host.call('once'))).toBe('ABORTED');
  });
});
