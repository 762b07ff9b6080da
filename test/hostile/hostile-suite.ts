import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeRunFailureKind, CodeRunResult } from 'ptc-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaseHost, caseHost } from '../support/case-host.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

/** The budgets for which the headers speak; a loaded machine needs more than their two seconds for one of computing. */
const COMPUTE_MS = 1000;
const WALL_MS = 10_000;
/** Of the programs that are to end by it and need no second of it. */
const SHORT_MS = 300;
/** What the host may work between two turns of its loop, ms. */
const MAX_STRETCH_MS = 100;

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
  /** JSON of the one value that it may return. */
  readonly value: string | undefined;
  /** It ends by itself, or where the engine can end it. */
  readonly inProcess: boolean;
}

const programsOf = (folder: string): readonly HostileProgram[] =>
  readdirSync(join(FIXTURES, folder)).map((file) => {
    const text = readFileSync(join(FIXTURES, folder, file), 'utf8');
    return {
      file,
      program: text.replace(/^\/\*[\s\S]*?\*\/\n/, ''),
      expected: /\* expect: (.*)/.exec(text)?.[1] ?? '',
      value: /\* value: (.*)/.exec(text)?.[1],
      inProcess: text.includes('* in-process: yes'),
    };
  });

const programs = programsOf('hostile');
const attacks = programsOf('attacks');

function endsOf({ expected, file }: HostileProgram, isWithinBudget: boolean): readonly string[] | undefined {
  const kinds: readonly string[] | undefined = ENDS.find(([header]) => expected.startsWith(header))?.[1];
  // All that this flood makes is alive: a bare engine fills 64 MiB with it in 0.65 to 1.3 s, so that its memory may end first.
  return file === '31-micro-flood.ts' && isWithinBudget ? [...(kinds ?? []), 'memory-limit'] : kinds;
}

function judge(program: HostileProgram, { error, value, stats }: CodeRunResult, computeMs: number): void {
  const { expected } = program;
  const kinds = endsOf(program, stats.computeMs < computeMs);
  expect(kinds, `the header "${expected}" is known`).toBeInstanceOf(Array);
  if (kinds !== undefined && kinds.length > 0) expect(kinds).toContain(error?.kind ?? 'value');
  if (expected.includes('compute budget named') || expected.startsWith('kind timeout (compute)')) {
    if (error?.kind === 'timeout') expect(error).toMatchObject({ budget: 'compute', limit: computeMs });
  }
  if (expected.includes('naming the cap') && error?.kind === 'output-limit')
    expect(error.message).toMatch(/\d/);
  if (expected.includes('depth bound')) expect(error?.message).toContain('2000');
  if (expected.includes('readable message')) expect(error?.message).not.toBe('');
  if (program.value !== undefined) expect([error, value]).toEqual([undefined, JSON.parse(program.value)]);
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
  const common = { engine, wallMs: WALL_MS, memoryMb: 64 } as const;
  // An entry's clock is the wall's on one engine: a machine that gave a program a tenth of a core proves nothing.
  const again = { retry: 2 };

  describe(`hostile programs, ${engine}`, () => {
    let host: CaseHost;
    let short: CaseHost;
    beforeAll(() => {
      host = caseHost({ ...common, computeMs: COMPUTE_MS });
      short = caseHost({ ...common, computeMs: SHORT_MS });
    });
    afterAll(() => Promise.all([host.dispose(), short.dispose()]));

    const endsWell = async (program: HostileProgram, on: CaseHost, computeMs: number) => {
      const busiest = busiestStretch();
      const { run } = await on.run(program.program);
      const stretchMs = busiest();
      judge(program, run, computeMs);
      expect(stretchMs, 'what the host itself worked between two turns of its loop, ms').toBeLessThan(
        MAX_STRETCH_MS,
      );
      expect((await on.run('return await tools.add({ a: 1, b: 1 })')).run.value).toBe(2);
    };

    it.each(programs)(
      'M34, M36, M49: $file ends as its header says, and the next program runs',
      again,
      (program) => endsWell(program, host, COMPUTE_MS),
    );

    it.each(attacks)(
      'M34, M36, M49, M51: attack $file ends as its header says, and the next program runs',
      again,
      (program) =>
        program.expected.includes('timeout') || program.expected.startsWith('any failure')
          ? endsWell(program, short, SHORT_MS)
          : endsWell(program, host, COMPUTE_MS),
    );
  });

  describe(`hostile programs in the host's own process, ${engine}`, () => {
    let host: CaseHost;
    let short: CaseHost;
    beforeAll(() => {
      const placed = { ...common, placement: 'in-process' } as const;
      host = caseHost({ ...placed, computeMs: WALL_MS });
      short = caseHost({ ...placed, computeMs: SHORT_MS });
    });
    afterAll(() => Promise.all([host.dispose(), short.dispose()]));

    it.each(attacks.filter(({ inProcess }) => inProcess))(
      'M36, M51: attack $file ends as its header says without a process around it',
      again,
      async (program) => {
        const isShort = program.expected.includes('timeout');
        const on = isShort ? short : host;
        judge(program, (await on.run(program.program)).run, isShort ? SHORT_MS : WALL_MS);
        expect((await on.run('return await tools.add({ a: 1, b: 1 })')).run.value).toBe(2);
      },
    );
  });
}
