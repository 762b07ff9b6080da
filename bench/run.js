// The suite: see USAGE in lib/plan.js, and README.md for how each figure is taken.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chart } from './lib/chart.js';
import { machineLine } from './lib/machine.js';
import { planOf, systemsOf, USAGE } from './lib/plan.js';
import { markdown, textLine } from './lib/report.js';
import { figuresOf, takeRounds } from './lib/take.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

function refuse(message, hint) {
  console.error(`${message}\n\n${hint}`);
  process.exit(2);
}

/** Runs a table's script, shows what it prints, and keeps that and its figures. */
async function takeTable(name, folder) {
  const file = join(folder, `${name}.json`);
  const args = ['--no-node-snapshot', '--expose-gc', here(`${name}.js`)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_FIGURES: file },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  const figures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return { name, text, isMet: status === 0, ...(figures === undefined ? {} : { figures }) };
}

let plan;
try {
  plan = planOf(process.argv.slice(2));
} catch (error) {
  refuse(error.message, USAGE);
}
if (plan.isHelp) {
  console.log(USAGE);
  process.exit(0);
}
if (!existsSync(here('../dist/index.js')))
  refuse('Cannot run the suite: the package is not built', 'Run: npm run build');

const machine = machineLine();
console.log(`${machine}; medians of ${plan.rounds} rounds (lowest–highest)`);
const figures = [];
for (const name of plan.cases) {
  const systems = ['floor', ...systemsOf(name, plan.engines, plan.placements)];
  const ofCase = figuresOf(name, await takeRounds(name, systems, plan.rounds));
  for (const entry of ofCase) console.log(textLine(entry, ofCase));
  figures.push(...ofCase);
}
const tables = [];
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  for (const name of plan.tables) {
    console.log(`\n${name}`);
    tables.push(await takeTable(name, folder));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const command = [
  'npm run bench',
  ...process.argv.slice(2).flatMap((arg, index) => (index === 0 ? ['--', arg] : [arg])),
];
const report = { machine, command: command.join(' '), rounds: plan.rounds, figures, tables };
const results = here('results');
mkdirSync(results, { recursive: true });
// A run of a part does not replace the figures of a full one.
const base = join(results, plan.isFull ? 'suite' : 'part');
writeFileSync(`${base}.md`, markdown(report));
if (figures.length > 0) writeFileSync(`${base}.svg`, chart(report));
if (plan.json !== undefined) writeFileSync(plan.json, `${JSON.stringify(report, null, 1)}\n`);
console.log(
  `\nWritten: ${base}.md${figures.length > 0 ? ` and ${base}.svg` : ''}${plan.json === undefined ? '' : ` and ${plan.json}`}`,
);
const isFailed = figures.some(({ error }) => error !== undefined) || tables.some(({ isMet }) => !isMet);
process.exitCode = isFailed ? 1 : 0;
