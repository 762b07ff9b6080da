/** One armed timer of a guest. */
interface Armed {
  readonly id: number;
  readonly dueAt: number;
}

/** Cleared timers that the heap may hold beyond as many as are armed. */
const SLACK = 1024;

/**
 * The timers of one guest on one host timer. Ids count 1, 2, 3 … in the order of arming; due ones are told in due order, and
 * those due at once in order of arming.
 *
 * @example
 * const timers = new RunTimers(100, (ids) => send(ids));
 * timers.arm(1, 250); // true
 * timers.clear(1);
 */
export class RunTimers {
  readonly #maxArmed: number;
  readonly #onDue: (ids: readonly number[]) => void;
  /** A binary heap by time, then id; cleared timers stay until they surface. */
  #heap: Armed[] = [];
  readonly #armed = new Set<number>();
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  /** @param maxArmed timers armed at once */
  constructor(maxArmed: number, onDue: (ids: readonly number[]) => void) {
    this.#maxArmed = maxArmed;
    this.#onDue = onDue;
  }

  /** Timers that are armed now. */
  get size(): number {
    return this.#armed.size;
  }

  /**
   * Arms one.
   *
   * @param delayMs ms; a timer is never early
   * @returns what is wrong with it, as text
   */
  arm(id: number, delayMs: number): string | undefined {
    if (id !== this.#lastId + 1) return `timer ${id} after timer ${this.#lastId}`;
    this.#lastId = id;
    if (this.#armed.size >= this.#maxArmed) return `more than ${this.#maxArmed} timers at once`;
    this.#armed.add(id);
    const armed = { id, dueAt: performance.now() + delayMs };
    push(this.#heap, armed);
    if (armed.dueAt < this.#wakesAt) this.#wakeAt(armed.dueAt);
    return undefined;
  }

  /**
   * Disarms one; one that has fired already is left alone.
   *
   * @returns what is wrong with it, as text
   */
  clear(id: number): string | undefined {
    if (id > this.#lastId) return `no timer ${id} to clear`;
    this.#armed.delete(id);
    if (this.#heap.length > 2 * this.#armed.size + SLACK) this.#compact();
    return undefined;
  }

  /** Disarms all. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armed.clear();
    this.#heap = [];
  }

  #compact(): void {
    this.#heap = this.#heap.filter(({ id }) => this.#armed.has(id));
    // A sorted list is a heap.
    this.#heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  #wakeAt(time: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.ceil(time - performance.now())));
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const due: number[] = [];
    for (let next = this.#heap[0]; next !== undefined; next = this.#heap[0]) {
      if (this.#armed.has(next.id) && next.dueAt > now) break;
      pop(this.#heap);
      if (this.#armed.delete(next.id)) due.push(next.id);
    }
    const next = this.#heap[0];
    if (next !== undefined) this.#wakeAt(next.dueAt);
    if (due.length > 0) this.#onDue(due);
  }
}

function isBefore(a: Armed, b: Armed): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id < b.id);
}

function push(heap: Armed[], item: Armed): void {
  let index = heap.length;
  heap.push(item);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isBefore(item, heap[parent]!)) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = item;
}

function pop(heap: Armed[]): void {
  const item = heap.pop();
  if (item === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, item)) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = item;
}
