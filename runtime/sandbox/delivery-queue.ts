/** One settled call on its way to the guest: the JSON text of a `Delivery`. */
interface Settled {
  readonly text: string;
  readonly bytes: number;
  readonly isFailure: boolean;
}

/** Brackets and commas of a frame, per delivery. */
const PUNCTUATION = 2;

/**
 * Gathers what settles in one tick into frames.
 *
 * Calls that succeed one after the other share a frame; a failure travels alone, since an engine may tell only the first
 * unhandled rejection of an entry. The order of settling is kept. What exceeds the bytes that may be under way waits until the
 * guest has taken some; one delivery always fits.
 *
 * @example
 * const queue = new DeliveryQueue(1024, (payload) => line.send(HostFrame.deliver, payload, 100));
 * queue.add('[1,0,42]', false);
 */
export class DeliveryQueue {
  readonly #maxBytes: number;
  readonly #send: (payload: string) => void;
  #waiting: Settled[] = [];
  /** Bytes of each frame that the guest has not answered, oldest first. */
  readonly #underWay: number[] = [];
  #underWayBytes = 0;
  #isScheduled = false;
  #isFlushing = false;
  #isClosed = false;

  /** @param maxBytes UTF-8 bytes under way */
  constructor(maxBytes: number, send: (payload: string) => void) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  /** Whether nothing waits and nothing is under way. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#underWay.length === 0;
  }

  /**
   * Takes one settled call; it leaves when the microtasks of this tick are done.
   *
   * @param text JSON of a `Delivery`
   */
  add(text: string, isFailure: boolean): void {
    if (this.#isClosed) return;
    this.#waiting.push({ text, bytes: Buffer.byteLength(text) + PUNCTUATION, isFailure });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Queued from a microtask, it runs after all of them: what settles together leaves together.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  /** The guest has answered the oldest frame. */
  answered(): void {
    this.#underWayBytes -= this.#underWay.shift() ?? 0;
    // In-process the answer comes before `send` returns.
    if (this.#waiting.length > 0 && !this.#isScheduled && !this.#isFlushing) this.#flush();
  }

  /** Drops everything, now and later. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  #flush(): void {
    this.#isFlushing = true;
    let next = 0;
    while (next < this.#waiting.length && this.#hasRoom(this.#waiting[next]!.bytes)) {
      const end = this.#frameEnd(next);
      const frame = this.#waiting.slice(next, end);
      next = end;
      const bytes = frame.reduce((sum, item) => sum + item.bytes, 0);
      this.#underWay.push(bytes);
      this.#underWayBytes += bytes;
      this.#send(`[${frame.map(({ text }) => text).join(',')}]`);
      if (this.#isClosed) next = 0;
    }
    if (next > 0) this.#waiting = this.#waiting.slice(next);
    this.#isFlushing = false;
  }

  #hasRoom(bytes: number): boolean {
    return this.#underWay.length === 0 || this.#underWayBytes + bytes <= this.#maxBytes;
  }

  /** The end of the frame that starts at `start`. */
  #frameEnd(start: number): number {
    if (this.#waiting[start]!.isFailure) return start + 1;
    let end = start + 1;
    let bytes = this.#underWayBytes + this.#waiting[start]!.bytes;
    for (; end < this.#waiting.length; end += 1) {
      const item = this.#waiting[end]!;
      bytes += item.bytes;
      if (item.isFailure || bytes > this.#maxBytes) break;
    }
    return end;
  }
}
