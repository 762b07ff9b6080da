import { cases } from './cases.js';
import { figure, systemName } from './format.js';

const WIDTH = 980;
const COLUMNS = 2;
const GAP = 28;
const MARGIN = 24;
const LABEL = 218;
const VALUE = 72;
const ROW = 22;
const BAR = 13;
const HEAD = 46;
const PANEL = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS;

/** Plain rules, no variables: many programs that draw SVG know none. */
const COLOURS = {
  light: {
    page: '#ffffff',
    text: '#1f2328',
    soft: '#59636e',
    line: '#d1d9e0',
    bars: ['#0b6bcb', '#5a9fe0', '#b35900', '#dd9a4f'],
  },
  dark: {
    page: '#0d1117',
    text: '#f0f6fc',
    soft: '#9198a1',
    line: '#3d444d',
    bars: ['#58a6ff', '#2f6fb7', '#f0a04b', '#a9682a'],
  },
};

const rules = ({ page, text, soft, line, bars }) =>
  [
    `.page { fill: ${page}; }`,
    `text { fill: ${text}; }`,
    `.soft { fill: ${soft}; }`,
    `.axis { stroke: ${line}; }`,
    `.spread { stroke: ${text}; }`,
    ...bars.map((colour, index) => `.s${index} { fill: ${colour}; }`),
  ].join('\n');

/** Readable on a light page and on a dark one: the colours follow what the reader's system prefers. */
const STYLE = `text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; }
.title { font-size: 17px; font-weight: 600; }
.case { font-size: 14px; font-weight: 600; }
.spread { stroke-width: 1.2; opacity: 0.65; }
${rules(COLOURS.light)}
@media (prefers-color-scheme: dark) {
${rules(COLOURS.dark)}
}`;

const escaped = (text) =>
  String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const text = (x, y, content, kind = '', anchor = 'start') =>
  `<text x="${round(x)}" y="${round(y)}"${kind && ` class="${kind}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(content)}</text>`;

const round = (x) => Math.round(x * 10) / 10;

/** The colour of a system: by engine, lighter when it shares the host's process. */
function colour(system) {
  const [engine, placement] = system.split('/');
  return `s${(engine === 'quickjs' ? 2 : 0) + (placement === 'in-process' ? 1 : 0)}`;
}

function panel(name, entries, x, y) {
  const { title, unit, isMoreBetter } = cases[name];
  const floor = entries.find(({ system }) => system === 'floor');
  const systems = entries.filter(({ system }) => system !== 'floor');
  const good = systems.filter(({ error }) => error === undefined);
  const most = Math.max(0, ...good.map(({ high }) => high)) || 1;
  const room = PANEL - LABEL - VALUE;
  const at = (value) => x + LABEL + (Math.max(0, value) / most) * room;
  const floorText = floor === undefined || floor.error !== undefined ? '' : `; floor ${figure(floor.value)}`;
  const parts = [
    text(x, y + 14, `${name}: ${title}`, 'case'),
    text(x, y + 32, `${unit}, ${isMoreBetter ? 'more' : 'less'} is better${floorText}`, 'soft'),
    `<line class="axis" x1="${x + LABEL}" y1="${y + HEAD - 4}" x2="${x + LABEL}" y2="${y + HEAD + systems.length * ROW}"/>`,
  ];
  for (const [index, entry] of systems.entries()) {
    const top = y + HEAD + index * ROW;
    const base = top + BAR - 2;
    parts.push(text(x + LABEL - 8, base, systemName(entry.system), 'soft', 'end'));
    if (entry.error !== undefined) {
      parts.push(text(x + LABEL + 6, base, 'failed', 'soft'));
      continue;
    }
    const width = Math.max(1, at(entry.value) - x - LABEL);
    parts.push(
      `<rect class="${colour(entry.system)}" x="${x + LABEL}" y="${top}" width="${round(width)}" height="${BAR}" rx="2"/>`,
      `<line class="spread" x1="${round(at(entry.low))}" y1="${top + BAR / 2}" x2="${round(at(entry.high))}" y2="${top + BAR / 2}"/>`,
      text(Math.max(at(entry.value), at(entry.high)) + 6, base, figure(entry.value)),
    );
  }
  return parts.join('\n');
}

/**
 * The figures as an SVG: a panel for each case, a bar for each system with the spread of its rounds, the floor as a number (a
 * bar of its length would leave nothing of the others).
 *
 * @param report what `npm run bench -- --json` writes
 */
export function chart({ machine, figures, rounds }) {
  const names = [...new Set(figures.map((entry) => entry.case))];
  const parts = [];
  let y = MARGIN + 52;
  for (let first = 0; first < names.length; first += COLUMNS) {
    let height = 0;
    for (const [column, name] of names.slice(first, first + COLUMNS).entries()) {
      const entries = figures.filter((entry) => entry.case === name);
      parts.push(panel(name, entries, MARGIN + column * (PANEL + GAP), y));
      const bars = entries.filter(({ system }) => system !== 'floor').length;
      height = Math.max(height, HEAD + bars * ROW);
    }
    y += height + GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title">
<title id="title">What a sub-dispatch costs: ${escaped(names.join(', '))}</title>
<style>
${STYLE}
</style>
<rect class="page" width="${WIDTH}" height="${y}" rx="6"/>
${text(MARGIN, MARGIN + 14, 'What a sub-dispatch costs', 'title')}
${text(MARGIN, MARGIN + 34, `${machine}; medians of ${rounds} rounds, the lines are their spread`, 'soft')}
${parts.join('\n')}
</svg>
`;
}
