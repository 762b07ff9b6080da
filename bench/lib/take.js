import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { cases } from './cases.js';
import { quantile } from './statistics.js';

const WORKER = fileURLToPath(new URL('../case.js', import.meta.url));

/** Ended with the process that waits for them. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** After this a case counts as failed, ms. */
const LIMIT_MS = 120_000;

/**
 * Takes one case of one system in a fresh process.
 *
 * @param from URL of the package's built entry; absent = the one of this tree
 * @returns the figure in the case's unit
 * @throws {Error} when the program failed, returned something wrong or took too long
 */
export function take(name, system, from) {
  const flags = ['--expose-gc', ...(system.includes('in-process') ? ['--no-node-snapshot'] : [])];
  const args = [...flags, WORKER, name, system, ...(from === undefined ? [] : [from])];
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let out = '';
    let err = '';
    let firstLineMs;
    const timer = setTimeout(() => {
      err = `no result in ${LIMIT_MS / 1000} s`;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (firstLineMs === undefined && out.includes('\n')) firstLineMs = performance.now() - start;
    });
    child.stderr.on('data', (chunk) => {
      err = (err + chunk).slice(-2000);
    });
    child.on('close', (code) => {
      running.delete(child);
      clearTimeout(timer);
      if (code !== 0) reject(new Error(messageOf(err) || `the process ended with ${code}`));
      // What follows the first result, e.g. that the runtime is disposed, is no part of a cold start.
      else resolve(cases[name].isColdStart ? firstLineMs : JSON.parse(out).value);
    });
  });
}

/** The line of an uncaught error that says what happened. */
function messageOf(text) {
  return /^(?:\w*Error(?: \[\w+\])?: .*)$/m.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '';
}

/**
 * Takes a case for several systems, each round every system once in a process of its own, every other round in reverse order.
 *
 * @param onFigure told of each figure as it comes
 * @returns for each system its raw figures, or its first error
 */
export async function takeRounds(name, systems, rounds, takeOne = take) {
  const taken = new Map(systems.map((system) => [system, { raw: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const system of round % 2 === 0 ? systems : systems.toReversed()) {
      const entry = taken.get(system);
      if (entry.error !== undefined) continue;
      try {
        entry.raw.push(await takeOne(name, system));
      } catch (error) {
        entry.error = error.message;
      }
    }
  }
  return taken;
}

/**
 * Medians, spreads and ratios of a case. `ratio` is the median over that of the floor, in the case's unit: 1 is as good as the
 * floor, for a rate more is better, for a time less. A case whose floor is about nothing has none.
 */
export function figuresOf(name, taken) {
  const { unit, isMoreBetter, isRatioMeaningful = true } = cases[name];
  const floor = taken.get('floor');
  const base = floor.error === undefined ? quantile(floor.raw, 0.5) : undefined;
  return [...taken].map(([system, { raw, error }]) => {
    const head = { case: name, system, unit, isMoreBetter };
    if (error !== undefined) return { ...head, error };
    const value = quantile(raw, 0.5);
    const figure = { ...head, value, low: quantile(raw, 0), high: quantile(raw, 1), rounds: raw };
    return isRatioMeaningful && base !== undefined ? { ...figure, ratio: value / base } : figure;
  });
}
