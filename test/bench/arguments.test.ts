import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { load } from './load.ts';

const { planOf, systemsOf } = await load('plan.js');

function started(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, firstLine: stderr.split('\n')[0], usage: stderr.includes('Usage: ') };
}

const CASES = 'cold, warm, spaced, seq, par, overlap, payload, compute, conc, rss';

describe('what the suite is asked for', () => {
  it.each([
    [
      ['sequential'],
      `Cannot run "sequential": wanted one of ${CASES}, pipeline, tokens, policies, bridge, program, sandbox, snapshot`,
    ],
    [
      ['__proto__'],
      `Cannot run "__proto__": wanted one of ${CASES}, pipeline, tokens, policies, bridge, program, sandbox, snapshot`,
    ],
    [['seq', '--engine', 'v8'], 'Cannot use --engine "v8": wanted one of isolated-vm, quickjs'],
    [['seq', '--placement', 'worker'], 'Cannot use --placement "worker": wanted one of process, in-process'],
    [['seq', '--rounds', '0'], 'Cannot use --rounds "0": wanted a whole number from 1 to 9999'],
    [['seq', '--rounds', '1.5'], 'Cannot use --rounds "1.5": wanted a whole number from 1 to 9999'],
    [
      ['seq', '--json', '/no/such/folder/x.json'],
      'Cannot write --json "/no/such/folder/x.json": wanted a file in a folder that exists, "/no/such/folder" does not',
    ],
    [['seq', '--json', '.'], 'Cannot write --json ".": wanted a file, received a folder'],
  ])('%j is refused before anything runs, and the usage is shown', (args, message) => {
    expect(started('bench/run.js', ...args)).toEqual({
      status: 2,
      stdout: '',
      firstLine: message,
      usage: true,
    });
  });

  it('an unknown option is refused with the usage', () => {
    expect(started('bench/run.js', '--fast')).toMatchObject({
      status: 2,
      stdout: '',
      firstLine: expect.stringContaining("'--fast'"),
      usage: true,
    });
  });

  it('no name means every case and the tables of a full run', () => {
    expect(planOf([])).toMatchObject({
      cases: CASES.split(', '),
      tables: ['pipeline', 'tokens', 'policies'],
      rounds: 3,
      isFull: true,
    });
  });

  it('one engine alone is no full run, so that the figures of a full one stay', () => {
    expect(planOf(['--engine', 'quickjs'])).toMatchObject({ engines: ['quickjs'], isFull: false });
  });

  it('named cases come once each in the order of the suite, warm also spaced, tables apart', () => {
    const plan = planOf(['seq', 'tokens', 'warm', 'seq', 'spaced']);
    expect(plan).toMatchObject({ cases: ['warm', 'spaced', 'seq'], tables: ['tokens'], isFull: false });
  });

  it('a table alone brings no case along', () => {
    expect(planOf(['policies'])).toMatchObject({ cases: [], tables: ['policies'] });
  });

  it('every system is an engine in a placement; conc is taken with several programs in a process too', () => {
    expect(systemsOf('seq')).toEqual([
      'isolated-vm/process',
      'isolated-vm/in-process',
      'quickjs/process',
      'quickjs/in-process',
    ]);
    expect(systemsOf('conc', ['quickjs'])).toEqual([
      'quickjs/process',
      'quickjs/process/10',
      'quickjs/in-process',
    ]);
  });
});

describe('what the comparison is asked for', () => {
  it.each([
    [[], 'Cannot compare: wanted two refs, received 0'],
    [['HEAD'], 'Cannot compare: wanted two refs, received 1'],
    [['HEAD', '.', 'tokens'], `Cannot run "tokens": wanted one of ${CASES}`],
    [['HEAD', '.', 'seq', '--engine', 'v8'], 'Cannot use --engine "v8": wanted one of isolated-vm, quickjs'],
    [
      ['no-such-ref', '.'],
      'Cannot compare "no-such-ref": wanted a commit, branch or tag of this repository, or .',
    ],
    [['.', 'help^'], 'Cannot compare "help^": wanted a commit, branch or tag of this repository, or .'],
  ])('%j is refused before anything is checked out, and the usage is shown', (args, message) => {
    expect(started('bench/compare', ...args)).toEqual({
      status: 2,
      stdout: '',
      firstLine: message,
      usage: true,
    });
  });
});
