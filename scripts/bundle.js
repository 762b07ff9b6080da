// Joins what a sandbox process loads into two files, after the compiler: a module of its own costs a process half a
// millisecond, and there are some eighty.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { guestSources } from '../dist/runtime/sandbox/guest/guest-sources.js';
import { shrinkGuest } from './shrink-guest.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = here('../dist/sandbox-process');

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

async function bundle(name, input) {
  const build = await rolldown({
    input: { [name]: here(input) },
    platform: 'node',
    // Packages stay where they are; what is loaded later by path is none of ours.
    external: (id) => !/^[./]/.test(id),
    plugins: [shrunkTexts],
  });
  await build.write({
    dir: target,
    format: 'esm',
    codeSplitting: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
}

rmSync(target, { recursive: true, force: true });
await Promise.all([
  bundle('main', '../dist/runtime/sandbox/child-main.js'),
  bundle('peer', '../dist/runtime/sandbox/peer.js'),
]);
