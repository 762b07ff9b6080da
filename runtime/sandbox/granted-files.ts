import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A package that a sandbox process may load, with what it loads in turn. */
interface Loaded {
  readonly name: string;
  readonly needs?: readonly Loaded[];
  /** Folders that it lists to find its binary. */
  readonly lists?: readonly string[];
}

const PACKAGES: readonly Loaded[] = [
  { name: '@babel/parser' },
  { name: '@swc/wasm-typescript' },
  { name: 'isolated-vm', needs: [{ name: 'node-gyp-build' }], lists: ['prebuilds', 'build'] },
  {
    name: 'quickjs-emscripten',
    needs: [
      { name: 'quickjs-emscripten-core', needs: [{ name: '@jitl/quickjs-ffi-types' }] },
      { name: '@jitl/quickjs-wasmfile-release-sync', needs: [{ name: '@jitl/quickjs-ffi-types' }] },
    ],
  },
];

/** Where the build leaves this package's own code for a sandbox process. */
export const PROCESS_FOLDER = fileURLToPath(new URL('./process', import.meta.url));

const LOADABLE = /\.(?:[cm]?js|json|node|wasm)$/;

/** Looked for by a loader of binaries, which fails when it may not even look. */
const SYSTEM_FILES = ['/etc/alpine-release'];

/**
 * What a sandbox process may read: its own code and that of its engines. Files by their real paths, not folders, since a link
 * inside a granted folder would lead out of it; a folder is granted whole only where a loader must list it, or finds it through a
 * link, and no link lies in it.
 *
 * @example
 * grantedFiles().length // some hundred
 */
export function grantedFiles(): readonly string[] {
  known ??= findFiles();
  return known;
}

let known: readonly string[] | undefined;

function findFiles(): readonly string[] {
  const paths = new Set<string>(SYSTEM_FILES);
  addFiles(PROCESS_FOLDER, paths);
  for (const folder of foldersAbove(PROCESS_FOLDER)) paths.add(join(folder, 'package.json'));
  for (const loaded of PACKAGES) addPackage(loaded, PROCESS_FOLDER, paths);
  return [...paths];
}

/** A folder and all that it lies in. */
function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** @param from folder of the module that loads it */
function addPackage({ name, needs = [], lists = [] }: Loaded, from: string, paths: Set<string>): void {
  for (const above of foldersAbove(from)) {
    const found = join(above, 'node_modules', ...name.split('/'));
    let real: string;
    try {
      real = realpathSync(found);
    } catch {
      // Not here; perhaps further up.
      continue;
    }
    // A package that is itself a link: Node looks at the link on its way, and a grant of that is one of the folder.
    if (real !== found && isWithoutLinks(found)) paths.add(found);
    // Before the files: Node forgets a folder that is granted after something in it.
    const listed = lists.map((list) => join(real, list)).filter(isWithoutLinks);
    for (const list of listed) paths.add(list);
    addFiles(real, paths, listed);
    for (const needed of needs) addPackage(needed, real, paths);
    return;
  }
}

/** @param granted folders that are granted whole */
function addFiles(folder: string, paths: Set<string>, granted: readonly string[] = []): void {
  if (granted.includes(folder)) return;
  for (const entry of entriesOf(folder) ?? []) {
    const path = join(folder, entry.name);
    // A link is left out, and with it whatever it leads to.
    if (entry.isFile() && LOADABLE.test(entry.name)) paths.add(path);
    else if (entry.isDirectory() && entry.name !== 'node_modules') addFiles(path, paths, granted);
  }
}

/** Whether a folder exists and no link lies in it, however deep. */
function isWithoutLinks(folder: string): boolean {
  const entries = entriesOf(folder);
  return (
    entries?.every(
      (entry) => entry.isFile() || (entry.isDirectory() && isWithoutLinks(join(folder, entry.name))),
    ) ?? false
  );
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
