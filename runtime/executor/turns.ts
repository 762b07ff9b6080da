const STARTS_PER_TURN = 128;
/** Kept from before anybody could replace it. */
const nextTurn = setImmediate;

/** Gives the event loop a turn after so many starts, so that one long queue starves nothing else in the process. */
export class Turns {
  readonly #resume: () => void;
  #taken = 0;
  #isWaiting = false;

  /** @param resume called once the loop has turned after a refusal */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /** Whether one more start fits into this turn. */
  take(): boolean {
    if (this.#taken < STARTS_PER_TURN) {
      this.#taken += 1;
      return true;
    }
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      nextTurn(() => {
        this.#isWaiting = false;
        this.#taken = 0;
        this.#resume();
      });
    }
    return false;
  }
}
