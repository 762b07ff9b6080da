// The suite: `node bench/run.js [CASE | TABLE ...] [--engine E] [--placement P] [--rounds N] [--json FILE]`.
// Every figure is the median of rounds, each round in fresh processes, the floor and the systems in turn.
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cases, quantile } from './lib/cases.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string' },
    placement: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
/** Tables of their own, each a script beside this one. */
const TABLES = ['bridge', 'pipeline', 'policies', 'program', 'sandbox', 'snapshot', 'tokens'];
const tables = positionals.filter((name) => TABLES.includes(name));
for (const name of tables) {
  const script = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--no-node-snapshot', '--expose-gc', script], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
if (tables.length > 0 && tables.length === positionals.length) process.exit(0);

const names = positionals.filter((name) => !TABLES.includes(name));
const wanted = names.length > 0 ? names : Object.keys(cases);
const unknown = wanted.find((name) => !(name in cases));
if (unknown !== undefined) {
  console.error(
    `Cannot run case "${unknown}": wanted one of ${[...Object.keys(cases), ...TABLES].join(', ')}`,
  );
  process.exit(2);
}
const engines = values.engine ? [values.engine] : ['isolated-vm', 'quickjs'];
const placements = values.placement ? [values.placement] : ['process', 'in-process'];
const systems = [
  'floor',
  ...engines.flatMap((engine) => placements.map((placement) => `${engine}/${placement}`)),
];

const run = promisify(execFile);
const worker = fileURLToPath(new URL('case.js', import.meta.url));

async function take(name, system) {
  const start = performance.now();
  const flags = ['--expose-gc', ...(system.includes('in-process') ? ['--no-node-snapshot'] : [])];
  const { stdout } = await run(process.execPath, [...flags, worker, name, system]);
  return name === 'cold' ? { value: performance.now() - start } : JSON.parse(stdout);
}

const figure = (x) =>
  x >= 1000 ? Math.round(x).toLocaleString('en-US') : x >= 10 ? x.toFixed(1) : x.toFixed(2);

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model}; median of ${values.rounds} rounds (lowest–highest)`,
);
const table = [];
for (const name of wanted) {
  const { unit, isMoreBetter } = cases[name];
  const taken = new Map(systems.map((system) => [system, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const system of systems) taken.get(system).push((await take(name, system)).value);
  }
  const floor = quantile(taken.get('floor'), 0.5);
  for (const [system, rounds] of taken) {
    const value = quantile(rounds, 0.5);
    const ratio = isMoreBetter ? value / floor : floor / value;
    table.push({ name, system, unit, value, low: quantile(rounds, 0), high: quantile(rounds, 1), ratio });
    const spread = `(${figure(quantile(rounds, 0))}–${figure(quantile(rounds, 1))})`;
    console.log(
      `${name.padEnd(8)} ${system.padEnd(24)} ${figure(value).padStart(10)} ${unit.padEnd(8)} ${spread.padEnd(24)} ${figure(ratio)} of the floor`,
    );
  }
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(table, null, 1)}\n`);
