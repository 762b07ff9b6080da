import { describe, expect, it } from 'vitest';
import { resolveSandboxOptions } from '#dist/runtime/sandbox/options.js';
import type { LineListener, PeerLine, Placement } from '#dist/runtime/sandbox/peer-line.js';
import { RuntimeOver } from '#dist/runtime/sandbox/runtime-over.js';
import { HostFrame, PeerFrame } from '#dist/runtime/sandbox/wire.js';
import { flush, gate } from '../../support/gate.ts';

/** A placement that hands out lines when the test wants; every program returns 1 at once. */
function manualPlacement() {
  const opened: { readonly listener: LineListener; give(): void }[] = [];
  const cancelled: LineListener[] = [];
  const log: string[] = [];
  const lineFor = (listener: LineListener): PeerLine => ({
    engine: 'scripted',
    send(type) {
      log.push(type === HostFrame.start ? 'start' : 'frame');
      queueMicrotask(() => listener.onFrame(PeerFrame.turn, '0 0\n{"state":"done","value":1}'));
    },
    release: () => void log.push('release'),
    stop: async () => void log.push('stop'),
  });
  const placement: Placement = {
    open: (listener) =>
      new Promise((resolve) => opened.push({ listener, give: () => resolve(lineFor(listener)) })),
    cancel: (listener) => cancelled.push(listener),
    info: undefined,
    warm: async () => ({
      engine: 'scripted',
      engineVersion: '0',
      languageLevel: 'ES2023',
      missingLibraries: [],
    }),
    dispose: async () => void log.push('disposed'),
  };
  return { placement, opened, cancelled, log };
}

const options = resolveSandboxOptions({ wallMs: 1000, maxSourceBytes: 40 });

describe('a runtime', () => {
  it('M39, E112: a run whose signal is aborted already starts nothing', async () => {
    const { placement, opened } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const result = await runtime.run({
      program: 'return 1',
      bindings: [],
      signal: AbortSignal.abort('before'),
    });
    expect([result.error?.kind, result.error?.message, opened.length]).toEqual(['abort', 'before', 0]);
    expect(result.logs).toEqual([]);
  });

  it('M39, E112: an abort while the sandbox is awaited gives the wait up, and a line that comes late is put back unused', async () => {
    const { placement, opened, cancelled, log } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const controller = new AbortController();
    const running = runtime.run({ program: 'return 1', bindings: [], signal: controller.signal });
    controller.abort('changed my mind');
    opened[0]!.give();
    expect((await running).error).toMatchObject({ kind: 'abort', message: 'changed my mind' });
    await flush();
    expect([cancelled.length, log]).toEqual([1, ['release']]);
  });

  it('E111, M2: misuse rejects, whatever the signal says, and nothing is started for it', async () => {
    const { placement, opened } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const signal = AbortSignal.abort('before');
    const bad = [
      { program: 'return 1', bindings: [{ global: 'await', functions: {} }], signal },
      { program: 7 as unknown as string, bindings: [], signal },
      { program: 'return 1', bindings: [], signal, timeoutMs: 0 },
    ];
    for (const request of bad) await expect(runtime.run(request)).rejects.toThrow(TypeError);
    expect(opened).toEqual([]);
  });

  it('M37: a deadline that is no positive finite number is refused, a longer one is clamped', async () => {
    const { placement, opened } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(runtime.run({ program: 'return 1', bindings: [], timeoutMs })).rejects.toThrow(
        'timeoutMs',
      );
    }
    expect(runtime.maxTimeoutMs).toBe(1000);
    const running = runtime.run({ program: 'return 1', bindings: [], timeoutMs: 5_000_000_000 });
    opened[0]!.give();
    expect((await running).value).toBe(1);
  });

  it('M3, E100: a program that is too long to be read fails as syntax, and nothing is started', async () => {
    const { placement, opened } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const { error } = await runtime.run({ program: '€'.repeat(14), bindings: [] });
    expect(error).toMatchObject({ kind: 'syntax', limit: 40, used: 42 });
    expect(opened).toEqual([]);
  });

  it('M39: the listener on the signal goes with the run', async () => {
    const { placement, opened } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const { signal } = new AbortController();
    const added: string[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      added.push('add');
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      added.push('remove');
      remove(...args);
    };
    const running = runtime.run({ program: 'return 1', bindings: [], signal });
    opened[0]!.give();
    await running;
    expect(added).toEqual(['add', 'remove']);
  });

  it('M39: any number of runs may share a signal without a warning of Node', async () => {
    const { placement, opened } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    const running = Array.from({ length: 30 }, () =>
      runtime.run({ program: 'return 1', bindings: [], signal }),
    );
    for (const { give } of opened) give();
    await Promise.all(running);
    await flush();
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('M6: disposal waits for the runs, then for the sandboxes, and is the same the second time', async () => {
    const { placement, opened, log } = manualPlacement();
    const runtime = new RuntimeOver(options, placement);
    const stopping = gate();
    placement.open = (listener) => {
      opened.push({ listener, give: () => {} });
      return {
        engine: 'scripted',
        send: () => {},
        release: () => {},
        stop: () => stopping.promise.then(() => void log.push('stopped')),
      };
    };
    const running = runtime.run({ program: 'return 1', bindings: [] });
    await flush();
    const disposals = Promise.all([runtime.dispose(), runtime.dispose()]);
    stopping.open();
    await disposals;
    expect(log).toEqual(['stopped', 'disposed']);
    expect((await running).error?.message).toBe('runtime disposed');
    await expect(runtime.run({ program: 'return 1', bindings: [] })).rejects.toThrow('disposed');
  });
});
