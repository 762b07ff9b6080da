import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { approvalText } from '#dist/cli/approval-text.js';
import { useRunPolicies } from '#dist/cli/run-policies.js';
import { terminalApproval } from '#dist/cli/terminal-approval.js';
import { approvals, createGrants, rules } from '#dist/policies/index.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import type { Play } from '../support/fake-runtime.ts';
import { flush } from '../support/gate.ts';
import { makeTool } from '../support/make-tool.ts';
import { recordingAgent } from '../support/recording-agent.ts';

const PROGRAM = 'const rows = [1, 2];\nawait tools.write({ n: 1 });\n';

/** A terminal that is answered line by line. */
function fakeTerminal(isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  return { input, output, shown: () => shown, questions: () => shown.split('[y]es').length - 1 };
}

/** Three calls of `write` and one of `drop`, made at once. */
const play: Play = async ({ tools }) => {
  const call = (name: string, n: number) =>
    tools[name]!({ n }, { at: { line: 2, column: 1 } }).then(
      () => `${name} ${n}`,
      (error: Error) => error.message,
    );
  return Promise.all([call('write', 1), call('write', 2), call('drop', 3), call('write', 4)]);
};

function askingHost(isTTY = true) {
  const host = ptcHost({ plays: { main: play } });
  for (const name of ['write', 'drop'])
    host.tools.register(makeTool(name, { isConcurrencySafe: () => true }));
  const terminal = fakeTerminal(isTTY);
  const grants = createGrants(host.tools);
  const warnings: string[] = [];
  rules(host.tools, { rules: [{ decision: 'ask', reason: 'it changes things' }], grants });
  const answer = terminalApproval({
    tools: host.tools,
    terminal,
    program: PROGRAM,
    grants,
    warn: (line) => void warnings.push(line),
  });
  approvals(host.tools, { answerers: [answer] });
  const says = async (...answers: string[]): Promise<readonly string[]> => {
    const before = terminal.questions();
    const outcome = host.run('main');
    for (const [index, line] of answers.entries()) {
      while (terminal.questions() < before + index + 1 || !terminal.shown().endsWith(': ')) await flush();
      terminal.input.write(`${line}\n`);
      await flush();
    }
    return ((await outcome).value as { result: string[] }).result;
  };
  return { ...host, terminal, warnings, says };
}

const DENIED = (name: string) => `The call of "${name}" was rejected by the approver: denied at the terminal`;

describe('questions at the terminal', () => {
  it('each call is asked about with its reason, arguments and line of the program, and those of its tool that wait', async () => {
    const host = askingHost();
    expect(await host.says('y', 'n', 'YES', 'no')).toEqual([
      'write 1',
      DENIED('write'),
      'drop 3',
      DENIED('write'),
    ]);
    expect(host.terminal.shown().replaceAll('\r\u001b[2K', '').split('[y]es')[0]).toBe(
      [
        'May the program call "write"?',
        '  why: it changes things',
        '  arguments: {"n":1}',
        '  line 2: await tools.write({ n: 1 });',
        '  2 more of its calls wait:',
        '    {"n":2}',
        '    {"n":4}',
        '',
      ].join('\n'),
    );
  });

  it('yes to these lets the waiting calls of that tool pass that were shown, and no others, in no later run', async () => {
    const host = askingHost();
    expect(await host.says('t', 'n')).toEqual(['write 1', 'write 2', DENIED('drop'), 'write 4']);
    expect(await host.says('n', 'n', 'n', 'n')).toEqual([
      DENIED('write'),
      DENIED('write'),
      DENIED('drop'),
      DENIED('write'),
    ]);
  });

  it('always lets the tool pass from then on, and only that tool', async () => {
    const host = askingHost();
    expect(await host.says('a', 'n')).toEqual(['write 1', 'write 2', DENIED('drop'), 'write 4']);
    expect(await host.says('n')).toEqual(['write 1', 'write 2', DENIED('drop'), 'write 4']);
  });

  it('what is no answer is asked again, three times; these is no answer where nothing waits', async () => {
    const host = askingHost();
    expect((await host.says('n', 'n', 't', 'maybe', 'perhaps', 'y'))[2]).toBe(DENIED('drop'));
    const other = askingHost();
    expect((await other.says('n', 'n', 't', 'maybe', 'y', 'y'))[2]).toBe('drop 3');
  });

  it('the end of the input is no, and an abort cancels the question', async () => {
    const ended = askingHost();
    const outcome = ended.run('main');
    while (ended.terminal.questions() === 0) await flush();
    ended.terminal.input.end();
    expect(((await outcome).value as { result: string[] }).result[0]).toBe(DENIED('write'));
    const aborted = askingHost();
    const run = aborted.run('main');
    while (aborted.terminal.questions() === 0) await flush();
    aborted.controller.abort();
    expect((await run).isError).toBe(true);
    expect(aborted.terminal.questions()).toBe(1);
  });

  it('without a terminal every call is denied, and that is said once', async () => {
    const host = askingHost(false);
    const why = 'there is no terminal at which anybody could be asked';
    const denied = (name: string) =>
      `The call of "${name}" requires approval and no approver is available: ${why}`;
    expect(await host.says()).toEqual([denied('write'), denied('write'), denied('drop'), denied('write')]);
    expect(host.warnings).toEqual([`calls that need a yes are denied: ${why}`]);
    expect(host.terminal.shown()).toBe('');
  });

  it('nothing in a question can paint over it, and long arguments say how much is missing', () => {
    const text = approvalText({
      call: {
        name: 'wr\u001b[2Kite',
        arguments: { a: '\u202e\u009b\nx', long: 'z'.repeat(3000) },
        position: { line: 9, column: 1 },
      } as never,
      reason: 'first\nsecond',
      registration: { source: 'files', sourceName: 'write\rx' },
      queued: [],
      program: 'one line',
    });
    expect(text.split('\n')).toHaveLength(5);
    expect(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(text)).toBe(false);
    expect(text).toContain('wr\\u{1b}[2Kite');
    expect(text).toMatch(/… \(\d+ more characters\)/);
  });
});

describe('what waits in a lane', () => {
  it('C35: an approver sees the calls that wait behind the one it is asked about, in their order', async () => {
    const host = ptcHost({ plays: { main: play } });
    for (const name of ['write', 'drop']) host.tools.register(makeTool(name));
    const seen: unknown[] = [];
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.parent === undefined ? next() : { kind: 'ask' },
    );
    host.tools.setApproval({
      request: async (_, execution) => {
        await flush();
        seen.push(execution?.dispatch?.queued?.());
        return 'allowed-once' as const;
      },
    });
    await host.run('main', { agent: recordingAgent() });
    const waiting = (n: number, name: string, of: number) => ({
      callId: `outer:ptc:${n}`,
      rootCallId: 'outer',
      name,
      arguments: { n: of },
      position: { line: 2, column: 1 },
    });
    expect(seen).toEqual([
      [waiting(2, 'write', 2), waiting(3, 'drop', 3), waiting(4, 'write', 4)],
      [waiting(3, 'drop', 3), waiting(4, 'write', 4)],
      [waiting(4, 'write', 4)],
      [],
    ]);
  });
});

describe('the policies of ptc run', () => {
  it('a file that cannot be used is wrong usage, with its name', async () => {
    const { tools } = ptcHost();
    const setup = { policy: 'test/none.json', program: '', terminal: fakeTerminal(), warn() {} };
    await expect(useRunPolicies(tools, setup)).rejects.toThrow('Cannot read rules of "test/none.json"');
  });
});
