import { execFile } from 'node:child_process';
import { onPath } from './launch-plans.js';
import type { ProcessReadings } from './process-readings.js';

const MIB = 1024 * 1024;

/** How much more than its heap a guest may cost its process: what the engine does not count. */
const PROCESS_SHARE = 1.5;

/** Address space that an engine maps beyond what it fills, when it makes the next guests, MiB. */
const MAPPED_SLACK_MB = 96;

/** What V8 reserves for the code of one guest on those Node versions that count it as data, MiB. */
const CODE_RANGE_MB = 512;

/**
 * What a process may grow by, bytes.
 *
 * @param memoryMb of one guest, MiB
 * @param guests that run at once
 */
export function growthBytes(memoryMb: number, guests: number): number {
  return memoryMb * guests * PROCESS_SHARE * MIB;
}

/**
 * Sets a hard limit on the data of a ready process, where util-linux is there: a single allocation can outrun every poll.
 * Settles when it is in force, or cannot be had.
 *
 * @param bytes that the guests may add
 */
export function limitData(pid: number, readings: ProcessReadings, bytes: number): Promise<void> {
  const prlimit = process.platform === 'linux' ? onPath('prlimit') : undefined;
  const now = readings.dataBytes();
  if (prlimit === undefined || now === undefined) return Promise.resolve();
  // Each guest that is built next reserves as much as those that are there did.
  const codeRange = now > CODE_RANGE_MB * MIB ? CODE_RANGE_MB : 0;
  const limit = Math.ceil(now + bytes + (MAPPED_SLACK_MB + codeRange) * MIB);
  return new Promise((resolve) => {
    execFile(prlimit, ['--pid', String(pid), `--data=${limit}`, '--core=0'], () => resolve());
  });
}
