import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'ES2023',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  skipLibCheck: true,
  types: [],
};

/**
 * Compiles many files in one run of the compiler, under `--strict`.
 *
 * @param options compiler options beside the usual ones.
 * @returns the diagnostics of each file that has some, one line each.
 */
export function typeErrors(
  files: Readonly<Record<string, string>>,
  options: object = {},
): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-text-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, include: ['*.ts'] }),
    );
    const run = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    const found: Record<string, string[]> = {};
    for (const line of run.stdout.split('\n')) {
      const match = /([^/(]+\.ts)\((\d+),(\d+)\): error (.*)/.exec(line);
      if (match === null) continue;
      const name = match[1]!;
      found[name] = [...(found[name] ?? []), `${match[2]}:${match[3]} ${match[4]}`];
    }
    if (run.status !== 0 && Object.keys(found).length === 0) throw new Error(run.stdout + run.stderr);
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The TypeScript between the fences of an SDK text: its last fenced block. */
export function declarationsOf(text: string): string {
  const start = text.lastIndexOf('```ts\n') + 6;
  return text.slice(start, text.indexOf('\n```', start));
}
