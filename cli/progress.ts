import type { CallObserver } from './call-log.js';

/** Where progress goes: a terminal gets a live last line, anything else plain lines. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Progress of one command; `end` clears the live line. */
export interface Progress extends CallObserver {
  end(): void;
}

/**
 * Shows each sub-call as it starts and ends.
 *
 * @example
 * const progress = showProgress(process.stderr);
 */
export function showProgress(stream: ProgressStream): Progress {
  return stream.isTTY ? liveProgress(stream) : plainProgress(stream);
}

/** Shows nothing. */
export const silentProgress: Progress = { started() {}, ended() {}, end() {} };

function plainProgress(stream: ProgressStream): Progress {
  return {
    started: (n, name) => void stream.write(`-> ${n} ${name}\n`),
    ended: (n, name, ms, ok) => void stream.write(`<- ${n} ${name} ${ms} ms ${ok ? 'ok' : 'failed'}\n`),
    end() {},
  };
}

function liveProgress(stream: ProgressStream): Progress {
  const running = new Map<number, string>();
  const clear = '\r\u001b[2K';
  const status = (): string => {
    if (running.size === 0) return '';
    const line = `${running.size} running: ${[...running].map(([n, name]) => `${n} ${name}`).join(', ')}`;
    return line.slice(0, (stream.columns ?? 80) - 1);
  };
  return {
    started(n, name) {
      running.set(n, name);
      stream.write(`${clear}${status()}`);
    },
    ended(n, name, ms, ok) {
      running.delete(n);
      stream.write(`${clear}${ok ? '✓' : '✗'} ${n} ${name} ${ms} ms ${ok ? 'ok' : 'failed'}\n${status()}`);
    },
    end: () => void stream.write(clear),
  };
}
