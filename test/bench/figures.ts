/** A report of the suite as a run would write it, with one case that has a floor, one without a ratio and one failure. */
export const report = {
  machine: '2 cores (Test & Co), Node v20',
  command: 'npm run bench -- seq rss',
  rounds: 3,
  figures: [
    figure('seq', 'floor', 'calls/s', true, [900_000, 1_000_000, 1_100_000], 1),
    figure('seq', 'isolated-vm/process', 'calls/s', true, [19_000, 20_000, 24_000], 0.02),
    figure('seq', 'quickjs/in-process', 'calls/s', true, [9_000, 10_000, 11_000], 0.01),
    {
      case: 'seq',
      system: 'quickjs/process',
      unit: 'calls/s',
      isMoreBetter: true,
      error: 'Error: no <engine>',
    },
    figure('rss', 'floor', 'MB', false, [-0.1, 0.2, 0.3]),
    figure('rss', 'isolated-vm/process', 'MB', false, [3, 4.5, 6]),
  ],
  tables: [{ name: 'tokens', text: 'whole: 100 tokens\n', isMet: true }],
};

function figure(
  name: string,
  system: string,
  unit: string,
  isMoreBetter: boolean,
  rounds: readonly [number, number, number],
  ratio?: number,
) {
  const [low, value, high] = rounds;
  const head = { case: name, system, unit, isMoreBetter, value, low, high, rounds };
  return ratio === undefined ? head : { ...head, ratio };
}
