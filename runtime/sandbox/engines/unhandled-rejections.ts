import { PROGRAM_FILE } from '../guest/prelude.js';
import type { GuestFailure } from '../guest/run-types.js';

/** One note of the guest: the kind of a reason, its text, its stack; nothing of a reason that shows nothing. */
type LateNote = readonly [kind?: string, text?: string | null, stack?: string | null];

const MAX_CANDIDATES = 1000;
const MAX_FRAMES = 10;
/** Characters of a hostile stack, and of one of its lines, that are looked at. */
const MAX_STACK = 20_000;
const MAX_LINE = 500;
const STACK_LINE = new RegExp(
  `^ {4}at (?:(.*) \\()?.*?${PROGRAM_FILE.replace('.', '\\.')}:(\\d+):(\\d+)\\)*$`,
);

/**
 * Rejections that nobody had handled when an entry ended. Each is only a candidate: a program may await such a promise
 * later, and then the guest notes it. What nobody has observed when the run ends was unhandled.
 */
export class UnhandledRejections {
  readonly #candidates: { readonly key: string; readonly failure: GuestFailure }[] = [];
  readonly #opaqueMessage: string;

  /** @param opaqueMessage the message of the engine's copy of a reason that it cannot copy */
  constructor(opaqueMessage: string) {
    this.#opaqueMessage = opaqueMessage;
  }

  get isEmpty(): boolean {
    return this.#candidates.length === 0;
  }

  /** Files the engine's copy of a reason. */
  add(reason: unknown): void {
    if (this.#candidates.length >= MAX_CANDIDATES) return;
    const error = reason instanceof Error ? reason : undefined;
    const opaque = error !== undefined && error.message === this.#opaqueMessage;
    const frames = error === undefined || opaque ? [] : stackFrames(behindMessage(error));
    const header = opaque
      ? 'a value that is not an error'
      : error === undefined
        ? String(reason)
        : error.message === ''
          ? error.name
          : `${error.name}: ${error.message}`;
    const key = opaque
      ? keyOf([])
      : error === undefined
        ? keyOf([reason === null ? 'object' : typeof reason, String(reason).slice(0, 500)])
        : keyOf(['error', error.message.slice(0, 500), String(error.stack)]);
    this.#candidates.push({
      key,
      failure: {
        kind: 'exception',
        header,
        frames,
        ...(error === undefined || opaque ? {} : { name: error.name, message: error.message }),
        tail: ['  (a promise was rejected with this and nothing awaited it)'],
      },
    });
  }

  /**
   * Drops what was observed after all.
   *
   * @param notesJson the guest's notes
   * @returns the first that nobody has observed
   */
  judge(notesJson: string): GuestFailure | undefined {
    for (const note of JSON.parse(notesJson) as readonly LateNote[]) {
      const key = keyOf(note);
      const at = this.#candidates.findIndex((candidate) => candidate.key === key);
      if (at >= 0) this.#candidates.splice(at, 1);
    }
    return this.#candidates[0]?.failure;
  }
}

/** The engine rebuilds the first line of a stack and garbles names, so that only places are compared. */
function keyOf([kind, text, stack]: LateNote): string {
  if (kind !== 'error') return JSON.stringify([kind, text]);
  const places = stackFrames(stack ?? '').map(([, line, column]) => `${line}:${column}`);
  return JSON.stringify([kind, text ?? '', ...places]);
}

/** The stack without the message, whose text may look like places; the engine repeats all of it but the first line. */
function behindMessage({ message, stack: own }: Error): string {
  const stack = String(own);
  const start = stack.indexOf(': ') + 2;
  if (message === '' || start < 2 || !stack.startsWith(message, start)) return stack;
  const end = start + message.length;
  const lineEnd = message.indexOf('\n');
  const repeated = lineEnd < 0 ? '' : message.slice(lineEnd);
  return stack.slice(stack.startsWith(repeated, end) ? end + repeated.length : end);
}

function stackFrames(stack: string): [name: string, line: number, column: number][] {
  return stack
    .slice(0, MAX_STACK)
    .split('\n')
    .filter((line) => line.length <= MAX_LINE)
    .flatMap((line): [string, number, number][] => {
      const match = STACK_LINE.exec(line);
      return match === null ? [] : [[match[1] ?? '', Number(match[2]), Number(match[3])]];
    })
    .slice(0, MAX_FRAMES);
}
