import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cases } from './cases.js';

export const ENGINES = ['isolated-vm', 'quickjs'];
export const PLACEMENTS = ['process', 'in-process'];

/** Tables that belong to a full run, each a script beside run.js. */
export const TABLES = ['pipeline', 'tokens', 'policies'];
/** Tables that are run when they are named. */
export const MORE_TABLES = ['bridge', 'program', 'sandbox', 'snapshot'];

/** Names that stand for several cases. */
const GROUPS = new Map([['warm', ['warm', 'spaced']]]);

export const USAGE = `Usage: npm run bench [-- [NAME ...] [--engine E] [--placement P] [--rounds N] [--json FILE]]
  NAME         ${Object.keys(cases).join(', ')}
               or a table: ${[...TABLES, ...MORE_TABLES].join(', ')}
  --engine     ${ENGINES.join(' or ')}; both when left out
  --placement  ${PLACEMENTS.join(' or ')}; both when left out
  --rounds     how often each case is taken, each time in fresh processes; 3 when left out
  --json       where the figures are written too`;

const OPTIONS = {
  engine: { type: 'string' },
  placement: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

function oneOf(option, value, wanted) {
  if (wanted.includes(value)) return value;
  throw new Error(`Cannot use --${option} "${value}": wanted one of ${wanted.join(', ')}`);
}

/**
 * The options that the suite and the comparison have in common, checked.
 *
 * @throws {Error} when one is out of range; the message names it, what was wanted and what came
 */
export function choices(values, defaultRounds) {
  const rounds = values.rounds ?? String(defaultRounds);
  if (!/^[1-9]\d{0,3}$/.test(rounds)) {
    throw new Error(`Cannot use --rounds "${rounds}": wanted a whole number from 1 to 9999`);
  }
  const { json } = values;
  if (json !== undefined) {
    const folder = dirname(resolve(json));
    if (json === '' || !existsSync(folder)) {
      throw new Error(
        `Cannot write --json "${json}": wanted a file in a folder that exists, "${folder}" does not`,
      );
    }
    if (existsSync(json) && statSync(json).isDirectory()) {
      throw new Error(`Cannot write --json "${json}": wanted a file, received a folder`);
    }
  }
  return {
    engines: values.engine === undefined ? undefined : [oneOf('engine', values.engine, ENGINES)],
    placements:
      values.placement === undefined ? undefined : [oneOf('placement', values.placement, PLACEMENTS)],
    rounds: Number(rounds),
    json,
  };
}

/** The cases that some names stand for, each once, in the order of the suite. */
export function casesNamed(names, others = []) {
  const wanted = new Set();
  for (const name of names) {
    if (!Object.hasOwn(cases, name)) {
      const all = [...Object.keys(cases), ...others].join(', ');
      throw new Error(`Cannot run "${name}": wanted one of ${all}`);
    }
    for (const each of GROUPS.get(name) ?? [name]) wanted.add(each);
  }
  return Object.keys(cases).filter((name) => wanted.has(name));
}

/** The systems that a case is taken for: `ENGINE/PLACEMENT`, and `/RUNS` where several programs share a process. */
export function systemsOf(name, engines = ENGINES, placements = PLACEMENTS) {
  const { sharedRuns } = cases[name];
  return engines.flatMap((engine) =>
    placements.flatMap((placement) => {
      const system = `${engine}/${placement}`;
      return sharedRuns !== undefined && placement === 'process'
        ? [system, `${system}/${sharedRuns}`]
        : [system];
    }),
  );
}

/**
 * What a command line asks for.
 *
 * @returns cases and tables to run, in order; `isFull` = everything of a full run was asked for
 * @throws {Error} when a name or an option is none; the message says what was wanted
 * @example
 * planOf(['seq', '--engine', 'quickjs']).cases // ['seq']
 */
export function planOf(argv) {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS });
  if (values.help) return { isHelp: true };
  const chosen = choices(values, 3);
  const all = [...TABLES, ...MORE_TABLES];
  const tables = all.filter((name) => positionals.includes(name));
  const names = positionals.filter((name) => !all.includes(name));
  const isEverything = positionals.length === 0;
  return {
    ...chosen,
    cases: casesNamed(isEverything ? Object.keys(cases) : names, all),
    tables: isEverything ? TABLES : tables,
    isFull: isEverything && chosen.engines === undefined && chosen.placements === undefined,
  };
}
