// Which file of the package each compiled module goes to: the modules of a room are joined in one file of its folder.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders with modules. */
const TOPS = ['runtime', 'bridge', 'sdk-gen', 'policies', 'adapters', 'cli'];
/** Folders whose rooms lie one deeper. */
const HALLS = new Set(['runtime', 'adapters']);
/** Scripts: whoever loads them starts them, so no room may hold them. */
const SCRIPTS = new Set(['cli/main.js', 'runtime/sandbox/child-main.js']);

/**
 * The compiled modules of the sources that there are: the compiler leaves those of deleted ones behind.
 *
 * @param root folder of the repository
 * @returns paths below the compiler's folder
 */
export function compiledModules(root) {
  const below = TOPS.flatMap((top) =>
    readdirSync(join(root, top), { recursive: true }).map((path) => `${top}/${path.replaceAll('\\', '/')}`),
  );
  return ['index.ts', ...below]
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(/\.ts$/, '.js'));
}

/**
 * Whether a compiled module has nothing that runs.
 *
 * @param folder of the compiled modules
 */
export function isTypesOnly(folder, path) {
  return /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*export \{\};\s*$/.test(readFileSync(join(folder, path), 'utf8'));
}

/**
 * Decides on the file of every module.
 *
 * @param folder of the compiled modules
 * @param modules paths below it
 * @param entries of the package, among them
 * @returns takes a module's path; its room's file without ending, or `undefined` for a module that stays its own
 */
export function roomsOf(folder, modules, entries) {
  const known = new Set(modules);
  const imports = new Map(modules.map((path) => [path, importsOf(folder, path, known)]));
  const reached = new Map(entries.map((entry) => [entry, reachedFrom(entry, imports)]));
  return (path) => {
    const room = roomOf(path);
    if (room === undefined || !known.has(path)) return undefined;
    const users = entries.filter((entry) => reached.get(entry).has(path));
    // Tests alone, and the sandbox process, which has its own files.
    if (users.length === 0) return `${room}/inner`;
    // An adapter loads a package of its own, which another one that shares a module with it must not load.
    const isAdapter = room.startsWith('adapters/') && known.has(`${room}/index.js`);
    const isShared = users.some((user) => !reached.get(user).has(`${room}/index.js`));
    return isAdapter && isShared && !users.every((user) => user === `${room}/index.js`)
      ? `${room}/shared`
      : `${room}/room`;
  };
}

/** The folder of a module's room; the entry of the package and what is started have none. */
function roomOf(path) {
  const [top, room] = dirname(path).split('/');
  if (top === '.' || SCRIPTS.has(path)) return undefined;
  // What speaks for all rooms of a hall has no code of its own.
  return HALLS.has(top) ? `${top}/${room ?? 'service'}` : top;
}

function importsOf(folder, path, known) {
  const text = readFileSync(join(folder, path), 'utf8');
  // What a module finds beside itself must be beside its room's file too.
  if (/new URL\('\.{1,2}\//.test(text) && !SCRIPTS.has(path) && dirname(path) !== roomOf(path))
    throw new Error(`"${path}" asks for a file beside itself, wanted directly in the folder of a room`);
  return [...text.matchAll(/(?:from|import)\s+'(\.[^']+)'/g)]
    .map(([, target]) => join(dirname(path), target).replaceAll('\\', '/'))
    .filter((target) => known.has(target));
}

function reachedFrom(entry, imports) {
  const reached = new Set([entry]);
  for (const path of reached) for (const target of imports.get(path)) reached.add(target);
  return reached;
}

/**
 * The modules that the package exports or starts.
 *
 * @param manifest the package's own
 * @returns paths below `dist`
 */
export function entriesOf({ exports, bin }) {
  const targets = [...Object.values(exports).map((target) => target.default), ...Object.values(bin)];
  return targets.flatMap((target) => (target === undefined ? [] : [target.replace(/^(\.\/)?dist\//, '')]));
}
