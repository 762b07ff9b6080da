import { afterEach, describe, expect, it, vi } from 'vitest';
import { launchPlans, OWN_MODULES, onPath } from '#dist/runtime/sandbox/launch-plans.js';
import { resolveSandboxOptions } from '#dist/runtime/sandbox/options.js';
import { done, processes, type Step } from '../processes.ts';

const NO_MODEL = "Sandbox processes run without Node's permission model: it does not start here";

const flags = process.allowedNodeEnvironmentFlags;
const hasModel = flags.has('--permission') || flags.has('--experimental-permission');
/** Node's permission model covers the network from the version on that has a flag to allow it. */
const coversNetwork = flags.has('--allow-net');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** What a sandbox process may do, by attempt. */
async function attempts(names: readonly string[]): Promise<Record<string, unknown>> {
  const { play } = processes({ onWarning: () => {} });
  const found: Record<string, unknown> = {};
  for (const value of names) found[value] = (await play([[{ value }]])).value;
  return found;
}

const ACTS = ['files', 'list', 'write', 'remove', 'spawn', 'worker'];

describe("what the system denies a sandbox process, beside the engine's own walls", () => {
  it('M17: with the permission model it reads, lists, writes, removes, spawns and threads nothing', async () => {
    const denied = hasModel ? 'ERR_ACCESS_DENIED' : 'allowed';
    expect(await attempts(ACTS)).toEqual(Object.fromEntries(ACTS.map((act) => [act, denied])));
  });

  it('M17: the network is denied where the permission model covers it, and nowhere else', async () => {
    expect(await attempts(['listen'])).toEqual({ listen: coversNetwork ? 'ERR_ACCESS_DENIED' : 'allowed' });
  });

  it('M17: signals to processes of the same user are not denied, whatever else is', async () => {
    expect(await attempts(['kill'])).toEqual({ kill: 'allowed' });
  });

  it('M17: where Node has no permission model the engine is the only wall, and the deployment is told so', async () => {
    vi.spyOn(process, 'allowedNodeEnvironmentFlags', 'get').mockReturnValue(new Set());
    const warnings: string[] = [];
    const { play } = processes({ onWarning: (message) => warnings.push(message) });
    expect((await play([[{ value: 'files' }]])).value).toBe('allowed');
    expect((await play([[{ value: 'env' }]])).value).toEqual([]);
    expect(warnings).toEqual([NO_MODEL]);
  });
});

describe('a system without the helpers of util-linux', () => {
  const keep: Step = { keep: 150_000_000 };
  const spin: Step = { spin: true };

  it('M40: without setpriv the shell limits the CPU time of a process, so that one that nobody watches ends', () => {
    vi.stubEnv('PATH', '');
    expect([onPath('setpriv'), onPath('prlimit')]).toEqual([undefined, undefined]);
    const [first] = launchPlans(resolveSandboxOptions({ computeMs: 5000 }), OWN_MODULES);
    expect(first?.command).toBe('/bin/sh');
    expect(first?.args[1]).toBe('ulimit -c 0; ulimit -t 605; exec "$@"');
  });

  it('M34: without prlimit a process that grows past its cap is ended by its polled size', async () => {
    vi.stubEnv('PATH', '');
    const { play } = processes({ memoryMb: 32 });
    expect((await play([[keep, spin]])).error).toMatchObject({ kind: 'memory-limit', limit: 32 });
    expect((await play([[done('fine')]])).value).toBe('fine');
  });

  it('M34, M36: without /proc sizes come from ps, and the clock alone judges what computes too long', async () => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('freebsd');
    const { play } = processes({ memoryMb: 32, computeMs: 60_000 });
    expect((await play([[keep, spin]])).error).toMatchObject({ kind: 'memory-limit', limit: 32 });
    const strict = processes({ computeMs: 100 });
    expect((await strict.play([[spin]])).error).toMatchObject({ kind: 'timeout', budget: 'compute' });
    expect((await strict.play([[done('fine')]])).value).toBe('fine');
    platform.mockRestore();
  });

  it('M36: where no size can be had at all, the clock and the engine still bound a program', async () => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const { play } = processes({ computeMs: 100 });
    expect((await play([[spin]])).error).toMatchObject({ kind: 'timeout', budget: 'compute' });
    expect((await processes({ memoryMb: 32 }).play([[keep, done('kept')]])).value).toBe('kept');
    platform.mockRestore();
  });
});
