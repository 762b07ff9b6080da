/** The value at that share of the sorted values, between two of them in proportion. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  return low + (high - low) * (at - Math.floor(at));
}

/**
 * How likely it is that so many of `count` fair coins or more agree, in either direction: the two-sided sign test.
 *
 * @param agreeing the larger of both counts
 */
export function signTest(agreeing, count) {
  let ways = 0;
  let combinations = 1;
  for (let n = count; n >= agreeing; n -= 1) {
    ways += combinations;
    combinations = (combinations * n) / (count - n + 1);
  }
  return Math.min(1, (2 * ways) / 2 ** count);
}
