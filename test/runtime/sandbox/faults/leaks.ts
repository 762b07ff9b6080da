import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { flush } from '../../../support/gate.ts';
import { isAlive } from '../processes.ts';

/** Processes that this one has started and that still run. */
export function childProcesses(): number[] {
  return listed().filter((pid) => isAlive(pid));
}

function listed(): number[] {
  try {
    return numbers(readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1'));
  } catch {
    try {
      return numbers(execFileSync('pgrep', ['-P', String(process.pid)], { encoding: 'latin1' }));
    } catch {
      return [];
    }
  }
}

const numbers = (text: string) => text.split(/\s+/).filter(Boolean).map(Number);

/** What a runtime may not leave behind. */
export interface Holdings {
  readonly children: number;
  readonly descriptors: number;
  readonly timers: number;
  readonly listeners: number;
}

/** What this process holds now. */
export function holdings(): Holdings {
  const counted = (name: string) => process.getActiveResourcesInfo().filter((type) => type === name).length;
  return {
    children: childProcesses().length,
    descriptors: descriptors(),
    timers: counted('Timeout') + counted('Immediate'),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

function descriptors(): number {
  try {
    // The listing itself has one open.
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** Waits for the event loop to let go of what was closed, and says what is left above `before`. */
export async function leftAbove(before: Holdings): Promise<Partial<Holdings>> {
  for (let turn = 0; turn < 200; turn += 1) {
    await flush();
    if (Object.keys(above(before)).length === 0) return {};
  }
  return above(before);
}

function above(before: Holdings): Partial<Holdings> {
  const now = holdings();
  const names = Object.keys(before) as (keyof Holdings)[];
  return Object.fromEntries(
    names.filter((name) => now[name] > before[name]).map((name) => [name, now[name] - before[name]]),
  );
}
