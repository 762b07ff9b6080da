/** What a process needs after a run to make the guest of its next one, ms. */
const REST_MS = 4;

/** A process without work. */
export interface Resting {
  /** Since when, ms. */
  readonly idleSince: number;
}

/**
 * Whether one idle process is to be taken before another: of those that have had time to make their next guest the one that
 * worked last, since its caches are warm; else the one that has rested longest, so that programs in a row take turns.
 *
 * @param now ms, of the clock of `idleSince`
 * @example
 * isFitter({ idleSince: 90 }, { idleSince: 50 }, 100); // true: both are ready, and it worked last
 */
export function isFitter(host: Resting, than: Resting, now: number): boolean {
  const isRested = now - host.idleSince >= REST_MS;
  const isOtherRested = now - than.idleSince >= REST_MS;
  if (isRested !== isOtherRested) return isRested;
  return isRested ? host.idleSince > than.idleSince : host.idleSince < than.idleSince;
}
