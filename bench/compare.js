// Two states of this repository side by side, in alternating fresh processes: see USAGE.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases } from './lib/cases.js';
import { machineLine } from './lib/machine.js';
import { comparedOf, comparisonTable, takePairs } from './lib/pairs.js';
import { casesNamed, choices, ENGINES, PLACEMENTS, systemsOf } from './lib/plan.js';
import { commitOf, openTrees } from './lib/trees.js';

const USAGE = `Usage: bench/compare A B [CASE ...] [--engine E] [--placement P] [--rounds N] [--json FILE]
  A, B         commits, branches or tags; . is this tree with what is not committed
  CASE         ${Object.keys(cases).join(', ')}; all when left out
  --engine     ${ENGINES.join(' or ')}; isolated-vm when left out
  --placement  ${PLACEMENTS.join(' or ')}; process when left out
  --rounds     pairs of fresh processes for each case; 7 when left out
  --json       where the figures are written too
Each ref is checked out into a temporary work tree, gets this tree's node_modules, and is built. The ratio is B over A.`;

const OPTIONS = {
  engine: { type: 'string' },
  placement: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

function planOf(argv) {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS });
  if (values.help) return undefined;
  const [first, second, ...names] = positionals;
  if (second === undefined)
    throw new Error(`Cannot compare: wanted two refs, received ${positionals.length}`);
  for (const ref of [first, second]) commitOf(ref);
  const { engines = ['isolated-vm'], placements = ['process'], ...rest } = choices(values, 7);
  const wanted = names.length === 0 ? Object.keys(cases) : casesNamed(names);
  return { refs: [first, second], cases: wanted, engines, placements, ...rest };
}

let plan;
try {
  plan = planOf(process.argv.slice(2));
} catch (error) {
  console.error(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
if (plan === undefined) {
  console.log(USAGE);
  process.exit(0);
}

const trees = openTrees();
process.on('exit', () => trees.close());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

try {
  const entries = [];
  for (const [index, ref] of plan.refs.entries()) {
    console.error(`Building ${ref}`);
    const { commit, entry, hasOtherPackages } = await trees.built(ref, index === 0 ? 'a' : 'b');
    if (hasOtherPackages)
      console.error(`Note: ${ref} has another lock file, but runs on the packages of this tree`);
    entries.push({ ref, commit, entry });
  }
  const rows = [];
  for (const name of plan.cases) {
    for (const system of systemsOf(name, plan.engines, plan.placements)) {
      console.error(`${name}, ${system}`);
      const sides = entries.map(({ entry }) => entry);
      try {
        rows.push(comparedOf(name, system, await takePairs(name, system, sides, plan.rounds)));
      } catch (error) {
        rows.push({ case: name, system, unit: cases[name].unit, error: error.message });
        process.exitCode = 1;
      }
    }
  }
  const labels = entries.map(({ ref, commit }, index) => {
    const at = commit === '.' || ref.startsWith(commit.slice(0, 7)) ? ref : `${ref} ${commit.slice(0, 7)}`;
    return `${index === 0 ? 'A' : 'B'} ${at}`;
  });
  const machine = machineLine();
  console.log(`${machine}; ${plan.rounds} pairs; ratio = B over A\n\n${comparisonTable(rows, labels)}`);
  if (plan.json !== undefined) {
    const refs = entries.map(({ ref, commit }) => ({ ref, commit }));
    writeFileSync(plan.json, `${JSON.stringify({ machine, refs, rounds: plan.rounds, rows }, null, 1)}\n`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
