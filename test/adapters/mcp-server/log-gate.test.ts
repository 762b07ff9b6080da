import { describe, expect, it } from 'vitest';
import { LogGate } from '#dist/adapters/mcp-server/log-gate.js';

describe('the gate for log messages', () => {
  it('lets so many of one source pass in a second, says once that it drops the rest, and touches no other source', () => {
    let now = 0;
    const gate = new LogGate(() => now);
    const verdicts = Array.from({ length: 1_000 }, () => gate.judge('flood'));
    const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
    expect([count('pass'), count('drop-and-say-so'), count('drop')]).toEqual([200, 1, 799]);
    expect(gate.judge('quiet')).toBe('pass');
    now = 999;
    expect(gate.judge('flood')).toBe('drop');
    now = 1_000;
    expect(gate.judge('flood')).toBe('pass');
  });
});
