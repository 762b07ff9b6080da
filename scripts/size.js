// Prints what the package weighs and what each of its entries costs to load: each load in a fresh process, median of the rounds,
// processor time, since elapsed time tells as much of what else the machine does.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ROUNDS = Number(process.argv[2] ?? 9);
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

const [pack] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: 'pipe',
  }),
);
const kb = (bytes) => `${(bytes / 1024).toFixed(0)} kB`;
console.log(`package: ${kb(pack.size)} packed, ${kb(pack.unpackedSize)} unpacked, ${pack.entryCount} files`);

const probe = `
  const before = process.cpuUsage();
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  console.log(JSON.stringify({ ms, heap: process.memoryUsage().heapUsed }));
`;
const load = (specifier) => {
  const runs = Array.from({ length: ROUNDS }, () =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', probe, specifier], { encoding: 'utf8' }),
    ),
  );
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return { ms: median(runs.map(({ ms }) => ms)), heap: median(runs.map(({ heap }) => heap)) };
};

// What an empty module costs is no cost of ours.
const empty = load('data:text/javascript,');
for (const path of Object.keys(exports).filter((path) => !path.endsWith('.json'))) {
  const { ms, heap } = load(`ptc-runtime${path.slice(1)}`);
  const name = `ptc-runtime${path.slice(1)}`;
  console.log(`${name}: ${(ms - empty.ms).toFixed(1)} ms to load, ${kb(heap - empty.heap)} of heap`);
}
