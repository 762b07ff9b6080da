import { createRequire } from 'node:module';
import { sandboxRuntime } from 'ptc-runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { openPeer } from '#dist/runtime/sandbox/open-peer.js';
import { createPeer } from '#dist/runtime/sandbox/peer.js';
import type { CreatePeer } from '#dist/runtime/sandbox/peer-types.js';
import { PeerFrame } from '#dist/runtime/sandbox/wire.js';
import { processes } from './runtime/sandbox/processes.ts';

/** Holds on machines with and without the addon: its absence is simulated where it is there. */
const isHere = (() => {
  try {
    createRequire(import.meta.url)('isolated-vm');
    return true;
  } catch {
    return false;
  }
})();

const COMMAND = 'npm install-scripts approve isolated-vm';

/** The real peer on a machine on which the addon does not load. */
const withoutAddon: CreatePeer = (options, port) => {
  if (options.engine === 'isolated-vm') throw new Error('no native build was found');
  return createPeer(options, port);
};

describe('a machine without isolated-vm', () => {
  const disposals: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const dispose of disposals.splice(0)) await dispose();
  });

  it('M3, M4: auto takes QuickJS, and ready says why and what to type', async () => {
    const sent: [type: number, payload: string][] = [];
    const peer = await openPeer(
      { engine: 'auto', memoryMb: 64, spareGuests: 0 },
      { send: (type, _run, payload) => sent.push([type, payload]) },
      withoutAddon,
    );
    disposals.push(() => peer.dispose());
    const [first] = sent;
    expect(first?.[0]).toBe(PeerFrame.ready);
    const { engine, fallback } = JSON.parse(first?.[1] ?? '{}');
    expect(engine).toBe('quickjs');
    expect(fallback).toContain('no native build was found');
    expect(fallback).toContain(COMMAND);
  });

  it('M4: in processes a program runs on QuickJS, and the warning comes once', async () => {
    const warnings: string[] = [];
    const { runtime } = processes(
      { engine: 'auto', onWarning: (message) => warnings.push(message) },
      'without-addon-peer.js',
    );
    const run = () => runtime.run({ program: 'const x: number = 20; return x + 1', bindings: [] });
    expect([(await run()).value, (await run()).value]).toEqual([21, 21]);
    expect(runtime.engineInfo).toMatchObject({
      engine: 'quickjs',
      fallback: expect.stringContaining(COMMAND),
    });
    expect(warnings.filter((warning) => warning.includes(COMMAND))).toHaveLength(1);
  });

  it('M3: isolated-vm by name fails each run as sandbox-unavailable, and the hint says what to type', async () => {
    const { runtime } = processes({ engine: 'isolated-vm' }, 'without-addon-peer.js');
    for (let n = 0; n < 2; n++) {
      const { error } = await runtime.run({ program: 'return 1', bindings: [] });
      expect(error).toMatchObject({ kind: 'sandbox-unavailable', hint: expect.stringContaining(COMMAND) });
    }
  });

  it('M4: what auto chose on this very machine is told, with the reason when it is not the first choice', async () => {
    const warnings: string[] = [];
    const runtime = sandboxRuntime({ minIdle: 0, onWarning: (message) => warnings.push(message) });
    disposals.push(() => runtime.dispose());
    const info = await runtime.warm();
    expect(info.engine).toBe(isHere ? 'isolated-vm' : 'quickjs');
    const said = [info.fallback ?? '', ...warnings].filter((text) => text.includes(COMMAND));
    expect(said).toHaveLength(isHere ? 0 : 2);
    expect((await runtime.run({ program: 'return 2', bindings: [] })).value).toBe(2);
  });
});
