import type { ToolsService } from '../runtime/contract/service.js';

/** One sub-call as `--json` lists it. */
export interface CallLine {
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly ms: number;
}

/** Told of sub-calls as they start and end. */
export interface CallObserver {
  started(n: number, name: string): void;
  ended(n: number, name: string, ms: number, ok: boolean): void;
}

/**
 * Follows the sub-calls of programs, in the order in which they start.
 *
 * @returns the finished calls so far, in start order
 * @example
 * const calls = followCalls(tools, progressLines(process.stderr));
 */
export function followCalls(tools: ToolsService, observer: CallObserver): () => readonly CallLine[] {
  const started = new Map<symbol, { readonly n: number; readonly at: number }>();
  const lines: (CallLine | undefined)[] = [];
  tools.on(
    'tools/pre-execute',
    (exec, next) => {
      if (exec.parent !== undefined) {
        lines.push(undefined);
        started.set(exec.token, { n: lines.length, at: performance.now() });
        observer.started(lines.length, exec.name);
      }
      return next();
    },
    { prepend: true },
  );
  tools.on('tools/result', (exec, result) => {
    const call = started.get(exec.token);
    if (!call) return;
    started.delete(exec.token);
    const ms = Math.round((performance.now() - call.at) * 10) / 10;
    lines[call.n - 1] = { id: exec.callId, name: exec.name, ok: !result.isError, ms };
    observer.ended(call.n, exec.name, ms, !result.isError);
  });
  return () => lines.filter((line) => line !== undefined);
}
