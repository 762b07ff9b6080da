import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Target {
  readonly types: string;
  readonly default: string;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Target>>;
};
const targets = Object.values(manifest.exports).filter((target) => typeof target !== 'string');

const [pack] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: 'pipe',
    shell: process.platform === 'win32',
  }),
) as [{ readonly files: readonly { readonly path: string }[] }];
const packed = pack.files.map(({ path }) => path);

/** Files with all that they import, by path or from beside them. */
function reachedFrom(entries: readonly string[]): readonly string[] {
  const reached = new Set(entries);
  for (const file of reached) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import)\s*\(?["'](\.[^"']+)["']/g,
    )) {
      const target = join(dirname(file), path).replaceAll('\\', '/');
      reached.add(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target);
    }
  }
  return [...reached];
}

const code = reachedFrom([
  ...targets.map((target) => join(target.default)),
  ...Object.values(manifest.bin).map((file) => join(file)),
  'dist/runtime/sandbox/process/main.js',
  'dist/runtime/sandbox/process/peer.js',
]).map((file) => file.replaceAll('\\', '/'));

describe('what is in the package', () => {
  it('all that the entries, the command and a sandbox process load, and no other code', () => {
    expect(packed.filter((path) => path.endsWith('.js')).sort()).toEqual([...code].sort());
  });

  it('the types of every entry, with all that they lean on', () => {
    const types = reachedFrom(targets.map((target) => join(target.types)));
    expect(types.filter((file) => !packed.includes(file.replaceAll('\\', '/')))).toEqual([]);
  });
});
