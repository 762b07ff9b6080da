import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ptcExecutor } from '#dist/bridge/index.js';
import type { ApprovalOutcome } from '#dist/runtime/contract/approval.js';
import type { CodeRuntime } from '#dist/runtime/contract/code-runtime.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { sandboxRuntime } from '#dist/runtime/sandbox/sandbox-runtime.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { type Gate, gate } from '../support/gate.ts';
import { makeTool } from '../support/make-tool.ts';
import { type RecordingAgent, recordingAgent } from '../support/recording-agent.ts';
import { textOf } from './ptc-host.ts';

const IMAGE = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;

/** The bridge over one real engine. */
export function sandboxSuite(engine: 'isolated-vm' | 'quickjs'): void {
  describe(`the bridge over ${engine}`, () => {
    let runtime: CodeRuntime;
    let agent: RecordingAgent;
    let controller: AbortController;
    let tools: ReturnType<typeof createTools>;
    /** Settled when a body of `hang` has begun. */
    let hanging: Gate;
    const recorded: unknown[] = [];

    beforeAll(() => {
      runtime = sandboxRuntime({
        engine,
        placement: 'process',
        wallMs: 20_000,
        pauseWallDuringApprovals: true,
      });
    });
    afterAll(() => runtime.dispose());

    beforeEach(() => {
      agent = recordingAgent();
      controller = new AbortController();
      hanging = gate();
      recorded.length = 0;
      tools = createTools({ onWarning() {} });
      tools.setExecutor(ptcExecutor({ runtime }));
      const any = { schema: {}, render: () => [] };
      tools.register(
        makeTool('echo', { output: any, isConcurrencySafe: () => true, execute: async (args) => args }),
      );
      tools.register(
        makeTool('record', {
          output: any,
          execute: async (args) => {
            recorded.push(args);
            return { ok: true };
          },
        }),
      );
      tools.register(
        makeTool('hang', {
          output: any,
          isConcurrencySafe: () => true,
          execute: (_, exec) =>
            new Promise((_resolve, reject) => {
              exec.signal.addEventListener('abort', () => reject(exec.signal.reason));
              hanging.open();
            }),
        }),
      );
      tools.register(
        makeTool('camera', {
          output: { schema: {}, render: () => [{ type: 'text', text: 'shot' }, IMAGE] },
          execute: async () => null,
        }),
      );
    });

    const batch = (code: string) =>
      tools.execute({
        calls: [
          {
            callId: toolCallId('outer'),
            name: 'run_code',
            arguments: JSON.stringify({ code, description: 'a test' }),
          },
        ],
        signal: controller.signal,
        agent,
      });
    const run = async (code: string) => (await batch(code)).results[0]!.result;
    const resultOf = async (code: string) => {
      const result = await run(code);
      expect(result.error?.message).toBeUndefined();
      return (result.value as { result?: unknown }).result;
    };

    it('C30, C32, C42: calls carry values both ways and the line of the program that made them', async () => {
      const value = await resultOf(
        'const a = await tools.echo({ n: 1 });\n\nreturn [a, await tools.record({ tag: "x" })];',
      );
      expect(value).toEqual([{ n: 1 }, { ok: true }]);
      const starts = agent.of('tool/ptc-dispatch-start');
      expect(
        starts.map(({ subCallId, name, position }) => [subCallId, name, (position as { line: number }).line]),
      ).toEqual([
        ['outer:ptc:1', 'echo', 1],
        ['outer:ptc:2', 'record', 3],
      ]);
    });

    it('C31, E80, E89: a refusal reaches the program as a ToolCallError with a code; nothing is logged of bad arguments', async () => {
      const value = await resultOf(`
        const told: unknown[] = [];
        const note = (e: any) => told.push([e instanceof ToolCallError, e.toolName, e.code ?? null]);
        await tools.echo(1 as any).catch(note);
        await tools.echo({ when: 1n } as any).catch(note);
        await tools.gone({}).catch(note);
        return told;`);
      expect(value).toEqual([
        [true, 'echo', 'INVALID_ARGS'],
        [true, 'echo', 'INVALID_ARGS'],
        [true, 'gone', 'UNKNOWN_TOOL'],
      ]);
      expect(agent.events).toEqual([]);
    });

    it('C29, C36: many calls at once all come back, each with its own value', async () => {
      const value = await resultOf(`
        const values = await Promise.all(Array.from({ length: 500 }, (_, i) => tools.echo({ i })));
        return values.map((value: any) => value.i);`);
      expect(value).toEqual(Array.from({ length: 500 }, (_, i) => i));
      expect([agent.of('tool/ptc-dispatch-start').length, agent.of('tool/ptc-dispatch').length]).toEqual([
        500, 500,
      ]);
    });

    it('C38, C62: a race gives the fast call; the slow one is aborted, drained and named', async () => {
      const result = await run(
        'const slow = tools.hang({});\nreturn await Promise.race([slow, tools.echo({ fast: true })]);',
      );
      expect((result.value as { result: unknown }).result).toEqual({ fast: true });
      expect(textOf(result)).toMatch(/#1 hang \(line 1\)/);
      expect(agent.of('tool/ptc-dispatch').map(({ name, isError }) => [name, isError])).toEqual([
        ['echo', false],
        ['hang', true],
      ]);
    });

    it('C61: the deadline of a call ends that call alone, in the program and in the host', async () => {
      const value = await resultOf(`
        const code = await tools.hang({}, { timeoutMs: 30 }).catch((e: any) => e.code);
        return [code, await tools.echo({ after: true })];`);
      expect(value).toEqual(['TOOL_TIMEOUT', { after: true }]);
      expect(agent.of('tool/ptc-dispatch').map(({ name, isError }) => [name, isError])).toEqual([
        ['hang', true],
        ['echo', false],
      ]);
    });

    it('C61: a call whose own signal aborts ends in the host too, and the program goes on', async () => {
      const value = await resultOf(`
        const own = new AbortController();
        const given = tools.hang({}, { signal: own.signal }).catch((e: any) => e.code);
        await tools.echo({});
        own.abort();
        return [await given, await tools.echo({ after: true })];`);
      expect(value).toEqual(['ABORTED', { after: true }]);
      expect(agent.of('tool/ptc-dispatch').map(({ name, isError }) => [name, isError])).toEqual([
        ['echo', false],
        ['hang', true],
        ['echo', false],
      ]);
    });

    it('C60, C61, C64: an abort from outside ends the program and what it had started, with its reason', async () => {
      const outcome = run('await tools.record({ tag: "before" });\nawait tools.hang({});\nreturn "never";');
      await hanging.promise;
      controller.abort(new Error('user pressed stop'));
      const result = await outcome;
      expect(result.error?.info?.code).toBe('CODE_RUN_FAILED');
      expect(result.error?.message).toMatch(/^code run failed \(abort\): .*user pressed stop/);
      expect(result.error?.message).toMatch(/#1 record/);
      expect(agent.of('tool/ptc-dispatch').map(({ name, isError }) => [name, isError])).toEqual([
        ['record', false],
        ['hang', true],
      ]);
    });

    it('C50, C51: images are forwarded after the run, also of a program that then fails', async () => {
      const { results, additionalContexts } = await batch(
        'await tools.camera({});\nthrow new Error("later");',
      );
      expect(results[0]!.result.isError).toBe(true);
      expect(additionalContexts).toEqual([
        {
          role: 'user',
          content: [{ type: 'text', text: 'shot' }, IMAGE],
          source: { kind: 'plugin', plugin: 'tools-ptc' },
        },
      ]);
    });

    it('C25: a tool called then is reached through sdk.call, and a search finds it', async () => {
      tools.register(
        makeTool('then', { output: { schema: {}, render: () => [] }, execute: async (args) => args }),
      );
      const value = await resultOf(`
        const { tools: found } = await sdk.search('then');
        return [found[0].name, await sdk.call('then', { a: 1 }), (tools as any).then === undefined];`);
      expect(value).toEqual(['then', { a: 1 }, true]);
    });

    it('M36, M37: the time in which an approver thinks is not charged to the run', async () => {
      const answer = gate<ApprovalOutcome>();
      const asked = gate();
      tools.setApproval({
        request: () => {
          asked.open();
          return answer.promise;
        },
      });
      tools.on('tools/pre-execute', async (exec, next) =>
        exec.name === 'record' ? { kind: 'ask' } : next(),
      );
      const outcome = tools.execute({
        calls: [
          {
            callId: toolCallId('outer'),
            name: 'run_code',
            arguments: JSON.stringify({
              code: 'return await tools.record({ tag: "asked" });',
              description: 'asks',
              timeoutMs: 1500,
            }),
          },
        ],
        signal: controller.signal,
        agent,
      });
      await asked.promise;
      // Longer than the whole budget of the run.
      await new Promise((resolve) => setTimeout(resolve, 1800));
      answer.open('allowed-once');
      const { results } = await outcome;
      expect(results[0]!.result.value).toEqual({ logs: [], result: { ok: true } });
    });
  });
}
