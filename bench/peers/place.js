// Puts this package's folders beside the systems of a harness: `node bench/peers/place.js DIRECTORY` copies each ptc-runtime folder
// there and points its dependency at this tree. The harness then installs and runs them like any other.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** What every folder has alike; what differs stands in its package.json. */
const COMMON_FILES = ['adapter.mjs', '.npmrc'];
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

const [target, ...rest] = process.argv.slice(2);
if (target === undefined || rest.length > 0) {
  console.error('Usage: node bench/peers/place.js DIRECTORY (where the folders of the other systems are)');
  process.exit(2);
}
if (!existsSync(target) || !statSync(target).isDirectory()) {
  console.error(`Cannot place the adapters in "${target}": wanted a directory that exists`);
  process.exit(2);
}
const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of folders) {
  const folder = join(target, name);
  cpSync(join(HERE, name, 'package.json'), join(folder, 'package.json'));
  for (const file of COMMON_FILES) cpSync(join(HERE, 'ptc-runtime', file), join(folder, file));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  manifest.dependencies['ptc-runtime'] = `file:${PACKAGE}`;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  // npm leaves an installed copy alone as long as its version is the same.
  rmSync(join(folder, 'node_modules', 'ptc-runtime'), { recursive: true, force: true });
  console.log(folder);
}
