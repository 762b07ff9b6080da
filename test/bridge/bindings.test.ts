import { describe, expect, it } from 'vitest';
import type { CodeBindingCall, CodeBindingNamespace } from '#dist/runtime/contract/code-runtime.js';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { PtcError } from '#dist/runtime/core/errors.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';
import { defineTool } from '#dist/runtime/tools/define-tool.js';
import type { ToolCallError } from '../support/fake-runtime.ts';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost } from './ptc-host.ts';

/** A legal name of a tool, behind a variable because a literal reads as the accessor. */
const PROTO: string = '__proto__';

const echo = (name = 'echo') =>
  makeTool(name, { output: { schema: {}, render: () => [] }, execute: async (args) => args });

/** The namespaces that a run was given. */
async function bindingsOf(host: ReturnType<typeof ptcHost>): Promise<readonly CodeBindingNamespace[]> {
  await host.run('main');
  return host.runtime.requests.at(-1)!.bindings;
}

/** Runs one call with a value as a host function may hand it over, and gives what it rejects with. */
async function refusalOf(make: () => unknown): Promise<[string, string | undefined]> {
  const host = ptcHost({
    plays: {
      main: async ({ tools }) => {
        try {
          await tools['echo']!(make());
          return 'accepted';
        } catch (error) {
          return [(error as ToolCallError).message, (error as ToolCallError).code ?? null];
        }
      },
    },
  });
  const bodies: unknown[] = [];
  host.tools.register({
    ...echo(),
    execute: async (args) => {
      bodies.push(args);
      return null;
    },
  });
  const seen: unknown[] = [];
  host.tools.on('tools/result', (exec) => void (exec.parent && seen.push(exec)));
  const result = await host.run('main');
  expect([bodies, seen, host.agent.events]).toEqual([[], [], []]);
  return (result.value as { result: [string, string | undefined] }).result;
}

describe('bindings: what a program is given', () => {
  it('C25, E11: tools has no prototype, own enumerable members of any name, and the error class of tool calls', async () => {
    const host = ptcHost({ plays: { main: () => 1 } });
    const names = ['__proto__', 'constructor', 'then', 'my-mcp.tool', 'toString'];
    for (const name of names) host.tools.register(echo(name));
    const [tools, sdk] = await bindingsOf(host);
    expect(tools!.global).toBe('tools');
    expect(tools!.errorClass).toEqual({ name: 'ToolCallError', memberNameProperty: 'toolName' });
    expect(tools!.argumentStyle ?? 'object').toBe('object');
    expect(Object.getPrototypeOf(tools!.functions)).toBeNull();
    expect(Object.keys(tools!.functions)).toEqual(names);
    expect(tools!.functions[PROTO]!.length).toBe(2);
    expect([sdk!.global, sdk!.argumentStyle, sdk!.forwards]).toEqual(['sdk', 'list', { call: 'tools' }]);
    expect(Object.keys(sdk!.functions)).toEqual(['search', 'describe']);
  });

  it('C25, E11: a tool called __proto__ is reached like any other', async () => {
    const host = ptcHost({
      plays: {
        main: ({ request }) =>
          request.bindings[0]!.functions[PROTO]!({ a: 1 }, undefined as unknown as CodeBindingCall),
      },
    });
    host.tools.register(echo('__proto__'));
    expect((await host.run('main')).value).toEqual({ logs: [], result: { a: 1 } });
  });

  it('C25, C26, R32: only what the agent sees and its set admits is bound, and never the transport', async () => {
    const host = ptcHost({ plays: { main: () => 1 } });
    for (const name of ['read', 'write', 'secret']) host.tools.register(echo(name));
    host.tools.register(echo('conditional'), { when: () => false });
    host.tools.scoped(host.agent).restrict({ deny: ['secret'] });
    const toolSet = await host.tools.resolve({
      agent: host.agent,
      modelSelection: { provider: 'p', model: 'm' },
      signal: host.controller.signal,
    });
    await host.run('main', { toolSet });
    expect(Object.keys(host.runtime.requests[0]!.bindings[0]!.functions)).toEqual(['read', 'write']);
    await host.run('main', { agent: undefined });
    expect(Object.keys(host.runtime.requests[1]!.bindings[0]!.functions)).toEqual([
      'read',
      'write',
      'secret',
      'conditional',
    ]);
  });

  it('C25: sdk.search and sdk.describe are answered without a call of a tool; an unknown name is a failure', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ sdk }) => {
          const found = (await sdk['search']!('deploy')) as unknown as { tools: { name: string }[] };
          const text = await sdk['describe']!('deploy');
          const unknown = await sdk['describe']!('deplyo').catch((error: ToolCallError) => [
            error.code,
            error.message.includes('deploy'),
          ]);
          return [found.tools.map(({ name }) => name), String(text).includes('deploy('), unknown];
        },
      },
    });
    host.tools.register(makeTool('deploy'));
    host.tools.register(makeTool('other'));
    const seen: string[] = [];
    host.tools.on('tools/pre-execute', (exec, next) => {
      if (exec.parent !== undefined) seen.push(exec.name);
      return next();
    });
    expect((await host.run('main')).value).toEqual({
      logs: [],
      result: [['deploy'], true, ['UNKNOWN_TOOL', true]],
    });
    expect([seen, host.lines()]).toEqual([[], []]);
  });

  it('C25: the catalogue follows the tools from run to run', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ sdk }) => {
          const found = (await sdk['search']!('deploy')) as unknown as { tools: { name: string }[] };
          return found.tools.map(({ name }) => name);
        },
      },
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: [] });
    host.tools.register(makeTool('first'));
    expect((await host.run('main')).value).toEqual({ logs: [], result: [] });
    const remove = host.tools.register(makeTool('deploy'));
    expect((await host.run('main')).value).toEqual({ logs: [], result: ['deploy'] });
    expect((await host.run('main')).value).toEqual({ logs: [], result: ['deploy'] });
    remove();
    expect((await host.run('main')).value).toEqual({ logs: [], result: [] });
  });

  it('C27, R46: bindings are enumerated at the start; a tool that goes away is unknown, one that comes is not bound', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          remove();
          host.tools.register(echo('late'));
          const gone = await tools['gone']!().catch((error: ToolCallError) => [error.toolName, error.code]);
          return [gone, Object.keys(tools)];
        },
      },
    });
    host.tools.register(echo());
    const remove = host.tools.register(echo('gone'));
    expect((await host.run('main')).value).toEqual({
      logs: [],
      result: [
        ['gone', 'UNKNOWN_TOOL'],
        ['echo', 'gone'],
      ],
    });
  });
});

describe('bindings: one call', () => {
  it('C30, R45: a sub-call carries its own id, its root, the outer token, agent, set, position and the signal of the run', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          await tools['echo']!({ i: 1 }, { at: { line: 3, column: 7 } });
          await tools['echo']!({ i: 2 });
        },
      },
    });
    host.tools.register(echo());
    const seen: ToolExecution[] = [];
    host.tools.on('tools/result', (exec) => void seen.push(exec as ToolExecution));
    const toolSet = await host.tools.resolve({
      agent: host.agent,
      modelSelection: { provider: 'p', model: 'm' },
      signal: host.controller.signal,
    });
    await host.run('main', { toolSet });
    const [one, two, outer] = seen;
    expect(
      seen.map(({ callId, rootCallId, name, position }) => [callId, rootCallId, name, position]),
    ).toEqual([
      ['outer:ptc:1', 'outer', 'echo', { line: 3, column: 7 }],
      ['outer:ptc:2', 'outer', 'echo', undefined],
      ['outer', 'outer', 'run_code', undefined],
    ]);
    expect([one!.parent, two!.parent]).toEqual([outer!.token, outer!.token]);
    expect(one!.agent).toBe(host.agent);
    expect(one!.toolSet).toBe(toolSet);
    expect(one!.signal).not.toBe(outer!.signal);
    expect(one!.signal).toBe(two!.signal);
    expect(one!.signal.aborted).toBe(true);
  });

  it('C30: numbers count per run and only calls that were accepted', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          await tools['echo']!(1).catch(() => {});
          await tools['echo']!({});
        },
      },
    });
    host.tools.register(echo());
    await host.run('main');
    await host.run('main');
    expect(host.agent.of('tool/ptc-dispatch-start').map((payload) => payload['subCallId'])).toEqual([
      'outer:ptc:1',
      'outer:ptc:1',
    ]);
  });

  it('C28, P7: the schema of the binding goes with the call, deep-frozen, and is never logged', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['echo']!() } });
    const definition = echo();
    host.tools.register(definition);
    let schema: ToolExecution['schema'];
    host.tools.on('tools/pre-execute', (exec, next) => {
      if (exec.parent !== undefined) schema = exec.schema;
      return next();
    });
    await host.run('main');
    const { name, description, parameters } = definition;
    expect(schema).toEqual({ name, description, parameters });
    expect(schema!.parameters).not.toBe(parameters);
    expect([schema, schema!.parameters, schema!.parameters.properties].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
    ]);
    expect(JSON.stringify(host.agent.events)).not.toContain(description);
  });

  it('C28: a changed definition gives a new schema at the next run', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['echo']!() } });
    const definition = { ...echo(), description: 'first' };
    host.tools.register(definition);
    const seen: unknown[] = [];
    host.tools.on('tools/result', (exec) => void (exec.parent && seen.push(exec.schema?.description)));
    await host.run('main');
    await host.run('main');
    definition.description = 'second';
    await host.run('main');
    expect(seen).toEqual(['first', 'first', 'second']);
  });

  it('R11, C28: a tool whose parameters are no JSON can be called, without a schema', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['echo']!({ a: 1 }) } });
    host.tools.register({ ...echo(), parameters: { type: 'object', default: Number.NaN } });
    let schema: unknown = 'unset';
    host.tools.on('tools/result', (exec) => {
      if (exec.parent !== undefined) schema = exec.schema;
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: { a: 1 } });
    expect(schema).toBeUndefined();
  });

  it('C29, E80: no argument is {}; a scalar, an array or null is refused with a hint and leaves no trace', async () => {
    const host = ptcHost({
      plays: { main: async ({ tools }) => [await tools['echo']!(), await tools['echo']!(undefined)] },
    });
    host.tools.register(echo());
    expect((await host.run('main')).value).toEqual({ logs: [], result: [{}, {}] });
    for (const [value, received] of [
      [1, '1'],
      ['a', '"a"'],
      [true, 'true'],
      [null, 'null'],
      [[], 'an array'],
    ] as const) {
      expect(await refusalOf(() => value)).toEqual([
        `Cannot call "echo": wanted one arguments object such as { name: value }, received ${received}`,
        'INVALID_ARGS',
      ]);
    }
  });

  it('C29, E81: arguments that lose something are refused with the place and what to write, and leave no trace', async () => {
    const throwing = (thrown: unknown) => ({
      get bad() {
        throw thrown;
      },
    });
    const cyclic: Record<string, unknown> = { a: {} };
    (cyclic['a'] as Record<string, unknown>)['b'] = cyclic;
    const cases: [() => unknown, string][] = [
      [() => ({ n: 2n }), 'arguments.n is a bigint: pass a string or a number'],
      [
        () => ({ rows: [{}, { m: new Map() }] }),
        'arguments.rows[1].m is a Map: pass Object.fromEntries(map)',
      ],
      [() => new Set(), 'arguments is a Set: pass [...set]'],
      [() => ({ f() {} }), 'arguments.f is a function: pass data'],
      [() => ({ 'a b': Number.NaN }), 'arguments["a b"] is NaN: pass a finite number or null'],
      [() => ({ z: -0 }), 'arguments.z is -0: pass a finite number or null'],
      [() => ({ u: undefined }), 'arguments.u is undefined: leave it out or pass null'],
      [() => ({ s: Symbol('s') }), 'arguments.s is a symbol: pass a string'],
      [() => ({ d: new Date(0) }), 'arguments.d is a Date: pass its toISOString()'],
      [() => ({ p: Promise.resolve() }), 'arguments.p is a promise: await it first'],
      [
        () => ({ h: new Array(2) }),
        'arguments.h is an array with holes or extra properties: pass a plain dense array',
      ],
      [() => ({ c: new (class Point {})() }), 'arguments.c is no plain object: pass an object of plain data'],
      [() => throwing(new Error('broken')), 'arguments.bad cannot be read (broken): pass plain data'],
      [() => throwing('text'), 'arguments.bad cannot be read (text): pass plain data'],
      [
        () => cyclic,
        'arguments.a.b is circular, it refers back to a value that contains it: pass a copy without the cycle',
      ],
      [() => Proxy.revocable({}, {}), 'arguments.revoke is a function: pass data'],
    ];
    for (const [make, problem] of cases) {
      expect(await refusalOf(make)).toEqual([
        `Cannot call "echo": wanted lossless JSON as arguments; ${problem}`,
        'INVALID_ARGS',
      ]);
    }
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect((await refusalOf(() => ({ proxy })))[1]).toBe('INVALID_ARGS');
  });

  it('C29, E82: tool, policies and log have their own copies, and nobody can change them', async () => {
    const args = { list: [1, { deep: true }] };
    let given: unknown;
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const pending = tools['echo']!(args);
          args.list.push(2);
          return pending;
        },
      },
    });
    host.tools.register({
      ...echo(),
      execute: async (received) => {
        given = received;
        return Reflect.set((received as { list: unknown[] }).list, 0, 'changed');
      },
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: false });
    const [logged] = host.agent.of('tool/ptc-dispatch-start').map((payload) => payload['arguments']);
    expect([given, logged]).toEqual([{ list: [1, { deep: true }] }, { list: [1, { deep: true }] }]);
    expect(logged).not.toBe(given);
    (logged as { list: JsonValue[] }).list.push('by the log');
    expect(given).toEqual({ list: [1, { deep: true }] });
  });

  it('C29, E83: arguments nested 5 000 levels go through dispatch and log', async () => {
    const deep = () => {
      let value: JsonValue = 'end';
      for (let i = 0; i < 5000; i += 1) value = { v: value };
      return value;
    };
    const depthOf = (value: unknown) => {
      let depth = 0;
      for (let at = value; typeof at === 'object' && at !== null; at = (at as { v: unknown }).v) depth += 1;
      return depth;
    };
    let given = 0;
    const host = ptcHost({ plays: { main: async ({ tools }) => depthOf(await tools['echo']!(deep())) } });
    host.tools.register({
      ...echo(),
      execute: async (args) => {
        given = depthOf(args);
        return args;
      },
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: 5000 });
    const [logged] = host.agent.of('tool/ptc-dispatch-start').map((payload) => payload['arguments']);
    expect([given, depthOf(logged)]).toEqual([5000, 5000]);
  });

  it('C31, E89, E126: a failure has the message without a prefix and a code of the library; nothing else reaches the program', async () => {
    class QuotaError extends PtcError {
      constructor() {
        super('QUOTA_EXCEEDED', 'slow down');
      }
    }
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const failures: unknown[] = [];
          for (const name of ['plain', 'foreign', 'typed', 'denied', 'lossy']) {
            await tools[name]!({ n: 'x' }).catch((error: ToolCallError) => {
              failures.push([
                error.toolName,
                error.message,
                error.code ?? null,
                Object.keys(error).sort().join(),
              ]);
            });
          }
          return failures;
        },
      },
    });
    const failing = (name: string, error: unknown) =>
      makeTool(name, {
        execute: async () => {
          throw error;
        },
      });
    host.tools.register(failing('plain', new Error('disk full')));
    host.tools.register(failing('foreign', new QuotaError()));
    host.tools.register(
      defineTool({
        name: 'typed',
        description: 'Wants n.',
        parameters: { n: { type: 'integer', required: true } },
        output: { schema: { type: 'null' }, render: () => [] },
        execute: async () => null,
      }),
    );
    host.tools.register(makeTool('denied'));
    host.tools.register(makeTool('lossy', { execute: async () => undefined }));
    host.tools.on('tools/pre-execute', async (exec, next) =>
      exec.name === 'denied'
        ? {
            kind: 'deny',
            reason: 'ask first',
            info: { name: 'Denied', code: 'ABORTED', reason: 'raw detail' },
          }
        : next(),
    );
    const { value } = await host.run('main');
    const [plain, foreign, typed, denied, lossy] = (value as { result: [string, string, string, string][] })
      .result;
    expect(plain).toEqual(['plain', 'disk full', null, expect.any(String)]);
    expect(foreign).toEqual(['foreign', 'slow down', null, expect.any(String)]);
    expect(typed!.slice(0, 3)).toEqual([
      'typed',
      expect.stringContaining('Invalid arguments: n'),
      'INVALID_ARGS',
    ]);
    expect(denied!.slice(0, 3)).toEqual(['denied', 'ask first', 'ABORTED']);
    expect(lossy!.slice(0, 3)).toEqual(['lossy', expect.any(String), 'INVALID_TOOL_OUTPUT']);
    expect(JSON.stringify(value)).not.toContain('raw detail');
  });

  it('C31, P52: a blocked call rejects with the feedback as its message', async () => {
    const host = ptcHost({
      plays: { main: ({ tools }) => tools['echo']!().catch((error: Error) => error.message) },
    });
    host.tools.register(echo());
    host.tools.on('tools/post-execute', async (exec, _, next) =>
      exec.parent === undefined
        ? next()
        : { kind: 'block', feedback: [{ type: 'text', text: 'too large for here' }] },
    );
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'too large for here' });
  });

  it('C32: the program gets the canonical value after post-execute: a replaced value, never replaced content', async () => {
    const host = ptcHost({
      plays: { main: async ({ tools }) => [await tools['value']!(), await tools['content']!()] },
    });
    host.tools.register(makeTool('value'));
    host.tools.register(makeTool('content'));
    host.tools.on('tools/post-execute', async (exec, _, next) => {
      if (exec.name === 'value') return { kind: 'accept', value: 'redacted' };
      return exec.name === 'content'
        ? { kind: 'accept', content: [{ type: 'text', text: 'hidden' }] }
        : next();
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: ['redacted', 'content'] });
  });

  it('C33: a result that comes when the run is over is discarded: the binding rejects', async () => {
    const late: Promise<unknown>[] = [];
    const host = ptcHost({ plays: { main: ({ tools }) => void late.push(tools['slow']!()) } });
    host.tools.register(
      makeTool('slow', {
        // Settles only once the run is over.
        execute: (_, exec) =>
          new Promise((resolve) => exec.signal.addEventListener('abort', () => resolve('done anyway'))),
      }),
    );
    await host.run('main');
    await expect(late[0]).rejects.toThrow('The run is over: the result of "slow" was discarded');
  });

  it('C34: a call that is made when the run is over rejects at once, without dispatch or log', async () => {
    const host = ptcHost({ plays: { main: () => 1 } });
    host.tools.register(echo());
    const [tools] = await bindingsOf(host);
    const seen: unknown[] = [];
    host.tools.on('tools/result', (exec) => void seen.push(exec));
    const call = { n: 1, signal: new AbortController().signal };
    await expect(tools!.functions['echo']!({}, call)).rejects.toThrow(
      'The run is over: "echo" was not called',
    );
    expect([seen, host.lines()]).toEqual([[], []]);
  });

  it('M45, M46: what a tool resolves with is lossless, and what it throws is text, before a runtime sees it', async () => {
    const seen: unknown[] = [];
    const host = ptcHost({
      plays: {
        main: async ({ request }) => {
          const { functions } = request.bindings[0]!;
          for (const name of ['getter', 'text', 'odd']) {
            await Promise.resolve(functions[name]!({}, undefined as unknown as CodeBindingCall)).catch(
              (error: unknown) => seen.push([error instanceof Error, (error as Error).message]),
            );
          }
        },
      },
    });
    const raw = (name: string, execute: () => Promise<unknown>) =>
      makeTool(name, { output: { schema: {}, render: () => [] }, execute });
    host.tools.register(
      raw('getter', async () => ({
        get bad() {
          throw new Error('hostile');
        },
      })),
    );
    host.tools.register(raw('text', () => Promise.reject('just text')));
    host.tools.register(raw('odd', () => Promise.reject({ code: 500 })));
    await host.run('main');
    expect(seen).toEqual([
      [true, expect.stringContaining('hostile')],
      [true, 'just text'],
      [true, '[object Object]'],
    ]);
  });
});
