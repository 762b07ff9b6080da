import { describe, expect, it } from 'vitest';
import { ptcPresentations } from '#dist/bridge/index.js';
import type { ToolBatchInput } from '#dist/runtime/contract/batch.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { fakeRuntime, type World } from '../support/fake-runtime.ts';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost } from './ptc-host.ts';

const modelSelection = { provider: 'p', model: 'm' };
const live = () => new AbortController().signal;

/** Calls each name and returns what came of it; a name that is not bound reads like an unknown one. */
const outcomes =
  (...names: readonly string[]) =>
  async ({ tools }: World) => {
    const seen: unknown[] = [];
    for (const name of names) {
      const member = tools[name];
      seen.push(
        member === undefined
          ? 'UNKNOWN_TOOL'
          : await member({}).catch((error) => error.code ?? error.message),
      );
    }
    return seen;
  };

describe('the registry in programs', () => {
  it('R35, R44, R45, R68: the set of the batch decides what a program is given and what its calls reach', async () => {
    const host = ptcHost({ plays: { all: outcomes('plain', 'yes', 'no') } });
    host.tools.register(makeTool('plain'));
    host.tools.register(makeTool('yes'), { when: () => true });
    host.tools.register(makeTool('no'), { when: () => false });
    const toolSet = await host.tools.resolve({ agent: host.agent, modelSelection, signal: live() });
    const sdk = (set?: typeof toolSet) => host.tools.describe(host.agent, set).sections?.at(-1)?.text ?? '';
    expect(sdk(toolSet)).toContain('yes(');
    expect(sdk(toolSet)).not.toContain('no(');
    expect(await host.run('all', { toolSet })).toMatchObject({
      value: { result: ['plain', 'yes', 'UNKNOWN_TOOL'] },
    });
    expect(sdk()).not.toContain('yes(');
    expect(await host.run('all')).toMatchObject({
      value: { result: ['plain', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL'] },
    });
  });

  it('R40, R42, R46: what is restricted, replaced or closed while a program runs is unknown to its next call', async () => {
    const steps: (() => void)[] = [];
    const host = ptcHost({
      plays: {
        step: async (world) => {
          const seen: unknown[] = [];
          for (const step of steps) {
            step();
            seen.push(...(await outcomes('a', 'b')(world)));
          }
          return seen;
        },
      },
    });
    const { tools, agent } = host;
    const a = makeTool('a');
    const disposeA = tools.register(a);
    tools.register(makeTool('b'));
    const toolSet = await tools.resolve({ agent, modelSelection, signal: live() });
    steps.push(
      () => {},
      () => {
        disposeA();
        tools.register(a);
      },
      () => tools.scoped(agent).restrict({ deny: ['b'] }),
    );
    expect(await host.run('step', { toolSet })).toMatchObject({
      value: { result: ['a', 'b', 'UNKNOWN_TOOL', 'b', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL'] },
    });
    steps.splice(0, 3, () => toolSet.dispose());
    tools.scoped(agent).dispose();
    expect(await host.run('step')).toMatchObject({ value: { result: ['a', 'b'] } });
  });

  it('R51, R66: guards and listeners of the agent meet the calls of its programs, others do not', async () => {
    const host = ptcHost({ plays: { both: outcomes('a', 'b') } });
    const { tools, agent } = host;
    const heard: string[] = [];
    for (const name of ['a', 'b']) tools.register(makeTool(name));
    tools.scoped(agent).guard(({ name }) => (name === 'a' ? 'not for this agent' : undefined));
    const other = { id: 'other' };
    tools.scoped(other).guard(() => 'not for the other');
    tools.scoped(other).on('tools/result', ({ name }) => void heard.push(`other ${name}`));
    tools.scoped(agent).on('tools/result', ({ name }) => void heard.push(`own ${name}`));
    expect(await host.run('both')).toMatchObject({ value: { result: ['not for this agent', 'b'] } });
    expect(heard).toEqual(['own a', 'own b', 'own run_code']);
  });
});

describe('ptcPresentations', () => {
  const agent = { id: 'agent-1' };
  const batch = (name: string, args: object, scope?: typeof agent): ToolBatchInput => ({
    calls: [{ callId: toolCallId('c1'), name, arguments: JSON.stringify(args) }],
    signal: live(),
    agent: scope,
  });

  function setUp() {
    const tools = createTools();
    tools.register(makeTool('a'));
    const present = ptcPresentations({ runtime: fakeRuntime({ one: outcomes('a') }) });
    const names = (scope?: typeof agent) => tools.describe(scope).schemas.map(({ name }) => name);
    const outcome = async (input: ToolBatchInput) => {
      const { result } = (await tools.execute(input)).results[0]!;
      return result.isError ? result.error.info?.code : result.value;
    };
    const direct = (scope?: typeof agent) => outcome(batch('a', {}, scope));
    const program = (scope?: typeof agent) =>
      outcome(batch('run_code', { code: 'one', description: 'x' }, scope));
    return { tools, present, names, direct, program };
  }

  it('R63, R64: native lists and takes tools only, ptc run_code only, both everything', async () => {
    const { tools, present, names, direct, program } = setUp();
    const ran = { logs: [], result: ['a'] };
    const expected = {
      native: { names: ['a'], direct: 'a', program: 'UNKNOWN_TOOL' },
      ptc: { names: ['run_code'], direct: 'UNKNOWN_TOOL', program: ran },
      both: { names: ['run_code', 'a'], direct: 'a', program: ran },
    } as const;
    for (const presentation of ['native', 'ptc', 'both'] as const) {
      const restore = present(tools, presentation);
      expect({ names: names(), direct: await direct(), program: await program() }).toEqual(
        expected[presentation],
      );
      restore();
    }
  });

  it('R63, R64: one agent presents programs while the deployment is native, until its disposer runs', async () => {
    const { tools, present, names, direct, program } = setUp();
    present(tools, 'native');
    const restore = present(tools.scoped(agent), 'ptc');
    expect(() => present(tools.scoped(agent), 'both')).toThrow('Cannot declare a presentation');
    expect([names(), names(agent)]).toEqual([['a'], ['run_code']]);
    expect([await program(), await direct(agent)]).toEqual(['UNKNOWN_TOOL', 'UNKNOWN_TOOL']);
    restore();
    expect(names(agent)).toEqual(['a']);
    expect(await direct(agent)).toBe('a');
  });

  it('R71, C1: a configured order that names a native tool fails where only programs are presented', () => {
    const tools = createTools({ toolOrder: ['a'] });
    tools.register(makeTool('a'));
    const present = ptcPresentations({ runtime: fakeRuntime({}) });
    const restore = present(tools, 'ptc');
    expect(() => tools.describe()).toThrow(
      'Cannot order tools: "a" unregistered, wanted names of "run_code"',
    );
    restore();
    present(tools, 'both');
    expect(tools.describe().schemas.map(({ name }) => name)).toEqual(['a', 'run_code']);
  });

  it('R63: options that have no meaning are refused before anything is declared', () => {
    const runtime = fakeRuntime({});
    expect(() => ptcPresentations({ runtime, maxParallelSubCalls: 0 })).toThrow('"maxParallelSubCalls"');
  });
});
