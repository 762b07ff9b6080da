// Takes one case of one system in this fresh process and prints its figures as one JSON line:
// `node bench/case.js CASE SYSTEM [URL OF THE PACKAGE]`.
import { cases } from './lib/cases.js';
import { openSystem } from './lib/systems.js';

const [name, systemName, from] = process.argv.slice(2);
const system = await openSystem(systemName, from);
console.log(JSON.stringify(await cases[name].take(system)));
await system.dispose();
process.exit(0);
