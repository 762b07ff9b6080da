import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, platform } from 'node:os';

const require = createRequire(import.meta.url);

/** The installed version of a package of this tree; undefined where it is not installed. */
function versionOf(name) {
  for (const folder of require.resolve.paths(name)) {
    try {
      return JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')).version;
    } catch {
      // Not in this folder.
    }
  }
}

/** One line: what the figures were taken on and with. */
export function machineLine() {
  const engines = ['isolated-vm', 'quickjs-emscripten'].map(
    (name) => `${name} ${versionOf(name) ?? 'not installed'}`,
  );
  return `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${platform()} ${arch()}, Node ${process.version}, ${engines.join(', ')}`;
}
