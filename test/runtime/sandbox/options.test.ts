import { type SandboxOptions, sandboxRuntime } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import { resolveSandboxOptions } from '#dist/runtime/sandbox/options.js';

const TIMERS = ['computeMs', 'wallMs', 'graceMs'] as const;
const COUNTS = [
  'maxLogEntries',
  'maxMessageBytes',
  'maxQueuedBytes',
  'maxPendingCalls',
  'maxCalls',
  'maxTimers',
  'maxSourceBytes',
  'maxDepth',
  'runsPerProcess',
  'maxProcesses',
  'recycleAfter',
] as const;

const withOption = (name: string, value: unknown) => () =>
  sandboxRuntime({ [name]: value } as unknown as SandboxOptions);

describe('options of the sandbox', () => {
  it('M38, M41: the defaults are the documented ones', () => {
    const options = resolveSandboxOptions();
    expect(options).toMatchObject({
      engine: 'auto',
      placement: 'process',
      computeMs: 10_000,
      wallMs: 120_000,
      memoryMb: 128,
      maxOutputBytes: 8 * 1024 * 1024,
      maxPendingCalls: 128,
      maxCalls: 10_000,
      maxSourceBytes: 1024 * 1024,
      maxDepth: 2000,
      runsPerProcess: 1,
      minIdle: 1,
      graceMs: 100,
    });
    expect(options.limits.memoryMb).toBe(128);
  });

  it('M38, E98: a delay must be a positive number that a timer can hold', () => {
    for (const name of TIMERS) {
      for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, '5', null]) {
        expect(withOption(name, value), `${name} ${value}`).toThrow(TypeError);
      }
      expect(resolveSandboxOptions({ [name]: 2_147_483_647 })[name]).toBe(2_147_483_647);
      expect(resolveSandboxOptions({ [name]: 0.5 })[name]).toBe(0.5);
    }
  });

  it('M38: counts and sizes must be positive integers', () => {
    for (const name of COUNTS) {
      for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5']) {
        expect(withOption(name, value), `${name} ${value}`).toThrow(TypeError);
      }
    }
    for (const name of ['minIdle', 'maxQueue', 'maxWaitingProcesses'] as const) {
      expect(withOption(name, -1)).toThrow(TypeError);
      expect(resolveSandboxOptions({ [name]: 0 })[name]).toBe(0);
    }
  });

  it('M38, M25: the output cap is a safe integer of at least 4', () => {
    for (const value of [3, 0, 4.5, 2 ** 53]) expect(withOption('maxOutputBytes', value)).toThrow(TypeError);
    expect(resolveSandboxOptions({ maxOutputBytes: 4 }).maxOutputBytes).toBe(4);
  });

  it('M38: the message names the option, what was wanted and what came', () => {
    expect(withOption('wallMs', -5)).toThrow(
      'Cannot use option "wallMs": wanted a positive number of milliseconds up to 2147483647, received -5',
    );
    expect(withOption('engine', 'v8')).toThrow(
      'Cannot use option "engine": wanted "auto", "isolated-vm", "quickjs", received "v8"',
    );
    expect(withOption('memoryMb', 4)).toThrow(
      'Cannot use option "memoryMb": wanted an integer of at least 8, received 4',
    );
  });

  it('M38: an option that nobody reads is refused', () => {
    expect(withOption('timeout', 5)).toThrow('Cannot use option "timeout" of "sandboxRuntime"');
    expect(withOption('onWarning', 'log')).toThrow('Cannot use option "onWarning": wanted a function');
  });

  it('M4: a runtime says its language and where programs run, in lowercase', () => {
    const process = sandboxRuntime();
    const inProcess = sandboxRuntime({ placement: 'in-process', wallMs: 5000 });
    expect([process.language, process.isolation, process.maxTimeoutMs]).toEqual([
      'typescript',
      'process',
      120_000,
    ]);
    expect([inProcess.isolation, inProcess.maxTimeoutMs]).toEqual(['in-process', 5000]);
  });
});
