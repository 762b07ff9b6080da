import { describe, expect, it } from 'vitest';
import { isFitter } from '#dist/runtime/sandbox/fitter-process.js';

/** The process that is taken of some, by the time since when they rest; the time is 100. */
const taken = (...since: number[]) =>
  since.map((idleSince) => ({ idleSince })).reduce((best, host) => (isFitter(host, best, 100) ? host : best))
    .idleSince;

describe('the process that serves the next program', () => {
  it('M40: of those that had time to make their next guest it is the one that worked last', () => {
    expect([taken(10, 96, 50), taken(96, 10), taken(50, 96)]).toEqual([96, 96, 96]);
  });

  it('M40: one that is still making its guest is left alone while another is ready', () => {
    expect([taken(97, 10), taken(10, 97), taken(99, 98, 95)]).toEqual([10, 10, 95]);
  });

  it('M40: where all are making theirs, programs in a row take turns', () => {
    expect([taken(97, 99), taken(99, 97), taken(99, 98, 97)]).toEqual([97, 97, 97]);
  });
});
