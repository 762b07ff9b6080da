import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Versions whose protocol was tried out; it is not a stable one. */
export const TESTED_VERSIONS: readonly string[] = ['7.0.2'];

/** A checker's program on this machine, or why there is none. */
export type FoundChecker =
  | { readonly executable: string; readonly libraryFolder: string }
  | { readonly reason: string };

/**
 * Looks for TypeScript's native checker: at the path given, else as `typescript` is resolved from the host's folder, else
 * from this package.
 *
 * @param path the executable itself, from the host
 */
export function findChecker(path: string | undefined): FoundChecker {
  if (path !== undefined) return checked(path);
  const reasons = new Set<string>();
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const found = resolvedFrom(from);
    if ('executable' in found) return found;
    reasons.add(found.reason);
  }
  return { reason: [...reasons][0]! };
}

function resolvedFrom(from: string): FoundChecker {
  let typescript: string;
  try {
    typescript = createRequire(from).resolve('typescript/package.json');
  } catch {
    return { reason: 'package "typescript" is not installed' };
  }
  const version = versionOf(typescript);
  if (version === undefined || !TESTED_VERSIONS.includes(version)) return { reason: untested(version) };
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(typescript).resolve(`${platform}/package.json`);
    const name = process.platform === 'win32' ? 'tsc.exe' : 'tsc';
    return checked(join(dirname(manifest), 'lib', name));
  } catch {
    return { reason: `package "${platform}" is not installed` };
  }
}

function checked(executable: string): FoundChecker {
  if (!existsSync(executable)) return { reason: `there is no file "${executable}"` };
  const libraryFolder = dirname(executable);
  const version = versionOf(join(dirname(libraryFolder), 'package.json'));
  if (version === undefined || !TESTED_VERSIONS.includes(version)) return { reason: untested(version) };
  return { executable, libraryFolder };
}

function untested(version: string | undefined): string {
  return `typescript ${version ?? 'of an unknown version'} is not one of the tested versions (${TESTED_VERSIONS.join(', ')})`;
}

function versionOf(manifest: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
