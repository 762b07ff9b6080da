import { describe, expect, it } from 'vitest';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { presentCall, presentResult } from '#dist/runtime/service/call-cards.js';
import { flush } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost, textOf } from './ptc-host.ts';

describe('run_code: arguments', () => {
  it('C57, E90: a blank description fails without a run; a missing one, or code that is no text, is INVALID_ARGS', async () => {
    const host = ptcHost({ plays: { main: () => 1 } });
    const run = async (args: Record<string, unknown>) => (await host.execute(args)).results[0]!.result;
    const blank = await run({ code: 'main', description: ' \n\t' });
    expect([blank.error?.message, blank.error?.info]).toEqual([
      expect.stringMatching(/^Invalid description/),
      undefined,
    ]);
    for (const args of [{ code: 'main' }, { description: 'd' }, { code: 1, description: 'd' }, {}]) {
      expect((await run(args)).error?.info).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' });
    }
    expect(host.runtime.requests).toEqual([]);
  });

  it('C59: a deadline where the runtime takes none is an error, and so is one that makes no sense', async () => {
    const plain = ptcHost({ plays: { main: () => 1 } });
    const timed = ptcHost({ plays: { main: () => 1 }, runtime: { maxTimeoutMs: 500 } });
    const run = async (host: typeof plain, timeoutMs: unknown) =>
      (await host.execute({ code: 'main', description: 'd', timeoutMs })).results[0]!.result;
    expect((await run(plain, 100)).error?.message).toContain('"timeoutMs"');
    for (const bad of [0, -1, 'soon', null]) expect((await run(timed, bad)).isError).toBe(true);
    expect([...plain.runtime.requests, ...timed.runtime.requests]).toEqual([]);
    expect((await run(timed, 100)).isError).toBe(false);
    expect((await run(timed, 501)).isError).toBe(false);
    expect(timed.runtime.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([100, 500]);
    await timed.run('main');
    expect(timed.runtime.requests[2]!.timeoutMs).toBeUndefined();
  });

  it('C6: without a runtime run_code gives an error result', async () => {
    const { createTools } = await import('#dist/runtime/service/create-tools.js');
    const { ptcExecutor } = await import('#dist/bridge/index.js');
    const tools = createTools();
    tools.setExecutor(ptcExecutor({ runtime: undefined }));
    const { results } = await tools.execute({
      calls: [{ callId: toolCallId('c'), name: 'run_code', arguments: '{"code":"1","description":"d"}' }],
      signal: new AbortController().signal,
    });
    expect(results[0]!.result.error?.message).toBe('Cannot run code: no code runtime is mounted');
  });

  it('C58: the pending card shows the description and the code; there is no card or meta of the result', async () => {
    const host = ptcHost({ plays: { main: () => 'done' } });
    const seen: ToolExecution[] = [];
    host.tools.on('tools/result', (exec) => void seen.push(exec as ToolExecution));
    const result = await host.run('main');
    const [exec] = seen;
    expect(presentCall(host.tools, exec!)).toEqual({
      card: 'generic',
      title: 'a test',
      kind: 'execute',
      rawInput: 'main',
    });
    const definition = exec!.dispatch!.definition!;
    expect(['presentResult' in definition, 'meta' in result]).toEqual([false, false]);
    expect('presentationMeta' in definition.output).toBe(false);
    expect(definition.presentCall?.({ code: 1 })).toBeUndefined();
    expect(presentResult(host.tools, exec!, result)).toMatchObject({ card: 'generic', title: 'a test' });
  });
});

describe('run_code: as a call', () => {
  it('C7, E86: the canonical value is logs with a result, which is absent for nothing and null for null', async () => {
    const host = ptcHost({
      plays: {
        nothing: ({ log }) => log('said'),
        null: () => null,
        empty: () => '',
        value: () => ({ rows: [1, 2] }),
      },
    });
    expect((await host.run('nothing')).value).toEqual({ logs: ['said'] });
    expect((await host.run('null')).value).toEqual({ logs: [], result: null });
    expect((await host.run('empty')).value).toEqual({ logs: [], result: '' });
    expect((await host.run('value')).value).toEqual({ logs: [], result: { rows: [1, 2] } });
  });

  it('C7: the output schema is a closed object of logs and an optional result', async () => {
    const host = ptcHost({ plays: { main: () => 1 } });
    let schema: unknown;
    host.tools.on('tools/result', (exec) => {
      schema = exec.dispatch?.definition?.output.schema;
    });
    await host.run('main');
    expect(schema).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { logs: { type: 'array', items: { type: 'string' } }, result: {} },
      required: ['logs'],
    });
  });

  it('C8, P11: programs and refused direct calls run one after the other', async () => {
    const order: string[] = [];
    const slow = gatedTool('slow');
    const host = ptcHost({
      plays: {
        first: async ({ tools }) => {
          order.push('first');
          await tools['slow']!();
        },
        second: () => order.push('second'),
      },
    });
    host.tools.register(slow.definition);
    const call = (id: string, name: string, code: string) => ({
      callId: toolCallId(id),
      name,
      arguments: JSON.stringify({ code, description: 'd' }),
    });
    const outcome = host.tools.execute({
      calls: [call('a', 'run_code', 'first'), call('b', 'slow', ''), call('c', 'run_code', 'second')],
      signal: host.controller.signal,
      agent: host.agent,
      log: { turn: 1, step: 1 },
    });
    await flush();
    expect(order).toEqual(['first']);
    slow.bodies[0]!.open(1);
    const { results } = await outcome;
    expect(order).toEqual(['first', 'second']);
    expect(results.map(({ result }) => result.error?.info?.code)).toEqual([
      undefined,
      'UNKNOWN_TOOL',
      undefined,
    ]);
    expect(slow.bodies.length).toBe(1);
    // Sub-calls lie inside the open turn of their program.
    expect(
      host.agent.events.map(({ type, payload }) => `${type} ${payload['callId'] ?? payload['subCallId']}`),
    ).toEqual([
      'tool/call a',
      'tool/ptc-dispatch-start a:ptc:1',
      'tool/ptc-dispatch a:ptc:1',
      'tool/result a',
      'tool/call b',
      'tool/result b',
      'tool/call c',
      'tool/result c',
    ]);
  });

  it('C1, R63: presented as both, a direct call runs beside programs and overlaps like any native one', async () => {
    const host = ptcHost({ plays: { main: () => 1 }, presents: 'both' });
    const read = gatedTool('read');
    host.tools.register(read.definition);
    const call = (id: string, name: string) => ({
      callId: toolCallId(id),
      name,
      arguments: '{"code":"main","description":"d"}',
    });
    const outcome = host.tools.execute({
      calls: [call('a', 'read'), call('b', 'read'), call('c', 'run_code')],
      signal: host.controller.signal,
    });
    await flush();
    expect(read.running).toBe(2);
    for (const body of read.bodies) body.open('x');
    const { results } = await outcome;
    expect(results.map(({ result }) => result.value)).toEqual(['x', 'x', { logs: [], result: 1 }]);
  });

  it('R64, C26: the transport is no tool of the registry, also while programs are presented', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => Object.keys(tools) } });
    host.tools.register(makeTool('read'));
    expect((await host.run('main')).value).toEqual({ logs: [], result: ['read'] });
    expect([host.tools.get('run_code'), host.tools.executable('run_code')]).toEqual([undefined, undefined]);
  });

  it('P8, E65: a direct call of a visible tool is refused before policy and is told where to call it', async () => {
    const host = ptcHost();
    host.tools.register(makeTool('read'));
    const asked: string[] = [];
    host.tools.on('tools/pre-execute', (exec, next) => {
      asked.push(exec.name);
      return next();
    });
    const { results } = await host.tools.execute({
      calls: ['read', 'nobody'].map((name) => ({ callId: toolCallId(name), name, arguments: '' })),
      signal: host.controller.signal,
    });
    expect(results.map(({ result }) => result.error?.info?.code)).toEqual(['UNKNOWN_TOOL', 'UNKNOWN_TOOL']);
    expect(textOf(results[0]!.result)).toContain('run_code');
    expect(asked).toEqual(['nobody']);
  });

  it('C56: a runtime that rejects gives an ordinary error, without a code', async () => {
    const host = ptcHost({
      runtime: {
        run: async () => {
          throw new TypeError('bad binding name');
        },
      },
    });
    const result = await host.run('main');
    expect([result.error, textOf(result)]).toEqual([
      { message: 'bad binding name' },
      'Error: bad binding name',
    ]);
  });

  it.each<[unknown, string]>([
    [undefined, 'wanted { logs, value?, error?, stats }, received undefined'],
    [null, 'wanted { logs, value?, error?, stats }, received null'],
    [{ value: 1 }, 'wanted "logs" as an array of strings, received undefined'],
    [{ logs: 'one' }, 'wanted "logs" as an array of strings, received "one"'],
    [{ logs: [1] }, 'wanted "logs" as an array of strings, received an array'],
    [{ logs: [], error: null }, 'wanted "error" as { kind, message }, received null'],
    [{ logs: [], error: {} }, 'wanted "error" as { kind, message }, received an object'],
  ])('C56, M2: a runtime that answers %j is named as broken, without a code', async (answer, message) => {
    const host = ptcHost({ runtime: { run: async () => answer as never } });
    const result = await host.run('main');
    expect(result.error).toEqual({ message: `Cannot take the outcome of the code runtime: ${message}` });
  });

  it('C55: a program that failed is CODE_RUN_FAILED with the kind, the message and what it had printed', async () => {
    const host = ptcHost({
      plays: {
        main({ log }) {
          log('one');
          log('two');
          throw new TypeError('rows is not iterable');
        },
      },
    });
    const result = await host.run('main');
    expect(result.error?.info).toEqual({ name: 'CodeRunFailedError', code: 'CODE_RUN_FAILED' });
    expect(result.error?.message).toMatch(/^code run failed \(exception\): TypeError: rows is not iterable/);
    expect(result.error?.message).toContain('one\ntwo');
    expect(textOf(result)).toBe(`Error: ${result.error?.message}`);
  });

  it('C6, M3: a runtime that cannot start is a failed run of its own kind', async () => {
    const host = ptcHost({
      plays: { main: ({ fail }) => fail({ kind: 'sandbox-unavailable', message: 'no engine' }) },
    });
    const result = await host.run('main');
    expect(result.error?.info?.code).toBe('CODE_RUN_FAILED');
    expect(result.error?.message).toContain('code run failed (sandbox-unavailable): no engine');
  });

  it("C60: the observer of runs gets the outer call and the runtime's own result; what it throws changes nothing", async () => {
    const seen: unknown[] = [];
    const host = ptcHost({
      plays: { main: () => 7, bad: ({ fail }) => fail({ kind: 'timeout', message: 'late', budget: 'wall' }) },
      onRun: (exec, result) => {
        seen.push([exec.callId, result.value, result.error?.kind]);
        throw new Error('observer broke');
      },
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: 7 });
    await host.run('bad');
    expect(seen).toEqual([
      ['outer', 7, undefined],
      ['outer', undefined, 'timeout'],
    ]);
    expect(host.warnings.map(({ message }) => message)).toEqual([
      'Observer failed: observer broke',
      'Observer failed: observer broke',
    ]);
  });

  it('C70, M3: a check sees what the sandbox prepared, with the tools of the program, and its failure ends the run', async () => {
    const seen: unknown[] = [];
    let played = 0;
    const host = ptcHost({
      plays: {
        main: () => {
          played += 1;
        },
      },
      check: async (prepared, { program, exec, tools }) => {
        seen.push([prepared.typedText, program, exec.callId, tools.map(({ name }) => name)]);
        return seen.length === 1 ? { kind: 'type-check', message: 'read wants a path' } : undefined;
      },
    });
    host.tools.register(makeTool('read'));
    expect((await host.run('main')).error?.message).toContain(
      'code run failed (type-check): read wants a path',
    );
    expect(played).toBe(0);
    expect((await host.run('main')).isError).toBe(false);
    expect(played).toBe(1);
    const once = ['main', 'main', 'outer', ['read']];
    expect(seen).toEqual([once, once]);
    expect(host.runs.map(({ result }) => result.error?.kind)).toEqual(['type-check', undefined]);
  });

  it('E125: a program that catches a denial and returns gives a successful outer call', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) =>
          tools['read']!().then(String, (error: Error) => `caught: ${error.message}`),
      },
    });
    host.tools.register(makeTool('read'));
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'read' ? { kind: 'deny', reason: 'not in this repository' } : next(),
    );
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'caught: not in this repository' });
  });
});
