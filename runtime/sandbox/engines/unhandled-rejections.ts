import { PROGRAM_FILE } from '../guest/prelude.js';
import type { GuestFailure } from '../guest/run-types.js';

/** One note of the guest: the kind of a reason, its text, its stack; nothing of a reason that shows nothing. */
type LateNote = readonly [kind?: string, text?: string | null, stack?: string | null];

/** Different reasons that are kept apart. */
const MAX_CANDIDATES = 10_000;
interface Candidate {
  readonly failure: GuestFailure;
  /** Kind and text, which are cheap to compare. */
  readonly look: string;
  count: number;
}

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
  /** By what the engine's copy and a note have in common, oldest first. */
  readonly #candidates = new Map<string, Candidate>();
  readonly #opaqueMessage: string;

  /** @param opaqueMessage the message of the engine's copy of a reason that it cannot copy */
  constructor(opaqueMessage: string) {
    this.#opaqueMessage = opaqueMessage;
  }

  get isEmpty(): boolean {
    return this.#candidates.size === 0;
  }

  /** Files the engine's copy of a reason. */
  add(reason: unknown): void {
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
    const note: LateNote = opaque
      ? []
      : error === undefined
        ? [reason === null ? 'object' : typeof reason, String(reason).slice(0, 500)]
        : ['error', error.message.slice(0, 500), String(error.stack)];
    const key = keyOf(note);
    const known = this.#candidates.get(key);
    if (known !== undefined) known.count += 1;
    if (known !== undefined || this.#candidates.size >= MAX_CANDIDATES) return;
    const failure: GuestFailure = {
      kind: 'exception',
      header,
      frames,
      ...(error === undefined || opaque ? {} : { name: error.name, message: error.message }),
      tail: ['  (a promise was rejected with this and nothing awaited it)'],
    };
    this.#candidates.set(key, { failure, look: lookOf(note), count: 1 });
  }

  /**
   * Drops what was observed after all.
   *
   * @param notesJson the guest's notes
   * @returns the first that nobody has observed
   */
  judge(notesJson: string): GuestFailure | undefined {
    const known = new Set([...this.#candidates.values()].map(({ look }) => look));
    for (const note of JSON.parse(notesJson) as readonly LateNote[]) {
      // Most are of rejections that were observed in time: their stacks need not be read.
      if (!known.has(lookOf(note))) continue;
      const key = keyOf(note);
      const candidate = this.#candidates.get(key);
      if (candidate === undefined) continue;
      candidate.count -= 1;
      if (candidate.count === 0) this.#candidates.delete(key);
    }
    const [first] = this.#candidates.values();
    return first?.failure;
  }
}

function lookOf([kind, text]: readonly [
  kind?: string | undefined,
  text?: string | null | undefined,
  ...rest: unknown[],
]): string {
  return JSON.stringify([kind, text ?? '']);
}

/** The engine rebuilds the first line of a stack and garbles names, so that only places are compared. */
function keyOf([kind, text, stack]: LateNote): string {
  const look = lookOf([kind, text]);
  if (kind !== 'error') return look;
  const places = stackFrames(stack ?? '').map(([, line, column]) => `${line}:${column}`);
  return `${look} ${places.join(' ')}`;
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
