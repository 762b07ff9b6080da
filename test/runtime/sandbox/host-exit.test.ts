import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { flush } from '../../support/gate.ts';
import { isAlive } from './processes.ts';

const script = fileURLToPath(new URL('../../fixtures/sandbox/host-script.js', import.meta.url));

/** Starts a host; tells the process id that it printed. */
async function host(mode: 'leave' | 'spin') {
  const child = spawn(process.execPath, [script, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, exited, sandbox: Number(chunk.toString()) };
}

/** Waits for an end that nothing but the end itself can tell. */
async function gone(pid: number): Promise<'gone'> {
  while (isAlive(pid)) await flush();
  return 'gone';
}

describe('the host leaves', () => {
  it('M40: idle processes do not keep it, and go with it', async () => {
    const { exited, sandbox } = await host('leave');
    expect(await exited).toEqual([0, null]);
    expect(await gone(sandbox)).toBe('gone');
  });

  it('M40: a host that is killed takes a program with it that computes for ever', async () => {
    const { child, exited, sandbox } = await host('spin');
    child.kill('SIGKILL');
    await exited;
    expect(await gone(sandbox)).toBe('gone');
  });
});
