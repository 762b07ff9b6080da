import { createRequire } from 'node:module';
import type { SandboxEngine } from './options.js';

const nodeRequire = createRequire(import.meta.url);

/** What a version of V8 has, the newest first. */
const V8_LEVELS: readonly (readonly [major: number, minor: number, level: string])[] = [
  [13, 6, 'ES2025'],
  [11, 9, 'ES2024'],
];
const OLDEST_V8_LEVEL = 'ES2023';
const QUICKJS_LEVEL = 'ES2025 without Intl';

/**
 * The language level that a sandbox will have, as far as it can be told before the first one is ready: its processes run on
 * the same Node as the host.
 *
 * @param v8 version of the engine of this Node; replaced in tests
 */
export function expectedLanguageLevel(engine: SandboxEngine, v8: string = process.versions.v8): string {
  if (engine === 'quickjs' || (engine === 'auto' && !hasIsolatedVm())) return QUICKJS_LEVEL;
  const [major = 0, minor = 0] = v8.split('.').map(Number);
  const found = V8_LEVELS.find(([least, leastMinor]) =>
    major === least ? minor >= leastMinor : major > least,
  );
  return found?.[2] ?? OLDEST_V8_LEVEL;
}

/** Whether it is installed: only a sandbox can tell whether it also loads. */
function hasIsolatedVm(): boolean {
  try {
    nodeRequire.resolve('isolated-vm');
    return true;
  } catch {
    return false;
  }
}
