import type { BindingOutcome } from './binding-outcome.js';

/** Sent settled calls that the list may begin with before it is cut. */
const SLACK = 1024;

/**
 * Gathers what settles in one tick into frames.
 *
 * Calls that succeed one after the other share a frame; a failure travels alone, since an engine may tell only the first
 * unhandled rejection of an entry. The order of settling is kept. What exceeds the bytes that may be under way waits until the
 * guest has taken some; one delivery always fits.
 *
 * @example
 * const queue = new DeliveryQueue(1024, (payload, bytes) => line.send(HostFrame.deliver, payload, 100));
 * queue.add({ text: '[1,0,42]', bytes: 8, ok: true });
 */
export class DeliveryQueue {
  readonly #maxBytes: number;
  readonly #send: (payload: string, bytes: number) => void;
  /** In the order of settling; those before `#next` have been sent. */
  #waiting: BindingOutcome[] = [];
  #next = 0;
  /** Bytes of each frame that the guest has not answered, oldest first. */
  readonly #underWay: number[] = [];
  #underWayBytes = 0;
  #isScheduled = false;
  #isFlushing = false;
  #isClosed = false;

  /**
   * @param maxBytes UTF-8 bytes under way
   * @param send sends a frame, of so many UTF-8 bytes
   */
  constructor(maxBytes: number, send: (payload: string, bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  /** Whether nothing waits and nothing is under way. */
  get isEmpty(): boolean {
    return this.#next === this.#waiting.length && this.#underWay.length === 0;
  }

  /** Takes one settled call; it leaves when the microtasks of this tick are done. */
  add(outcome: BindingOutcome): void {
    if (this.#isClosed) return;
    this.#waiting.push(outcome);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Queued from a microtask, it runs after all of them: what settles together leaves together.
    process.nextTick(this.#leave);
  }

  /** The guest has answered the oldest frame. */
  answered(): void {
    this.#underWayBytes -= this.#underWay.shift() ?? 0;
    // In-process the answer comes before `send` returns.
    if (this.#next < this.#waiting.length && !this.#isScheduled && !this.#isFlushing) this.#flush();
  }

  /** Drops everything, now and later. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#next = 0;
  }

  readonly #leave = (): void => {
    this.#isScheduled = false;
    this.#flush();
  };

  #flush(): void {
    this.#isFlushing = true;
    while (this.#next < this.#waiting.length && this.#hasRoom(this.#waiting[this.#next]!.bytes)) {
      this.#sendFrame();
    }
    if (this.#next === this.#waiting.length || this.#next > SLACK) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    this.#isFlushing = false;
  }

  #hasRoom(bytes: number): boolean {
    return this.#underWay.length === 0 || this.#underWayBytes + bytes <= this.#maxBytes;
  }

  /** Sends the first that wait: as many as may share a frame and have room. */
  #sendFrame(): void {
    const first = this.#waiting[this.#next]!;
    this.#next += 1;
    let payload = `[${first.text}`;
    let bytes = first.bytes + 2;
    if (first.ok) {
      for (; this.#next < this.#waiting.length; this.#next += 1) {
        const { text, bytes: more, ok } = this.#waiting[this.#next]!;
        if (!ok || this.#underWayBytes + bytes + more > this.#maxBytes) break;
        payload += `,${text}`;
        bytes += more + 1;
      }
    }
    this.#underWay.push(bytes);
    this.#underWayBytes += bytes;
    this.#send(`${payload}]`, bytes);
  }
}
