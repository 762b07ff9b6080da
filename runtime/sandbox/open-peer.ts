import { errorMessage } from '../core/error-text.js';
import type { SandboxEngine } from './options.js';
import type { EngineInfo } from './peer-line.js';
import type { CreatePeer, PeerOptions, PeerPort, SandboxPeer } from './peer-types.js';
import { PeerFrame, type ReadyPayload } from './wire.js';

/** What to type where isolated-vm is installed but was not allowed to build or fetch its binary. */
export const APPROVE_COMMAND = 'npm install-scripts approve isolated-vm';

/** A peer whose engine was still to be chosen. */
export interface PeerChoice extends Omit<PeerOptions, 'engine'> {
  readonly engine: SandboxEngine;
}

/**
 * Makes a peer with the engine that was asked for; `auto` takes isolated-vm where it loads, else QuickJS, and says why in
 * `ready`.
 *
 * @param createPeer makes it; replaced in tests
 * @throws whatever the engine threw that did not load
 * @example
 * const peer = await openPeer({ engine: 'auto', memoryMb: 128 }, port, createPeer);
 */
export async function openPeer(
  choice: PeerChoice,
  port: PeerPort,
  createPeer: CreatePeer,
): Promise<SandboxPeer> {
  const { engine, ...options } = choice;
  if (engine !== 'auto') return createPeer({ ...options, engine }, port);
  try {
    return await createPeer({ ...options, engine: 'isolated-vm' }, port);
  } catch (cause) {
    const fallback = `isolated-vm does not load here (${reasonLine(cause)}); to allow its install script: ${APPROVE_COMMAND}, then to build it: npm rebuild isolated-vm`;
    return createPeer({ ...options, engine: 'quickjs' }, withFallback(port, fallback));
  }
}

/** The system's reason may have several lines; what is made of it is one of a log. */
function reasonLine(cause: unknown): string {
  return errorMessage(cause).replace(/\s+/g, ' ').trim();
}

function withFallback(port: PeerPort, fallback: string): PeerPort {
  return {
    send(type, run, payload) {
      if (type !== PeerFrame.ready) port.send(type, run, payload);
      else port.send(type, run, JSON.stringify({ ...(JSON.parse(payload) as ReadyPayload), fallback }));
    },
  };
}

/** What is said of an engine that was asked for by name and does not load. */
export function engineProblem(engine: SandboxEngine, cause: unknown): { message: string; hint?: string } {
  const message = `Cannot load the engine "${engine}": ${reasonLine(cause)}`;
  if (engine !== 'isolated-vm') return { message };
  return {
    message,
    hint: `Allow its install script with "${APPROVE_COMMAND}" and install again, or use the engine "quickjs"`,
  };
}

/** Warns of an engine that is not the first choice. */
export function announceFallback({ engine, fallback }: EngineInfo, warn: (message: string) => void): void {
  if (fallback !== undefined) warn(`Programs run on ${engine}: ${fallback}`);
}
