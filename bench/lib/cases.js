// Each case takes an open system and returns its figures. It runs in a process of its own.
import { performance } from 'node:perf_hooks';
import { residentTreeMb } from './memory.js';
import { programs } from './programs.js';
import { quantile } from './statistics.js';
import { bigValue } from './systems.js';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function once(system, name, n) {
  const { source, expected } = programs[name];
  const start = performance.now();
  const value = await system.run(source(n));
  const ms = performance.now() - start;
  const wanted = expected(n, bigValue);
  if (value !== wanted)
    throw new Error(`${name} returned ${JSON.stringify(value)?.slice(0, 100)}, wanted ${wanted}`);
  return ms;
}

async function median(system, name, n, rounds = 3) {
  const times = [];
  for (let i = 0; i < rounds; i += 1) times.push(await once(system, name, n));
  return { ms: quantile(times, 0.5), min: quantile(times, 0), max: quantile(times, 1) };
}

const rate = (n, { ms, min, max }) => ({
  value: (n / ms) * 1000,
  low: (n / max) * 1000,
  high: (n / min) * 1000,
});
const time = ({ ms, min, max }) => ({ value: ms, low: min, high: max });

/**
 * By name: what is taken in a few words, its unit, whether more is better, and how to take it. `isColdStart`: the process that
 * starts this one takes the time. `isRatioMeaningful`: false where the floor is about nothing. `sharedRuns`: is taken with so many programs per process too.
 */
export const cases = {
  cold: {
    title: 'process start to the first result',
    unit: 'ms',
    isMoreBetter: false,
    isColdStart: true,
    async take(system) {
      await once(system, 'trivial');
      return { value: 0 };
    },
  },
  warm: {
    title: 'a trivial program, back to back',
    unit: 'ms',
    isMoreBetter: false,
    async take(system) {
      for (let i = 0; i < 20; i += 1) await once(system, 'trivial');
      const times = [];
      for (let i = 0; i < 200; i += 1) times.push(await once(system, 'trivial'));
      return { value: quantile(times, 0.5), low: quantile(times, 0.05), high: quantile(times, 0.95) };
    },
  },
  spaced: {
    title: 'a trivial program, 5 ms between runs',
    unit: 'ms',
    isMoreBetter: false,
    async take(system) {
      for (let i = 0; i < 20; i += 1) await once(system, 'trivial');
      const times = [];
      for (let i = 0; i < 200; i += 1) {
        await pause(5);
        times.push(await once(system, 'trivial'));
      }
      return { value: quantile(times, 0.5), low: quantile(times, 0.05), high: quantile(times, 0.95) };
    },
  },
  seq: {
    title: '2,000 calls, one by one',
    unit: 'calls/s',
    isMoreBetter: true,
    async take(system) {
      await once(system, 'seq', 200);
      return rate(2000, await median(system, 'seq', 2000));
    },
  },
  par: {
    title: '2,000 calls under one Promise.all',
    unit: 'calls/s',
    isMoreBetter: true,
    async take(system) {
      await once(system, 'par', 200);
      return rate(2000, await median(system, 'par', 2000));
    },
  },
  overlap: {
    title: '20 calls of a tool that sleeps 20 ms',
    unit: 'ms',
    isMoreBetter: false,
    async take(system) {
      await once(system, 'overlap', 2);
      return time(await median(system, 'overlap', 20));
    },
  },
  payload: {
    title: '50 results of 1 MB',
    unit: 'MB/s',
    isMoreBetter: true,
    async take(system) {
      await once(system, 'payload', 2);
      const mb = (JSON.stringify(bigValue()).length / 1e6) * 50;
      return rate(mb, await median(system, 'payload', 50, 1));
    },
  },
  compute: {
    title: 'fib(27) and sorting 200,000 numbers',
    unit: 'ms',
    isMoreBetter: false,
    async take(system) {
      await once(system, 'trivial');
      return time(await median(system, 'compute'));
    },
  },
  conc: {
    title: '20 programs at once, 100 calls each',
    unit: 'calls/s',
    isMoreBetter: true,
    sharedRuns: 10,
    async take(system) {
      await once(system, 'seq', 100);
      const times = [];
      for (let round = 0; round < 3; round += 1) {
        const start = performance.now();
        await Promise.all(Array.from({ length: 20 }, () => once(system, 'seq', 100)));
        times.push(performance.now() - start);
      }
      return rate(2000, { ms: quantile(times, 0.5), min: quantile(times, 0), max: quantile(times, 1) });
    },
  },
  rss: {
    title: 'growth of memory over 300 programs',
    unit: 'MB',
    isMoreBetter: false,
    isRatioMeaningful: false,
    async take(system) {
      for (let i = 0; i < 20; i += 1) await once(system, 'seq', 10);
      globalThis.gc?.();
      await pause(200);
      const before = residentTreeMb();
      for (let i = 0; i < 300; i += 1) await once(system, 'seq', 10);
      globalThis.gc?.();
      await pause(200);
      const growth = residentTreeMb() - before;
      return { value: growth, low: growth, high: growth };
    },
  },
};
