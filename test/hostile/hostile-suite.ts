import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeRunFailureKind, CodeRunResult } from 'ptc-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaseHost, caseHost } from '../support/case-host.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/hostile');

/** The budgets for which the headers speak; a loaded machine needs more than their two seconds for one of computing. */
const COMPUTE_MS = 1000;
const WALL_MS = 10_000;

/** The end that each header allows, by its first words. */
const ENDS: readonly (readonly [header: string, kinds: readonly (CodeRunFailureKind | 'value')[]])[] = [
  ['an ordinary in-guest error', ['exception']],
  ['an ordinary value or error', ['value', 'exception', 'invalid-output']],
  ['any failure kind or a plain value', []],
  ['fails at once with kind deadlock', ['deadlock']],
  ['fails with kind memory-limit', ['memory-limit', 'exception', 'timeout']],
  ['fails with kind timeout', ['timeout']],
  ['invalid-output naming the depth bound', ['invalid-output']],
  ['kind timeout', ['timeout']],
  ['memory-limit (or exception RangeError, or timeout)', ['memory-limit', 'exception', 'timeout']],
  ['output-limit (or memory-limit)', ['output-limit', 'memory-limit']],
  ['output-limit (or timeout)', ['output-limit', 'timeout']],
  ['output-limit naming the cap', ['output-limit', 'memory-limit']],
];

interface HostileProgram {
  readonly file: string;
  readonly program: string;
  readonly expected: string;
}

const programs: readonly HostileProgram[] = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return {
    file,
    program: text.replace(/^\/\*[\s\S]*?\*\/\n/, ''),
    expected: /\* expect: (.*)/.exec(text)?.[1] ?? '',
  };
});

function endsOf(expected: string, file: string, computeMs: number): readonly string[] | undefined {
  const kinds: readonly string[] | undefined = ENDS.find(([header]) => expected.startsWith(header))?.[1];
  // All that this flood makes is alive: a bare engine fills 64 MiB with it in 0.65 to 1.3 s, so that its memory may end first.
  return file === '31-micro-flood.ts' && computeMs < COMPUTE_MS ? [...(kinds ?? []), 'memory-limit'] : kinds;
}

function judge(expected: string, file: string, { error, value, stats }: CodeRunResult): void {
  const kinds = endsOf(expected, file, stats.computeMs);
  expect(kinds, `the header "${expected}" is known`).toBeInstanceOf(Array);
  if (kinds !== undefined && kinds.length > 0) expect(kinds).toContain(error?.kind ?? 'value');
  if (expected.includes('compute budget named') || expected.startsWith('kind timeout (compute)')) {
    if (error?.kind === 'timeout') expect(error).toMatchObject({ budget: 'compute', limit: COMPUTE_MS });
  }
  if (expected.includes('naming the cap') && error?.kind === 'output-limit')
    expect(error.message).toMatch(/\d/);
  if (expected.includes('depth bound')) expect(error?.message).toContain('2000');
  if (expected.includes('readable message')) expect(error?.message).not.toBe('');
  expect(error === undefined || value === undefined).toBe(true);
}

/**
 * Follows how much processor time this process takes between two turns of its event loop: a stall of the host's own
 * making, whatever else the machine is doing.
 *
 * @returns ends it, and gives the longest such stretch in ms
 */
function busiestStretch(): () => number {
  let longest = 0;
  let last = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.cpuUsage();
  };
  const timer = setInterval(look, 5);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/** Every hostile program on one engine: its end, a host that goes on, and a next run that works. */
export function hostileSuite(engine: 'isolated-vm' | 'quickjs'): void {
  describe(`hostile programs, ${engine}`, () => {
    let host: CaseHost;
    beforeAll(() => {
      host = caseHost({ engine, computeMs: COMPUTE_MS, wallMs: WALL_MS, memoryMb: 64 });
    });
    afterAll(() => host.dispose());

    it.each(programs)(
      'M34, M36, M49: $file ends as its header says, and the next program runs',
      // An entry's clock is the wall's on one engine: a machine that gave a program a tenth of a core proves nothing.
      { retry: 2 },
      async ({ file, program, expected }) => {
        const busiest = busiestStretch();
        const { run } = await host.run(program);
        const stretchMs = busiest();
        judge(expected, file, run);
        expect(stretchMs, 'what the host itself worked between two turns of its loop, ms').toBeLessThan(100);
        expect((await host.run('return await tools.add({ a: 1, b: 1 })')).run.value).toBe(2);
      },
    );
  });
}
