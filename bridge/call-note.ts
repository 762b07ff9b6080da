import type { SourcePosition } from '../runtime/contract/execution.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import { briefJson, briefText } from './brief-json.js';
import type { SubCallNote, SubCallState } from './sub-call-note.js';

/** Characters of arguments and of the outcome that a text shows. */
const SHOWN_CHARS = 120;

/** Up to so many slots, and characters of each text in them, a flat value takes no more room than its text. */
const SMALL_SLOTS = 6;
const SMALL_CHARS = 80;

/**
 * The note of one call. What a call carried may be large, so only a small value is kept: its text is written when somebody asks
 * for it, which is hardly ever. Of any other only the text is kept.
 */
export class CallNote implements SubCallNote {
  readonly n: number;
  readonly name: string;
  readonly position: SourcePosition | undefined;
  readonly state: SubCallState;
  readonly wasGivenUp: boolean;
  readonly ok: boolean;
  readonly #args: unknown;
  readonly #outcome: unknown;
  /** Which of the two are texts already. */
  readonly #hasArgsText: boolean;
  readonly #hasOutcomeText: boolean;

  /** @param result its outcome, if it has one */
  constructor(
    n: number,
    name: string,
    position: SourcePosition | undefined,
    state: SubCallState,
    wasGivenUp: boolean,
    args: unknown,
    result: ToolExecutionResult | undefined,
  ) {
    this.n = n;
    this.name = name;
    this.position = position;
    this.state = state;
    this.wasGivenUp = wasGivenUp;
    this.ok = result?.isError === false;
    this.#hasArgsText = !isSmall(args);
    this.#args = this.#hasArgsText ? briefJson(args, SHOWN_CHARS) : args;
    if (result === undefined || result.isError) {
      this.#hasOutcomeText = true;
      this.#outcome = result === undefined ? '' : briefText(result.error.message, SHOWN_CHARS);
    } else {
      this.#hasOutcomeText = !isSmall(result.value);
      this.#outcome = this.#hasOutcomeText ? briefJson(result.value, SHOWN_CHARS) : result.value;
    }
  }

  get args(): string {
    return this.#hasArgsText ? (this.#args as string) : briefJson(this.#args, SHOWN_CHARS);
  }

  get outcome(): string {
    return this.#hasOutcomeText ? (this.#outcome as string) : briefJson(this.#outcome, SHOWN_CHARS);
  }
}

function isSmall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isSmallScalar(value);
  let slots = 0;
  for (const key in value) {
    slots += 1;
    if (slots > SMALL_SLOTS || key.length > SMALL_CHARS) return false;
    const item = (value as { readonly [key: string]: unknown })[key];
    if ((typeof item === 'object' && item !== null) || !isSmallScalar(item)) return false;
  }
  return true;
}

function isSmallScalar(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= SMALL_CHARS;
}
