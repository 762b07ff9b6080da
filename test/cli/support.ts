import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a command printed, and how it ended. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `ptc`. */
export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandOutcome>;
}

/**
 * Starts `ptc` with a text as its standard input.
 *
 * @param flags of Node
 */
export function startPtc(args: readonly string[], input = '', flags: readonly string[] = []): RunningCommand {
  const child = spawn(process.execPath, [...flags, 'dist/cli/main.js', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(input);
  const ended = new Promise<CommandOutcome>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs `ptc` to its end. */
export function ptc(args: readonly string[], input = ''): Promise<CommandOutcome> {
  return startPtc(args, input).ended;
}

/** Calls the function with a folder that holds the files; removes it afterwards. */
export async function withFiles<T>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ptc-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
