import { cases } from './cases.js';
import { figure, markdownTable, systemName } from './format.js';
import { quantile, signTest } from './statistics.js';
import { take } from './take.js';

/**
 * Takes a case for both sides in alternating fresh processes: each round one pair, the side that starts changes.
 *
 * @param sides two URLs of built entries
 * @returns for each round the figure of the first side and that of the second
 */
export async function takePairs(name, system, sides, rounds, takeOne = take) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const pair = [];
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0])
      pair[side] = await takeOne(name, system, sides[side]);
    pairs.push(pair);
  }
  return pairs;
}

/** Medians of both sides, and the median, lowest and highest of the rounds' ratios (second over first). */
export function comparedOf(name, system, pairs) {
  const { unit, isMoreBetter, isRatioMeaningful = true } = cases[name];
  const side = (index) =>
    quantile(
      pairs.map((pair) => pair[index]),
      0.5,
    );
  const head = { case: name, system, unit, isMoreBetter, first: side(0), second: side(1), pairs };
  if (!isRatioMeaningful) return head;
  const ratios = pairs.map(([first, second]) => second / first);
  return { ...head, ratio: quantile(ratios, 0.5), low: quantile(ratios, 0), high: quantile(ratios, 1) };
}

/** A direction that so many rounds share by chance less often than this counts as real. */
const CHANCE = 0.05;

/** What the rounds say: nothing is called better or worse while so many may well agree by chance. */
export function verdictOf({ ratio, pairs, isMoreBetter }) {
  if (ratio === undefined) return '';
  const grown = pairs.filter(([first, second]) => second > first).length;
  const shrunk = pairs.filter(([first, second]) => second < first).length;
  if (signTest(Math.max(grown, shrunk), pairs.length) > CHANCE) return 'no clear difference';
  const isBetter = grown > shrunk === isMoreBetter;
  const times = Math.max(ratio, 1 / ratio);
  return `${isBetter ? 'better' : 'worse'}, ${times.toFixed(2)} times`;
}

/** The comparison as a table of Markdown. */
export function comparisonTable(rows, [first, second]) {
  return markdownTable(
    ['case', 'system', first, second, 'unit', 'ratio', 'lowest–highest', 'verdict'],
    rows.map((row) =>
      row.error === undefined
        ? [
            row.case,
            systemName(row.system),
            figure(row.first),
            figure(row.second),
            row.unit,
            row.ratio === undefined ? '' : row.ratio.toFixed(3),
            row.ratio === undefined ? '' : `${row.low.toFixed(3)}–${row.high.toFixed(3)}`,
            verdictOf(row),
          ]
        : [row.case, systemName(row.system), '', '', row.unit, '', '', `failed: ${row.error}`],
    ),
    2,
  );
}
