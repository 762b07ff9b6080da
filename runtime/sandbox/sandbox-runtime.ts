import { InProcessHost } from './in-process-host.js';
import { OWN_MODULES } from './launch-plans.js';
import { resolveSandboxOptions, type SandboxOptions } from './options.js';
import type { CreatePeer } from './peer-types.js';
import { ProcessPool } from './pool.js';
import { RuntimeOver, type SandboxRuntime } from './runtime-over.js';

/**
 * Makes a runtime that runs each program in a fresh world: by default in a process of its own, which is killed when the
 * program cannot be stopped otherwise. Nothing is started before the first run, or `warm`: a host that has other things to load
 * before its first program calls that first and does not wait for it.
 *
 * The runtime does not keep the host alive; a run that is under way does.
 *
 * @throws {TypeError} when an option is out of range
 * @example
 * const runtime = sandboxRuntime({ computeMs: 5_000 });
 * const { value } = await runtime.run({ program: 'return 6 * 7', bindings: [] });
 * await runtime.dispose();
 */
export function sandboxRuntime(options: SandboxOptions = {}): SandboxRuntime {
  const resolved = resolveSandboxOptions(options);
  return new RuntimeOver(
    resolved,
    resolved.placement === 'process' ? new ProcessPool(resolved) : new InProcessHost(resolved, createPeer),
  );
}

/** Loaded when it is needed: with processes the host never loads an engine. */
const createPeer: CreatePeer = async (options, port) => {
  const peer = (await import(OWN_MODULES.peer)) as { readonly createPeer: CreatePeer };
  return peer.createPeer(options, port);
};
