import { describe, expect, it } from 'vitest';
import { load } from './load.ts';

const { figuresOf, takeRounds } = await load('take.js');
const { comparedOf, comparisonTable, takePairs, verdictOf } = await load('pairs.js');
const { quantile, signTest } = await load('statistics.js');

describe('rounds', () => {
  it('each round takes every system once, every other round backwards; the floor is one of them', async () => {
    const order: string[] = [];
    await takeRounds('seq', ['floor', 'a', 'b'], 3, async (name: string, system: string) => {
      order.push(`${name} ${system}`);
      return 1;
    });
    expect(order).toEqual(
      ['floor', 'a', 'b', 'b', 'a', 'floor', 'floor', 'a', 'b'].map((system) => `seq ${system}`),
    );
  });

  it('a system that fails is told as that, is not tried again, and takes no other along', async () => {
    let tries = 0;
    const taken = await takeRounds('seq', ['floor', 'a'], 3, async (_: string, system: string) => {
      if (system === 'floor') return 100;
      tries += 1;
      throw new Error('no engine');
    });
    expect(tries).toBe(1);
    expect(figuresOf('seq', taken)).toEqual([
      expect.objectContaining({ system: 'floor', value: 100, ratio: 1 }),
      { case: 'seq', system: 'a', unit: 'calls/s', isMoreBetter: true, error: 'no engine' },
    ]);
  });

  it('a figure is the median of its rounds with their extremes, over the median of the floor', () => {
    const taken = new Map([
      ['floor', { raw: [90, 100, 130] }],
      ['a', { raw: [30, 10, 25] }],
    ]);
    expect(figuresOf('seq', taken)[1]).toMatchObject({
      value: 25,
      low: 10,
      high: 30,
      rounds: [30, 10, 25],
      ratio: 0.25,
    });
  });

  it('growth of memory has no ratio, since its floor is about nothing', () => {
    const taken = new Map([
      ['floor', { raw: [0.001] }],
      ['a', { raw: [4] }],
    ]);
    expect(figuresOf('rss', taken)[1]).not.toHaveProperty('ratio');
  });

  it('without a floor there are figures and no ratios', () => {
    const taken = new Map([
      ['floor', { raw: [], error: 'no' }],
      ['a', { raw: [4] }],
    ]);
    expect(figuresOf('seq', taken)[1]).toMatchObject({ value: 4 });
    expect(figuresOf('seq', taken)[1]).not.toHaveProperty('ratio');
  });
});

describe('pairs', () => {
  it('both sides are taken in each round, the side that starts alternates', async () => {
    const order: string[] = [];
    const pairs = await takePairs(
      'seq',
      'a',
      ['old', 'new'],
      3,
      async (_n: string, _s: string, side: string) => {
        order.push(side);
        return order.length;
      },
    );
    expect(order).toEqual(['old', 'new', 'new', 'old', 'old', 'new']);
    expect(pairs).toEqual([
      [1, 2],
      [4, 3],
      [5, 6],
    ]);
  });

  it('the ratio is the median of the pairs, not the ratio of the medians', () => {
    const row = comparedOf('seq', 'isolated-vm/process', [
      [100, 200],
      [10, 11],
      [50, 60],
    ]);
    expect(row).toMatchObject({ first: 50, second: 60, ratio: 1.2, low: 1.1, high: 2 });
  });

  const seven = (second: (first: number) => number) =>
    [100, 101, 102, 103, 104, 105, 106].map((first) => [first, second(first)]);

  it('a direction is named when all of seven pairs share it, and is read by what is better in the case', () => {
    expect(
      verdictOf(
        comparedOf(
          'seq',
          'a/b',
          seven((x) => x * 2),
        ),
      ),
    ).toBe('better, 2.00 times');
    expect(
      verdictOf(
        comparedOf(
          'overlap',
          'a/b',
          seven((x) => x * 2),
        ),
      ),
    ).toBe('worse, 2.00 times');
    expect(
      verdictOf(
        comparedOf(
          'overlap',
          'a/b',
          seven((x) => x / 4),
        ),
      ),
    ).toBe('better, 4.00 times');
  });

  it('no direction is named when the pairs disagree, nor when they are too few to tell', () => {
    const mixed = seven((x) => (x < 102 ? x / 2 : x * 2));
    expect(verdictOf(comparedOf('seq', 'a/b', mixed))).toBe('no clear difference');
    const few = seven((x) => x * 2).slice(0, 5);
    expect(verdictOf(comparedOf('seq', 'a/b', few))).toBe('no clear difference');
    expect(
      verdictOf(
        comparedOf(
          'seq',
          'a/b',
          seven((x) => x),
        ),
      ),
    ).toBe('no clear difference');
  });

  it('the table has both medians, the ratio with its spread and the verdict, or why a case failed', () => {
    const rows = [
      comparedOf(
        'seq',
        'isolated-vm/process/10',
        seven((x) => x * 2),
      ),
      { case: 'par', system: 'quickjs/process', unit: 'calls/s', error: 'Error: no' },
    ];
    const lines = comparisonTable(rows, ['A main', 'B .']).split('\n');
    expect(lines[2]).toMatch(
      /^\| seq +\| isolated-vm, process, 10 runs each +\| +103 +\| +206 \| calls\/s \| 2\.000 \| +2\.000–2\.000 \| +better, 2\.00 times \|$/,
    );
    expect(lines[3]).toMatch(/^\| par +\| quickjs, process .*\| +failed: Error: no \|$/);
  });
});

describe('statistics', () => {
  it('a quantile between two values lies between them in proportion', () => {
    expect(quantile([4, 1, 2, 3], 0.5)).toBe(2.5);
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([5], 0.95)).toBe(5);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
  });

  it('the sign test counts both directions', () => {
    expect(signTest(7, 7)).toBeCloseTo(2 / 128, 12);
    expect(signTest(8, 9)).toBeCloseTo((2 * 10) / 512, 12);
    expect(signTest(2, 4)).toBe(1);
  });
});
