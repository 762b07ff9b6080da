import { readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that a sandbox process may load, whichever engine it takes. */
const PACKAGES = [
  '@babel/parser',
  '@swc/wasm-typescript',
  'isolated-vm',
  'quickjs-emscripten',
  'quickjs-emscripten-core',
  '@jitl/quickjs-ffi-types',
  '@jitl/quickjs-wasmfile-release-sync',
  '@jitl/quickjs-wasmfile-debug-sync',
  '@jitl/quickjs-wasmfile-release-asyncify',
  '@jitl/quickjs-wasmfile-debug-asyncify',
];

/** Rooms of this package that a sandbox process loads. */
const ROOMS = ['core', 'contract', 'schema', 'sandbox'];

const LOADABLE = /\.(?:[cm]?js|json|node|wasm)$/;

/**
 * The files that a sandbox process may read: its own code and that of its engines. Files, not folders: a link inside a granted
 * folder would lead out of it. Each is named by its real path, and as it is found from here where that differs.
 *
 * @example
 * grantedFiles().length // some two hundred
 */
export function grantedFiles(): readonly string[] {
  const here = dirname(fileURLToPath(import.meta.url));
  const runtime = dirname(here);
  const files = new Set<string>();
  for (const room of ROOMS) addFolder(join(runtime, room), files);
  for (const manifest of manifestsAbove(runtime)) files.add(manifest);
  const require = createRequire(import.meta.url);
  for (const name of PACKAGES) {
    for (const folder of packageFolders(name, require)) addFolder(folder, files);
  }
  return [...files];
}

/** The places of `package.json` that say what kind of module a file is. */
function manifestsAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [join(folder, 'package.json'), ...manifestsAbove(parent)];
}

/** Where a package is found, and where it really is; nothing when it is not installed. */
function packageFolders(name: string, require: NodeJS.Require): readonly string[] {
  for (const base of require.resolve.paths(name) ?? []) {
    const found = join(base, ...name.split('/'));
    try {
      const real = realpathSync(found);
      return real === found ? [found] : [found, real];
    } catch {
      // Not here; perhaps further up.
    }
  }
  return [];
}

function addFolder(folder: string, files: Set<string>): void {
  let entries: ReturnType<typeof readFolder>;
  try {
    entries = readFolder(folder);
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = `${folder}${sep}${entry.name}`;
    // A link is left out, and with it whatever it leads to.
    if (entry.isFile() && LOADABLE.test(entry.name)) files.add(path);
    else if (entry.isDirectory() && entry.name !== 'node_modules') addFolder(path, files);
  }
}

function readFolder(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
