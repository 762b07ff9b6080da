import { describe, expect, it } from 'vitest';
import { runWaterfall } from '#dist/runtime/core/waterfall.js';

describe('what a waterfall makes of its listeners’ outcomes', () => {
  it('R65: settle makes of each listener’s outcome what the one around it is given, innermost first', async () => {
    const seen: string[] = [];
    const listener = (name: string) => async (_: string, next: () => Promise<string>) => {
      const inner = await next();
      seen.push(inner);
      return `${name}(${inner})`;
    };
    const outcome = await runWaterfall(
      [listener('outer'), listener('inner')],
      ['argument'],
      async () => 'body',
      (raw) => `<${raw}>`,
    );
    expect(seen).toEqual(['body', '<inner(body)>']);
    expect(outcome).toBe('<outer(<inner(body)>)>');
  });

  it('R65: what settle throws is the listener’s error, which the one around it may catch', async () => {
    const outcome = await runWaterfall(
      [
        async (_: string, next: () => Promise<string>) => {
          try {
            return await next();
          } catch (error) {
            return `caught ${(error as Error).message}`;
          }
        },
        async () => 'bad',
      ],
      ['argument'],
      async () => 'body',
      (raw) => {
        if (raw === 'bad') throw new Error('no result');
        return raw as string;
      },
    );
    expect(outcome).toBe('caught no result');
  });

  it('R65: an outcome waits for delegated work that still runs, also when that work fails unheard', async () => {
    const order: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pending = runWaterfall(
      [
        async (_: string, next: () => Promise<string>) => {
          void next();
          return 'early';
        },
      ],
      ['argument'],
      async () => {
        await released;
        order.push('inner failed');
        throw new Error('unheard');
      },
    ).then((outcome) => {
      order.push(outcome);
    });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(order).toEqual([]);
    release();
    await pending;
    expect(order).toEqual(['inner failed', 'early']);
  });
});
