import { execFile } from 'node:child_process';
import { onPath } from './launch-plans.js';
import type { ResolvedSandboxOptions } from './options.js';
import { type ProcessReadings, processReadings } from './process-readings.js';

const MIB = 1024 * 1024;

/** How much more than its heap a guest may cost its process: what the engine does not count. */
const PROCESS_SHARE = 1.5;

/** Address space that an engine maps beyond what it fills, when it makes the next guests, MiB. */
const MAPPED_SLACK_MB = 96;

/** What V8 reserves for the code of one guest on those Node versions that count it as data, MiB. */
const CODE_RANGE_MB = 512;

/** What a ready process may use, and how it is seen. */
export interface MemoryLimit {
  readonly readings: ProcessReadings;
  /** Resident size above which it must end, bytes; infinite where the system does not tell a size. */
  readonly maxRssBytes: number;
  /** Resident size above which it is better replaced once nobody runs in it: something has not been given back, bytes. */
  readonly wornRssBytes: number;
}

/**
 * Limits the memory of a ready process: its size now and one and a half times what its guests may use. Settles when the limit is
 * in force as far as it can be had here.
 */
export async function limitMemory(
  pid: number,
  { memoryMb, runsPerProcess }: ResolvedSandboxOptions,
): Promise<MemoryLimit> {
  const growth = memoryMb * runsPerProcess * PROCESS_SHARE * MIB;
  const readings = processReadings(pid);
  await readings.known;
  const now = readings.rssBytes() ?? Number.POSITIVE_INFINITY;
  await limitData(pid, readings, growth, runsPerProcess);
  return { readings, maxRssBytes: now + growth, wornRssBytes: now + growth / 2 };
}

/**
 * Sets a hard limit on the data of a process, where util-linux is there: a single allocation can outrun every poll.
 *
 * @param bytes that the guests may add
 * @param guests that may run at once
 */
function limitData(pid: number, readings: ProcessReadings, bytes: number, guests: number): Promise<void> {
  const prlimit = process.platform === 'linux' ? onPath('prlimit') : undefined;
  const now = readings.dataBytes();
  if (prlimit === undefined || now === undefined) return Promise.resolve();
  // Each guest that is built next reserves as much as those that are there did.
  const codeRange = now > CODE_RANGE_MB * MIB ? CODE_RANGE_MB * guests : 0;
  const limit = Math.ceil(now + bytes + (MAPPED_SLACK_MB + codeRange) * MIB);
  return new Promise((resolve) => {
    execFile(prlimit, ['--pid', String(pid), `--data=${limit}`, '--core=0'], () => resolve());
  });
}
