import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** What can be seen of a process from outside; `undefined` where the system does not tell. */
export interface ProcessReadings {
  /** Settles when the first size can be told, if any ever can. */
  readonly known: Promise<void>;
  /** Resident size, bytes. */
  rssBytes(): number | undefined;
  /** CPU time of the main thread, which is the guest's, ms. */
  cpuMs(): number | undefined;
  /** Size of what counts against a data limit, bytes. */
  dataBytes(): number | undefined;
  /** Twice is harmless. */
  close(): void;
}

/**
 * Opens the readings of a process; cheap enough to be taken every few milliseconds.
 *
 * @example
 * const readings = processReadings(child.pid);
 * readings.rssBytes();
 */
export function processReadings(pid: number): ProcessReadings {
  if (process.platform === 'linux') return new ProcReadings(pid);
  return process.platform === 'win32' ? NO_READINGS : new PsReadings(pid);
}

const NO_READINGS: ProcessReadings = {
  known: Promise.resolve(),
  rssBytes: () => undefined,
  cpuMs: () => undefined,
  dataBytes: () => undefined,
  close: () => {},
};

/** Linux: descriptors of /proc are kept open, which costs a microsecond a reading instead of ten. */
class ProcReadings implements ProcessReadings {
  readonly known = Promise.resolve();
  readonly #pid: number;
  #statm: number | undefined;
  #schedstat: number | undefined;
  readonly #buffer = Buffer.allocUnsafe(128);
  readonly #pageBytes: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.#statm = openReading(`/proc/${pid}/statm`);
    this.#schedstat = openReading(`/proc/${pid}/schedstat`);
    this.#pageBytes = pageBytes();
  }

  rssBytes(): number | undefined {
    const pages = Number(this.#read(this.#statm)?.split(' ')[1]);
    return pages > 0 ? pages * this.#pageBytes : undefined;
  }

  cpuMs(): number | undefined {
    // A kernel without scheduler statistics says 0.
    const nanoseconds = Number(this.#read(this.#schedstat)?.split(' ')[0]);
    return nanoseconds > 0 ? nanoseconds / 1e6 : undefined;
  }

  dataBytes(): number | undefined {
    try {
      const line = /^VmData:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'latin1'));
      return line === null ? undefined : Number(line[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  close(): void {
    for (const descriptor of [this.#statm, this.#schedstat]) {
      if (descriptor !== undefined) closeSync(descriptor);
    }
    this.#statm = undefined;
    this.#schedstat = undefined;
  }

  #read(descriptor: number | undefined): string | undefined {
    if (descriptor === undefined) return undefined;
    try {
      const bytes = readSync(descriptor, this.#buffer, 0, this.#buffer.length, 0);
      return this.#buffer.toString('latin1', 0, bytes);
    } catch {
      // The process is gone.
      return undefined;
    }
  }
}

function openReading(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

let knownPageBytes: number | undefined;

/** Bytes of a page: a power of two, found by comparing this process's own size in pages and in bytes. */
function pageBytes(): number {
  if (knownPageBytes === undefined) {
    const pages = Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1]);
    knownPageBytes = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages));
  }
  return knownPageBytes;
}

/** Time between two questions to `ps`, ms. */
const PS_INTERVAL_MS = 250;

/** Other systems: `ps`, asked in the background; a reading is the last answer. */
class PsReadings implements ProcessReadings {
  readonly known: Promise<void>;
  readonly #pid: number;
  #tell!: () => void;
  #rssBytes: number | undefined;
  #isAsking = false;
  #askAt = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.known = new Promise((resolve) => {
      this.#tell = resolve;
    });
    this.rssBytes();
  }

  rssBytes(): number | undefined {
    const now = performance.now();
    if (!this.#isAsking && now >= this.#askAt) {
      this.#isAsking = true;
      this.#askAt = now + PS_INTERVAL_MS;
      execFile('ps', ['-o', 'rss=', '-p', String(this.#pid)], (cause, output) => {
        this.#isAsking = false;
        const kib = Number(output);
        if (cause === null && kib > 0) this.#rssBytes = kib * 1024;
        this.#tell();
      });
    }
    return this.#rssBytes;
  }

  cpuMs(): undefined {}

  dataBytes(): undefined {}

  close(): void {
    this.#isAsking = true;
  }
}
