import { figure, markdownTable, spread, systemName } from './format.js';

const BAR = 24;

/** How far a figure reaches beside the best of its case, the floor left out: 1 is the best one. */
export function shareOfBest(entry, figures) {
  const values = figures
    .filter((other) => other.case === entry.case && other.system !== 'floor' && other.error === undefined)
    .map(({ value }) => value);
  const best = entry.isMoreBetter ? Math.max(...values) : Math.min(...values);
  if (entry.value <= 0 || best <= 0) return entry.value <= best ? 1 : 0;
  return entry.isMoreBetter ? entry.value / best : best / entry.value;
}

const ratioText = ({ ratio }) => (ratio === undefined ? '' : `${figure(ratio)} × floor`);

/** One line of the terminal. The bar shows how near a system is to the best one of its case. */
export function textLine(entry, figures) {
  const head = `${entry.case.padEnd(8)} ${systemName(entry.system).padEnd(34)}`;
  if (entry.error !== undefined) return `${head} failed: ${entry.error}`;
  const isFloor = entry.system === 'floor';
  const bar = isFloor ? '' : '█'.repeat(Math.max(1, Math.round(shareOfBest(entry, figures) * BAR)));
  const columns = [
    figure(entry.value).padStart(10),
    entry.unit.padEnd(8),
    `(${spread(entry)})`.padEnd(22),
    (isFloor ? '' : ratioText(entry)).padEnd(14),
  ];
  return `${head} ${columns.join(' ')} ${bar}`.trimEnd();
}

function cell(entry) {
  if (entry === undefined) return '';
  if (entry.error !== undefined) return 'failed';
  return entry.ratio === undefined || entry.system === 'floor'
    ? figure(entry.value)
    : `${figure(entry.value)} (${figure(entry.ratio)})`;
}

/**
 * The figures as a Markdown page: one table over all systems, one with the spread of each figure, then the other tables as
 * they were printed.
 *
 * @param report what `npm run bench -- --json` writes
 */
export function markdown({ machine, rounds, figures, tables, command }) {
  const systems = [...new Set(figures.map(({ system }) => system))];
  const names = [...new Set(figures.map((entry) => entry.case))];
  const of = (name, system) => figures.find((entry) => entry.case === name && entry.system === system);
  const unitOf = (name) => figures.find((entry) => entry.case === name).unit;
  const parts = [
    '# Figures of the suite',
    `\`${command}\`: ${machine}. Medians of ${rounds} rounds, each in fresh processes; in brackets the ratio to the floor, which ` +
      'is the same program as a plain async function in the host: more is better for a rate, less for a time. ' +
      'How each is taken: [README](../README.md).',
  ];
  if (figures.length > 0) {
    parts.push(
      markdownTable(
        ['case', 'unit', ...systems.map(systemName)],
        names.map((name) => [name, unitOf(name), ...systems.map((system) => cell(of(name, system)))]),
        2,
      ),
      '## Spread',
      markdownTable(
        ['case', 'system', 'median', 'lowest–highest'],
        figures.map((entry) => [
          entry.case,
          systemName(entry.system),
          entry.error === undefined ? `${figure(entry.value)} ${entry.unit}` : 'failed',
          entry.error === undefined ? spread(entry) : '',
        ]),
        2,
      ),
    );
  }
  const failed = figures.filter(({ error }) => error !== undefined);
  if (failed.length > 0) {
    parts.push(
      failed.map((entry) => `- ${entry.case}, ${systemName(entry.system)}: ${entry.error}`).join('\n'),
    );
  }
  for (const { name, text } of tables) parts.push(`## ${name}`, `\`\`\`text\n${text.trimEnd()}\n\`\`\``);
  return `${parts.join('\n\n')}\n`;
}
