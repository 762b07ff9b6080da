import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWarn } from '#dist/runtime/service/warnings.js';

describe('createWarn', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("P60: a reporter that throws or rejects is nobody's problem", async () => {
    const cause = new Error('cause');
    const told: unknown[] = [];
    const reporters = [
      () => {
        throw new Error('reporter is broken');
      },
      async () => {
        throw new Error('reporter is broken');
      },
    ];
    for (const reporter of reporters) {
      const warn = createWarn((message, given) => {
        told.push([message, given]);
        return reporter() as never;
      });
      expect(warn('observer failed', cause)).toBeUndefined();
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([
      ['observer failed', cause],
      ['observer failed', cause],
    ]);
  });

  it('P60: without a reporter it is a process warning, whose detail may come from anything that was thrown', () => {
    const emitted: unknown[][] = [];
    vi.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void emitted.push(args));
    const hostile = {
      toString() {
        throw new Error('unprintable');
      },
    };
    const warn = createWarn();
    warn('observer failed', new Error('boom'));
    warn('observer failed', hostile);
    warn('beware');
    expect(emitted).toEqual([
      ['observer failed', { type: 'PtcWarning', detail: 'boom' }],
      ['observer failed', { type: 'PtcWarning', detail: '[unprintable error]' }],
      ['beware', { type: 'PtcWarning' }],
    ]);
  });
});
