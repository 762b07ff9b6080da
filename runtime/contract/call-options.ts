/** What a program may add to one of its calls, as the second argument. */
export interface CallOptions {
  /** Deadline of this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Gives the call up when it aborts. */
  readonly signal?: AbortSignal;
}
