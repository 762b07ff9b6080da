import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalOutcome, ApprovalRequest } from '#dist/runtime/contract/approval.js';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { flush, type Gate, gate } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { recordingAgent } from '../support/recording-agent.ts';
import { ptcHost } from './ptc-host.ts';

interface Question extends Gate<ApprovalOutcome> {
  readonly request: ApprovalRequest;
  readonly execution: Readonly<ToolExecution>;
}

/** A host whose tool `danger` asks before every call. */
function askingHost(plays: Parameters<typeof ptcHost>[0]) {
  const host = ptcHost(plays);
  const questions: Question[] = [];
  host.tools.register(
    makeTool('danger', {
      output: { schema: {}, render: () => [] },
      isConcurrencySafe: () => true,
      execute: async (args) => args,
    }),
  );
  host.tools.on('tools/pre-execute', async (exec, next) =>
    exec.name === 'danger' ? { kind: 'ask' } : next(),
  );
  host.tools.setApproval({
    request: (request, execution) => {
      const question = { ...gate<ApprovalOutcome>(), request, execution: execution! };
      questions.push(question);
      return question.promise;
    },
  });
  return { host, questions };
}

describe('approvals inside programs', () => {
  it('C35, C38: questions come one at a time in the order of the calls, and whatever settles last, the run goes on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('answer', 'settle'), { maxLength: 12 }), async (moves) => {
        const { host, questions } = askingHost({
          plays: {
            main: async ({ tools }) => {
              const calls = [
                tools['ready']!(),
                ...['a', 'b', 'c'].map((target) => tools['danger']!({ target })),
              ];
              return (await Promise.all(calls)).length;
            },
          },
        });
        const ready = gatedTool('ready');
        host.tools.register(ready.definition);
        const outcome = host.run('main');
        await flush();
        let answered = 0;
        for (const move of [...moves, 'settle', 'answer', 'answer', 'answer']) {
          expect(questions.length).toBe(Math.min(answered + 1, 3));
          if (move === 'settle') ready.bodies[0]!.open('ready');
          else if (answered < questions.length) {
            questions[answered]!.open('allowed-once');
            answered += 1;
          }
          await flush();
        }
        expect((await outcome).value).toEqual({ logs: [], result: 4 });
        expect(questions.map(({ execution }) => execution.arguments)).toEqual([
          { target: 'a' },
          { target: 'b' },
          { target: 'c' },
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('P24: an approver may answer inside the request, in a microtask, or a turn later', async () => {
    for (const answer of [
      () => 'allowed-once' as const,
      () => Promise.resolve('allowed-once' as const),
      () => flush().then(() => 'allowed-once' as const),
    ]) {
      const { host } = askingHost({ plays: { main: ({ tools }) => tools['danger']!({ target: 'x' }) } });
      host.tools.setApproval({ request: answer });
      expect((await host.run('main')).value).toEqual({ logs: [], result: { target: 'x' } });
    }
  });

  it('C30, P24: three runs with one open question each get their own answers, in whatever order they come', async () => {
    const { host, questions } = askingHost({
      plays: {
        main: ({ tools }) =>
          tools['danger']!().then(
            () => 'ran',
            (error: Error) => error.message,
          ),
      },
    });
    const agents = ['a', 'b', 'c'].map((id) => recordingAgent(id));
    const outcomes = agents.map((agent) => host.run('main', { agent }));
    await flush();
    const byAgent = (id: string) => questions.find(({ request }) => request.agent.id === id)!;
    byAgent('c').open('rejected');
    await flush();
    byAgent('a').open('allowed-once');
    await flush();
    byAgent('b').open('unavailable');
    const values = (await Promise.all(outcomes)).map(({ value }) => (value as { result: string }).result);
    expect(values).toEqual([
      'ran',
      'The call of "danger" requires approval and no approver is available',
      'The call of "danger" was rejected by the approver',
    ]);
    expect(questions.map(({ request }) => request.callId)).toEqual([
      'outer:ptc:1',
      'outer:ptc:1',
      'outer:ptc:1',
    ]);
  });

  it('P25, E126: a program can catch what an approver denies and go on', async () => {
    const { host, questions } = askingHost({
      plays: {
        main: async ({ tools }) => {
          const denied = await tools['danger']!({ target: 'x' }).catch((error: Error) => error.message);
          return [denied, await tools['record']!()];
        },
      },
    });
    host.tools.register(makeTool('record'));
    const outcome = host.run('main');
    await flush();
    questions[0]!.open('rejected');
    expect((await outcome).value).toEqual({
      logs: [],
      result: ['The call of "danger" was rejected by the approver', 'record'],
    });
  });
});
