// Takes one case of one system in this fresh process and prints its figures as one JSON line: `node bench/case.js CASE SYSTEM`.
import { cases } from './lib/cases.js';
import { programs } from './lib/programs.js';
import { openSystem } from './lib/systems.js';

const [name, systemName] = process.argv.slice(2);
const system = await openSystem(systemName);
if (name === 'cold') {
  if ((await system.run(programs.trivial.source())) !== 1) throw new Error('wrong value');
  console.log('{}');
} else {
  console.log(JSON.stringify(await cases[name].take(system)));
}
await system.dispose();
process.exit(0);
