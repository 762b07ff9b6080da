import { describe, expect, it } from 'vitest';
import type { CodeBindingNamespace } from '#dist/runtime/contract/code-runtime.js';
import { InProcessHost } from '#dist/runtime/sandbox/in-process-host.js';
import { resolveSandboxOptions, type SandboxOptions } from '#dist/runtime/sandbox/options.js';
import type { CreatePeer, PeerPort, SandboxPeer } from '#dist/runtime/sandbox/peer-types.js';
import { RuntimeOver } from '#dist/runtime/sandbox/runtime-over.js';
import { HostFrame, PeerFrame } from '#dist/runtime/sandbox/wire.js';
import { flush, gate } from '../../support/gate.ts';
import { calling, done, logging, type Step } from './processes.ts';
import { toolsOf } from './scripted-run.ts';

const { createPeer } = (await import(
  new URL('../../fixtures/sandbox/scripted-peer.js', import.meta.url).href
)) as { createPeer: CreatePeer };

function inProcess(options: SandboxOptions = {}, create: CreatePeer = createPeer) {
  const resolved = resolveSandboxOptions({ placement: 'in-process', ...options });
  const runtime = new RuntimeOver(resolved, new InProcessHost(resolved, create));
  return {
    runtime,
    play: (
      script: readonly (readonly Step[])[],
      bindings: readonly CodeBindingNamespace[] = [],
      signal?: AbortSignal,
    ) => runtime.run({ program: JSON.stringify(script), bindings, signal }),
  };
}

const READY = JSON.stringify({
  wire: 1,
  engine: 'manual',
  engineVersion: '0',
  pid: 1,
  languageLevel: 'ES2023',
  missingLibraries: [],
});

/** A peer that hands its port to the test and answers as it says. */
function peerOf(receive: (port: PeerPort, type: number, run: number) => void): CreatePeer {
  return (_, port) => {
    port.send(PeerFrame.ready, 0, READY);
    const peer: SandboxPeer = {
      receive: (type, run) => receive(port, type, run),
      idle: () => undefined,
      dispose: () => {},
    };
    return peer;
  };
}

describe('the in-process placement', () => {
  it('M1, M2: programs run, print, call and return as they do in a process', async () => {
    const { play, runtime } = inProcess();
    const { value, logs, stats } = await play(
      [[logging('hello'), calling()], [done('after')]],
      toolsOf({ f: async () => 1 }),
    );
    expect([value, logs, stats.calls, stats.placement]).toEqual(['after', ['hello'], 1, 'in-process']);
    expect(stats.bytesIn).toBeGreaterThan(0);
    await runtime.dispose();
  });

  it('M53: a binding that ends the run while its own call is handled does not re-enter the peer', async () => {
    const controller = new AbortController();
    const { play, runtime } = inProcess();
    const { error } = await play(
      [[calling()], [done()]],
      toolsOf({ f: () => controller.abort('from inside') }),
      controller.signal,
    );
    expect(error).toMatchObject({ kind: 'abort', message: 'from inside' });
    expect((await play([[done('fine')]])).value).toBe('fine');
    await runtime.dispose();
  });

  it('M53: the peer is never entered while it is at work', async () => {
    let depth = 0;
    const depths: number[] = [];
    const create = peerOf((port, type, run) => {
      depth += 1;
      depths.push(depth);
      if (type === HostFrame.start) {
        const calls = [1, 2, 3].map((id) => [id, 0, 0, {}]);
        port.send(PeerFrame.turn, run, `0 0\n${JSON.stringify({ state: 'waiting', calls })}`);
      } else port.send(PeerFrame.turn, run, '0 0\n{"state":"done"}');
      depth -= 1;
    });
    const { play, runtime } = inProcess({}, create);
    await play([], toolsOf({ f: () => 1 }));
    expect(depths).toEqual(depths.map(() => 1));
    await runtime.dispose();
  });

  it('M36: a program that calls without end leaves the host its timers', async () => {
    const create = peerOf((port, type, run) => {
      const id = calls;
      calls += 1;
      if (type === HostFrame.stop) port.send(PeerFrame.stopped, run, '');
      else port.send(PeerFrame.turn, run, `0 0\n{"state":"waiting","calls":[[${id},0,0,{}]]}`);
    });
    let calls = 1;
    const { runtime } = inProcess({ wallMs: 60, maxCalls: 100_000_000 }, create);
    const { error } = await runtime.run({ program: '', bindings: toolsOf({ f: () => 1 }) });
    expect(error).toMatchObject({ kind: 'timeout', budget: 'wall' });
    expect(calls).toBeGreaterThan(2);
    await runtime.dispose();
  });

  it('M1: a peer that has to make a guest first may answer later', async () => {
    const open = gate();
    const create = peerOf((port, _, run) => {
      void open.promise.then(() => port.send(PeerFrame.turn, run, '0 0\n{"state":"done","value":7}'));
    });
    const { runtime } = inProcess({}, create);
    const running = runtime.run({ program: '', bindings: [] });
    await flush();
    open.open();
    expect((await running).value).toBe(7);
    await runtime.dispose();
  });

  it('M6, E114: disposal aborts what runs and throws the peer away', async () => {
    const called = gate();
    const never = gate();
    const { play, runtime } = inProcess();
    const running = play(
      [[calling()]],
      toolsOf({
        f: () => {
          called.open();
          return never.promise;
        },
      }),
    );
    await called.promise;
    await runtime.dispose();
    expect((await running).error).toMatchObject({ kind: 'abort', message: 'runtime disposed' });
    await expect(play([[done()]])).rejects.toThrow('disposed');
  });

  it('M3: an engine that does not load is a failure of each run, and is tried again', async () => {
    let attempts = 0;
    const { play, runtime } = inProcess({ engine: 'isolated-vm' }, () => {
      attempts += 1;
      throw new Error('no binary');
    });
    for (let run = 0; run < 2; run += 1) {
      const { error } = await play([[done()]]);
      expect(error).toMatchObject({
        kind: 'sandbox-unavailable',
        message: 'Cannot load the engine "isolated-vm": no binary',
      });
    }
    expect(attempts).toBe(2);
    await runtime.dispose();
  });

  it('M4: auto takes QuickJS where isolated-vm does not load, and says so once', async () => {
    const warnings: string[] = [];
    const create: CreatePeer = (options, port) => {
      if (options.engine === 'isolated-vm') throw new Error('no binary');
      return createPeer(options, port);
    };
    const { play, runtime } = inProcess({ onWarning: (message) => warnings.push(message) }, create);
    const { stats } = await play([[done()]]);
    await play([[done()]]);
    const { fallback } = await runtime.warm();
    expect(stats.engine).toBe('quickjs');
    expect(warnings.filter((message) => message.includes('quickjs'))).toEqual([
      `Programs run on quickjs: ${fallback}`,
    ]);
    await runtime.dispose();
  });
});
