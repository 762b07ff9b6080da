import { readFileSync } from 'node:fs';
import { afterEach } from 'vitest';
import type { CodeBindingNamespace, CodeRunResult } from '#dist/runtime/contract/code-runtime.js';
import { OWN_MODULES } from '#dist/runtime/sandbox/launch-plans.js';
import { resolveSandboxOptions, type SandboxOptions } from '#dist/runtime/sandbox/options.js';
import { ProcessPool } from '#dist/runtime/sandbox/pool.js';
import { RuntimeOver } from '#dist/runtime/sandbox/runtime-over.js';
import { PeerFrame } from '#dist/runtime/sandbox/wire.js';

/** One step of `test/fixtures/sandbox/scripted-peer.js`. */
export type Step =
  | readonly [type: number, payload: string]
  | { readonly [action: string]: string | number | boolean };

/** @param name of a file there, perhaps with a query */
const fixture = (name: string) => new URL(`../../fixtures/sandbox/${name}`, import.meta.url).href;

const runtimes: RuntimeOver[] = [];

afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.dispose()));
});

/** A runtime of real processes whose peer plays scripts; disposed after the test. */
export function processes(options: SandboxOptions = {}, peer = 'scripted-peer.js', main = OWN_MODULES.main) {
  const resolved = resolveSandboxOptions({ minIdle: 0, ...options });
  const runtime = new RuntimeOver(resolved, new ProcessPool(resolved, { main, peer: fixture(peer) }));
  runtimes.push(runtime);
  return {
    runtime,
    /** Plays a script: per frame of the host, the steps. */
    play: (
      script: readonly (readonly Step[])[],
      bindings: readonly CodeBindingNamespace[] = [],
      signal?: AbortSignal,
    ): Promise<CodeRunResult> => runtime.run({ program: JSON.stringify(script), bindings, signal }),
  };
}

/** The end of a program with a value. */
export const done = (value: unknown = null): Step => [
  PeerFrame.turn,
  `0 0\n${JSON.stringify({ state: 'done', value })}`,
];

/** A turn that calls the first function. */
export const calling = (id = 1): Step => [
  PeerFrame.turn,
  `0 0\n${JSON.stringify({ state: 'waiting', calls: [[id, 0, 0, {}]] })}`,
];

export const logging = (...entries: string[]): Step => [PeerFrame.log, JSON.stringify(entries)];

/** Whether a process runs; one that has ended and that nobody has fetched yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return process.platform !== 'linux';
  }
}
