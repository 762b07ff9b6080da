import { describe, expect, it } from 'vitest';
import type { ToolDispatch } from '#dist/runtime/contract/execution.js';
import { executionMode } from '#dist/runtime/pipeline/execution-mode.js';
import { BEFORE_DISPATCH, unknownTool } from './cancel-texts.ts';
import {
  agent,
  callInput,
  coded,
  failureParts,
  fakeHost,
  fakeTool,
  text,
  toolSet,
  uncoded,
} from './fake-host.ts';

const transport = fakeTool({
  name: 'run_code',
  execute: async () => 'ran',
  isConcurrencySafe: () => true,
});
const collapsing: ToolDispatch = { definition: transport, direct: 'transport-only' };

const COLLAPSED = coded(
  'ToolNotFoundError',
  'UNKNOWN_TOOL',
  'Cannot call "echo": no tool of that name is available directly; call it inside "run_code" instead',
);

/** Every phase that a call could go through, in the order it did. */
function phasesOf(host: ReturnType<typeof fakeHost>): string[] {
  const phases: string[] = [];
  host.approvals = {
    request: () => {
      phases.push('approval');
      return 'allowed-once';
    },
  };
  host.on('tools/pre-execute', async () => {
    phases.push('pre');
    return { kind: 'ask' };
  });
  host.guards.push(() => {
    phases.push('guard');
    return undefined;
  });
  host.on('tools/execute', async (_exec, next) => {
    phases.push('around');
    return next();
  });
  host.on('tools/post-execute', async (_exec, _result, next) => {
    phases.push('post');
    return next();
  });
  host.on('tools/result', () => void phases.push('result'));
  return phases;
}

describe('a direct call where only programs may call tools', () => {
  it('P8, E65: a visible tool ends as unknown before policy, and the message says where to call it', async () => {
    const host = fakeHost(fakeTool());
    const phases = phasesOf(host);
    const result = await host.pipeline.execute(callInput({ dispatch: collapsing, agent: agent() }));
    expect(failureParts(result)).toEqual(COLLAPSED);
    expect(phases).toEqual(['result']);
  });

  it('P9, P48: its projection is dropped and its final content still counts', async () => {
    const hooks: string[] = [];
    const host = fakeHost(
      fakeTool({
        projectContent: () => {
          hooks.push('project');
          return [text('projected')];
        },
        finalizeContent: (_exec, result) => {
          hooks.push(`finalize ${result.error?.info?.code}`);
          return [text('final')];
        },
      }),
    );
    const result = await host.pipeline.execute(callInput({ dispatch: collapsing }));
    expect(hooks).toEqual(['finalize UNKNOWN_TOOL']);
    expect(result.content).toEqual([text('final')]);
  });

  it('P9: with a signal that has already aborted it ends as aborted instead', async () => {
    const host = fakeHost(fakeTool());
    const result = await host.pipeline.execute(
      callInput({ dispatch: collapsing, signal: AbortSignal.abort() }),
    );
    expect(failureParts(result)).toEqual(BEFORE_DISPATCH);
  });

  it('P10, E65: a name that nobody sees goes through policy, approval and guards, fails at dispatch and is reviewed', async () => {
    const host = fakeHost(fakeTool());
    const phases = phasesOf(host);
    const result = await host.pipeline.execute(
      callInput({ name: 'absent', dispatch: collapsing, agent: agent() }),
    );
    expect(failureParts(result)).toEqual(unknownTool('absent'));
    expect(phases).toEqual(['pre', 'approval', 'guard', 'around', 'post', 'result']);
  });

  it('P8: a sub-call, the transport itself, and an executor that presents both are not collapsed', async () => {
    const host = fakeHost(fakeTool());
    const parent = Symbol('outer') as never;
    const nested = await host.pipeline.execute(callInput({ dispatch: collapsing, parent }));
    expect(nested.value).toEqual({ a: 1 });
    const program = await host.pipeline.execute(callInput({ name: 'run_code', dispatch: collapsing }));
    expect(program.value).toBe('ran');
    const both = await host.pipeline.execute(
      callInput({ dispatch: { definition: transport, direct: 'any' } }),
    );
    expect(both.value).toEqual({ a: 1 });
  });

  it('P8: what is visible is asked for the call’s own agent and set', async () => {
    const host = fakeHost(fakeTool());
    const asked: unknown[] = [];
    const visible = host.visible;
    host.visible = (...of) => {
      asked.push(of);
      return visible(...of);
    };
    const mine = agent();
    const set = toolSet();
    const result = await host.pipeline.execute(
      callInput({ dispatch: collapsing, agent: mine, toolSet: set }),
    );
    expect(failureParts(result)).toEqual(unknownTool('echo'));
    expect(asked).toEqual([['echo', mine, set]]);
  });

  it('P8: the message names the transport that the executor presents', async () => {
    const host = fakeHost(fakeTool());
    const other = { definition: fakeTool({ name: 'program' }), direct: 'transport-only' } as const;
    const result = await host.pipeline.execute(callInput({ dispatch: other }));
    expect(result.error?.message).toBe(
      'Cannot call "echo": no tool of that name is available directly; call it inside "program" instead',
    );
  });

  it('P10: the transport’s name is unknown where the call brings no definition for it', async () => {
    const host = fakeHost(fakeTool());
    const result = await host.pipeline.execute(callInput({ name: 'run_code' }));
    expect(failureParts(result)).toEqual(unknownTool('run_code'));
  });

  it('P68: a registry that fails to answer is the call’s failure, before policy', async () => {
    const host = fakeHost(fakeTool());
    const phases = phasesOf(host);
    host.visible = () => {
      throw new Error('registry is gone');
    };
    const result = await host.pipeline.execute(callInput({ dispatch: collapsing }));
    expect(failureParts(result)).toEqual(uncoded('registry is gone'));
    expect(phases).toEqual(['result']);
  });
});

describe('whether calls may overlap', () => {
  const safe = fakeTool({ isConcurrencySafe: () => true });

  it('P11: a collapsed name is exclusive, whatever its tool says; called from a program it may overlap', () => {
    const host = fakeHost(safe);
    const call = callInput({ dispatch: collapsing });
    expect(executionMode(host, call)).toEqual({ kind: 'exclusive' });
    expect(executionMode(host, { ...call, parent: Symbol('outer') as never })).toEqual({ kind: 'parallel' });
    expect(executionMode(host, { ...call, name: 'run_code' })).toEqual({ kind: 'parallel' });
    expect(Object.isFrozen(executionMode(host, call))).toBe(true);
    expect(Object.isFrozen(executionMode(host, { ...call, name: 'run_code' }))).toBe(true);
  });

  it('E124: a raw tool’s classifier gets the parsed arguments as they are, and only an exact true opts in', () => {
    const seen: unknown[] = [];
    const answers = [true, false, 1, 'true', undefined, Promise.resolve(true)];
    const kinds = answers.map((answer) => {
      const tool = fakeTool({
        isConcurrencySafe: (args) => {
          seen.push(args);
          return answer as boolean;
        },
      });
      return executionMode(fakeHost(tool), callInput({ arguments: 'not an object' })).kind;
    });
    expect(kinds).toEqual(['parallel', ...Array(5).fill('exclusive')]);
    expect(seen).toEqual(Array(6).fill('not an object'));
  });

  it('P11, E124: a tool without a classifier, an unknown name, a tool not admitted and a throwing classifier are exclusive', () => {
    const throwing = fakeTool({
      name: 'throwing',
      isConcurrencySafe: () => {
        throw new Error('no idea');
      },
    });
    const host = fakeHost(fakeTool({ name: 'plain' }), throwing, safe);
    for (const name of ['plain', 'absent', 'throwing']) {
      expect(executionMode(host, callInput({ name }))).toEqual({ kind: 'exclusive' });
    }
    expect(executionMode(host, callInput({ toolSet: toolSet() }))).toEqual({ kind: 'exclusive' });
    expect(executionMode(host, callInput({ toolSet: toolSet(safe) }))).toEqual({ kind: 'parallel' });
  });
});
