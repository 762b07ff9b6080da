import { randomBytes } from 'node:crypto';
import { partText } from '../guest/guest-texts.js';
import { ENTRIES_AT_ONCE, HostOp } from '../guest/prelude.js';
import { urlFields } from '../guest/url-fields.js';
import type { GuestHooks } from '../peer-types.js';

/** Answers what a guest asks. It gets text of a hostile program, returns text and never throws. */
export class HostCalls {
  #hooks: GuestHooks | undefined;
  #closed = false;
  #overflowed = false;
  #isLeaving = false;
  #logs = 0;
  readonly #onHalt: () => void;

  /** @param onHalt stops the guest for good; called while the guest is running */
  constructor(onHalt: () => void) {
    this.#onHalt = onHalt;
  }

  set hooks(hooks: GuestHooks) {
    this.#hooks = hooks;
  }

  /** The guest passed its output cap. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** The guest may hold log entries that it has not sent. */
  get mayHoldLogs(): boolean {
    return this.#logs >= ENTRIES_AT_ONCE;
  }

  /** From now on only the guest's last words are heard. */
  expectLastWords(): void {
    this.#isLeaving = true;
  }

  /** From now on nothing that the guest says is heard. */
  close(): void {
    this.#closed = true;
  }

  /** @returns what the guest asked for; the empty text where there is nothing to say */
  answer(op: unknown, text: unknown): string {
    if (this.#closed || typeof text !== 'string') return '';
    if (this.#isLeaving && op !== HostOp.lastWords) return '';
    switch (op) {
      case HostOp.lastWords:
        if (text !== '') this.#hooks?.log(`[${text}]`);
        this.#closed = true;
        this.#onHalt();
        return '';
      case HostOp.log:
        this.#logs++;
        this.#hooks?.log(text);
        return '';
      case HostOp.part:
        return partText(text);
      case HostOp.url:
        return urlFields(text);
      case HostOp.locate: {
        const [line = 0, column = 0] = text.split(',').map(Number);
        return this.#hooks?.locate(line, column) ?? '';
      }
      case HostOp.halt:
        this.#overflowed = true;
        this.#closed = true;
        this.#onHalt();
        return '';
      case HostOp.entropy:
        return randomBytes(256).toString('hex');
      default:
        return '';
    }
  }
}
