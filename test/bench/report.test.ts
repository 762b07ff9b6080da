import { describe, expect, it } from 'vitest';
import { report } from './figures.ts';
import { load } from './load.ts';

const { markdown, textLine } = await load('report.js');
const { chart } = await load('chart.js');
const { figure } = await load('format.js');

describe('the table', () => {
  it('has a row for each case, a column for each system, and the ratio to the floor where it means something', () => {
    const lines = markdown(report).split('\n');
    const rows = lines.filter((line: string) => line.startsWith('| '));
    expect(rows.slice(0, 4)).toEqual([
      '| case | unit    |     floor | isolated-vm, process | quickjs, in-process | quickjs, process |',
      '| ---- | ------- | --------: | -------------------: | ------------------: | ---------------: |',
      '| seq  | calls/s | 1,000,000 |       20,000 (0.020) |      10,000 (0.010) |           failed |',
      '| rss  | MB      |      0.20 |                 4.50 |                     |                  |',
    ]);
  });

  it('names the machine, the command and the rounds, the spread of each figure, each failure and each table', () => {
    const text = markdown(report);
    expect(text).toContain('`npm run bench -- seq rss`: 2 cores (Test & Co), Node v20. Medians of 3 rounds');
    expect(text).toMatch(/^\| seq +\| isolated-vm, process +\| +20,000 calls\/s \| +19,000–24,000 \|$/m);
    expect(text).toContain('- seq, quickjs, process: Error: no <engine>');
    expect(text).toContain('## tokens\n\n```text\nwhole: 100 tokens\n```\n');
  });

  it('a line of the terminal shows the ratio, and a bar that is as long as the figure is near the best', () => {
    const [floor, best, half, failed] = report.figures.map((entry) => textLine(entry, report.figures));
    expect(floor).toMatch(/^seq +floor +1,000,000 calls\/s +\(900,000–1,100,000\)$/);
    expect(best).toMatch(/ 20,000 calls\/s +\(19,000–24,000\) +0\.020 × floor +█{24}$/);
    expect(half).toMatch(/ 10,000 calls\/s +\(9,000–11,000\) +0\.010 × floor +█{12}$/);
    expect(failed).toBe(`seq      ${'quickjs, process'.padEnd(34)} failed: Error: no <engine>`);
  });

  it.each([
    [1234.5, '1,235'],
    [-3.25, '-3.25'],
    [312.4, '312'],
    [12.345, '12.3'],
    [0.5, '0.50'],
    [0.0123, '0.012'],
    [0, '0.000'],
  ])('%d is shown as %s', (value, shown) => {
    expect(figure(value)).toBe(shown);
  });
});

describe('the chart', () => {
  const svg = chart(report);

  it('is one well-formed picture: every tag is closed, every text is escaped', () => {
    const open: string[] = [];
    for (const [, close, name, self] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
      if (self) continue;
      if (close) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
    expect(svg).toContain('2 cores (Test &amp; Co), Node v20; medians of 3 rounds');
  });

  it('has a bar with its spread for each system that gave a figure, in the proportion of the figures', () => {
    const widths = [...svg.matchAll(/<rect class="s\d" x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, w]) =>
      Number(w),
    );
    expect(widths).toHaveLength(3);
    expect((widths[0] as number) / (widths[1] as number)).toBeCloseTo(2, 2);
    expect(svg.match(/class="spread"/g)).toHaveLength(3);
    expect(svg).toContain('>failed</text>');
  });

  it('says the floor as a number and which direction is good', () => {
    expect(svg).toContain('calls/s, more is better; floor 1,000,000');
    expect(svg).toContain('MB, less is better; floor 0.20');
  });

  it('takes its colours from the preference of the reader, so that it is readable in light and dark', () => {
    const [light, dark] = svg.split('@media (prefers-color-scheme: dark)');
    const coloured = (css: string) =>
      [...css.matchAll(/^(\S+) \{ (?:fill|stroke): #[0-9a-f]{6}; \}$/gm)].map(([, what]) => what);
    expect(coloured(dark)).toEqual(coloured(light));
    expect(coloured(light)).toEqual([
      '.page',
      'text',
      '.soft',
      '.axis',
      '.spread',
      '.s0',
      '.s1',
      '.s2',
      '.s3',
    ]);
    const colours = svg.replace(/<style>.*<\/style>/s, '').match(/(?:fill|stroke)="/g);
    expect(colours).toBeNull();
  });
});
