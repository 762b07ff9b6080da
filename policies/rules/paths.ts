import { posix } from 'node:path';
import { matchesWithGaps, wildcard } from '../wildcard.js';

/**
 * Brings a path into the one form in which it is compared: forward slashes, no `.` and no `..` that could be resolved, no
 * slash at the end. A `..` that leads out of a relative path stays.
 *
 * @param root what relative paths start from, if they are to become absolute
 * @example
 * normalisePath('a/../secret') // 'secret'
 * normalisePath('../x', '/srv/app') // '/srv/x'
 */
export function normalisePath(path: string, root?: string): string {
  const slashed = path.replaceAll('\\', '/');
  const whole = root === undefined || slashed.startsWith('/') ? slashed : `${root}/${slashed}`;
  // Two slashes in front mean the same as one to whoever opens the file.
  const normal = posix.normalize(whole).replace(/^\/+/, '/');
  return normal.length > 1 ? normal.replace(/\/$/, '') : normal;
}

/**
 * Makes the test of a path pattern: `*` stays within one folder, `**` spans any number of them, none included. Path and
 * pattern are normalised first.
 *
 * @example
 * pathPattern('secret/**')('a/../secret/key') // true
 */
export function pathPattern(pattern: string, root?: string): (path: string) => boolean {
  const parts = normalisePath(pattern, root)
    .split('/')
    .map((part) => (part === '**' ? undefined : wildcard(part)));
  return (path) =>
    matchesWithGaps(
      parts,
      normalisePath(path, root).split('/'),
      (part) => part === undefined,
      (part, folder) => part?.(folder) === true,
    );
}

/** Whether a text, read as a path, goes up anywhere. */
export function goesUp(text: string): boolean {
  return /(?:^|[\\/])\.\.(?:$|[\\/])/.test(text);
}

/** A text with what is a path in it resolved: a URL as a URL, anything else with slashes as a path. */
export function resolvedText(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return URL.canParse(text) ? new URL(text).href : text;
  return /[\\/]/.test(text) ? normalisePath(text) : text;
}
