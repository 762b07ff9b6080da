// Makes the package of what the compiler has left in `build/`: every room's modules joined in one file, since a module of
// its own costs a process half a millisecond; every module's path still leads to what it exports; and what a sandbox process
// loads in two files. Names and lines stay readable.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { guestSources } from '../build/runtime/sandbox/guest/guest-sources.js';
import { compiledModules, entriesOf, isTypesOnly, roomsOf } from './rooms.js';
import { shrinkGuest } from './shrink-guest.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const build = join(root, 'build');
const dist = join(root, 'dist');
const compiled = compiledModules(root);
const PROCESS_FOLDER = 'runtime/sandbox/process';
/** Starts to read frames when it is loaded. */
const PROCESS_MAIN = 'runtime/sandbox/child-main.js';

/** A guest is sent the shrunk texts, and the modules that they were taken from are not needed to send them. */
const shrunkTexts = {
  name: 'shrunk-texts',
  load: {
    filter: { id: /guest-sources\.js$/ },
    handler() {
      const texts = JSON.stringify(shrinkGuest(guestSources()), undefined, 1);
      return `const texts = ${texts};\nexport const guestSources = () => new Map(Object.entries(texts));`;
    },
  },
};

/** Packages stay where they are. */
const input = { platform: 'node', external: (id) => !id.startsWith('.') && !id.startsWith(build) };
const output = {
  format: 'esm',
  minifyInternalExports: false,
  comments: { legal: true, annotation: false, jsdoc: false },
};

async function write(inputOptions, outputOptions) {
  const bundle = await rolldown({ ...input, ...inputOptions });
  const written = await bundle.write({ ...output, ...outputOptions });
  await bundle.close();
  return written.output.map(({ fileName }) => fileName);
}

function writeRooms() {
  const modules = compiled.filter((path) => path !== PROCESS_MAIN && !isTypesOnly(build, path));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const room = roomsOf(build, modules, entriesOf(manifest));
  const name = (id) => room(relative(build, id).replaceAll('\\', '/')) ?? null;
  return write(
    {
      input: Object.fromEntries(modules.map((path) => [path.replace(/\.js$/, ''), join(build, path)])),
      preserveEntrySignatures: 'allow-extension',
      treeshake: { moduleSideEffects: [{ test: /\/index\.js$/, sideEffects: false }] },
    },
    {
      dir: dist,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name, debugName: 'rooms' }] },
    },
  );
}

/** One file each, so that a process loads no third one. */
async function writeProcess() {
  const parts = { main: PROCESS_MAIN, peer: 'runtime/sandbox/peer.js' };
  const written = await Promise.all(
    Object.entries(parts).map(([name, file]) =>
      write(
        { input: { [name]: join(build, file) }, plugins: [shrunkTexts] },
        { dir: join(dist, PROCESS_FOLDER), codeSplitting: false },
      ),
    ),
  );
  return written.flat().map((file) => `${PROCESS_FOLDER}/${file}`);
}

/** Removes what earlier builds have left: code, and the types of modules that are no more. */
function removeOthers(written) {
  const kept = new Set([...written, ...compiled.map((path) => path.replace(/\.js$/, '.d.ts'))]);
  for (const path of readdirSync(dist, { recursive: true }))
    if (/\.[jt]s$/.test(path) && !kept.has(path.replaceAll('\\', '/'))) rmSync(join(dist, path));
}

removeOthers((await Promise.all([writeRooms(), writeProcess()])).flat());
