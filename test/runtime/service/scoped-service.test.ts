import { describe, expect, it } from 'vitest';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { nativeExecutor } from '#dist/runtime/executor/native-executor.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { makeTool } from '../../support/make-tool.ts';

const agent = { id: 'agent-1' };
const child = { id: 'child', parent: agent };
const call = (scope?: typeof agent) => ({ name: 'a', agent: scope }) as unknown as ToolExecution;

describe('scoped service', () => {
  it('R1, R33, R69: it files into its scope and looks like the service it came from', () => {
    const tools = createTools();
    const scoped = tools.scoped(agent);
    const own = makeTool('own');
    tools.register(makeTool('a'));
    scoped.register(own, { source: 'files' });
    expect(scoped.get('own')).toBeUndefined();
    expect(scoped.get('own', agent)).toBe(own);
    expect(tools.get('own', child)).toBe(own);
    expect(tools.executable('own', child)).toBe(own);
    expect(tools.definitions(agent).map(({ name }) => name)).toEqual(['a', 'own']);
    expect(tools.schemas(agent).map(({ name }) => name)).toEqual(['a', 'own']);
    expect(tools.registration('own', agent)).toEqual({ source: 'files' });
    expect(scoped.pipeline).toBe(tools.pipeline);
    scoped.restrict({ deny: ['a'] });
    for (const absent of [
      tools.get('a', agent),
      tools.executable('a', agent),
      tools.registration('a', agent),
    ]) {
      expect(absent).toBeUndefined();
    }
    expect(tools.schemas(child).map(({ name }) => name)).toEqual(['own']);
    expect(() => tools.restrict({ deny: ['a'] })).toThrow(/a restriction wants a scope/);
  });

  it('R1: a scoped service of a scoped service files into the new scope', () => {
    const tools = createTools();
    tools.scoped(agent).scoped(child).register(makeTool('deep'));
    expect(tools.get('deep', agent)).toBeUndefined();
    expect(tools.get('deep', child)?.name).toBe('deep');
  });

  it('R14: disposing a scope takes back all that was filed into it, through whichever handle, and nothing else', () => {
    const tools = createTools();
    const asked: string[] = [];
    tools.register(makeTool('a'));
    tools.guard(() => void asked.push('global'));
    tools.scoped(child).register(makeTool('of the child'));
    const first = tools.scoped(agent);
    const second = tools.scoped(agent);
    first.register(makeTool('b'));
    first.restrict({ deny: ['a'] });
    second.register(makeTool('a'));
    second.guard(() => void asked.push('scoped'));
    second.setApproval({ request: () => 'rejected' });
    let changes = 0;
    second.on('tools/change', () => {
      changes += 1;
    });
    first.dispose();
    expect(tools.definitions(agent).map(({ name }) => name)).toEqual(['a']);
    expect(tools.definitions(child).map(({ name }) => name)).toEqual(['a', 'of the child']);
    expect(tools.get('a', agent)).toBe(tools.get('a'));
    tools.checkGuards(call(agent));
    expect(asked).toEqual(['global']);
    // The listener was filed last, so it goes first and hears of nothing.
    expect(changes).toBe(0);
    first.dispose();
    second.dispose();
  });

  it('R14: a disposed scope can be filled again', () => {
    const tools = createTools();
    const scoped = tools.scoped(agent);
    scoped.register(makeTool('a'));
    scoped.dispose();
    const later = makeTool('a');
    scoped.register(later);
    expect(tools.get('a', agent)).toBe(later);
    scoped.dispose();
    expect(tools.get('a', agent)).toBeUndefined();
  });

  it('R14, R15: effects go latest first, and a disposer that ran before is not run again', () => {
    const tools = createTools();
    const scoped = tools.scoped(agent);
    const seen: string[][] = [];
    tools.on('tools/change', () => void seen.push(tools.definitions(agent).map(({ name }) => name)));
    scoped.register(makeTool('a'));
    const disposeB = scoped.register(makeTool('b'));
    scoped.register(makeTool('c'));
    disposeB();
    scoped.register(makeTool('b'));
    seen.length = 0;
    scoped.dispose();
    expect(seen).toEqual([['a', 'c'], ['a'], []]);
    disposeB();
    expect(seen).toHaveLength(3);
  });

  it('R47, R50: schemas are one clone per visible tool, definitions are the definitions', () => {
    const tools = createTools();
    const [a, b] = [makeTool('a', { timeoutMs: 5 }), makeTool('b')];
    tools.register(a);
    tools.scoped(agent).register(b);
    const schemas = tools.schemas(agent);
    expect(schemas).toStrictEqual(
      ['a', 'b'].map((name) => ({
        name,
        description: `What ${name} does.`,
        parameters: { type: 'object', properties: {} },
      })),
    );
    expect(schemas[0]?.parameters).not.toBe(a.parameters);
    const definitions = tools.definitions(agent);
    expect(definitions[0]).toBe(a);
    expect(definitions[1]).toBe(b);
    (definitions as unknown[]).length = 0;
    expect(tools.definitions(agent)).toEqual([a, b]);
  });

  it('R43: with a set, projections show admitted tools only', async () => {
    const tools = createTools();
    tools.register(makeTool('no'), { when: () => false });
    tools.register(makeTool('yes'), { when: () => true });
    const signal = new AbortController().signal;
    const set = await tools.resolve({ agent, modelSelection: { provider: 'p', model: 'm' }, signal });
    expect(tools.schemas(agent).map(({ name }) => name)).toEqual(['no', 'yes']);
    expect(tools.schemas(agent, set).map(({ name }) => name)).toEqual(['yes']);
    expect(tools.definitions(agent, set).map(({ name }) => name)).toEqual(['yes']);
    expect(tools.get('no', agent, set)).toBeUndefined();
    expect(tools.get('no', agent)?.name).toBe('no');
  });

  it('R51, R56: checkGuards gives the first denial for the agent of the call', () => {
    const tools = createTools();
    tools.scoped(agent).guard(() => 'not for this agent');
    expect(tools.checkGuards(call(agent))).toBe('not for this agent');
    expect(tools.checkGuards(call(child))).toBe('not for this agent');
    expect(tools.checkGuards(call())).toBeUndefined();
    tools.guard(({ name }) => (name === 'a' ? 'nobody calls a' : undefined));
    expect(tools.checkGuards(call(agent))).toBe('nobody calls a');
    expect(tools.checkGuards(call())).toBe('nobody calls a');
  });

  it.each([undefined, null, 'agent-1', 7])('R69: %s is no scope', (scope) => {
    expect(() => createTools().scoped(scope as never)).toThrow(
      /Cannot use a scope: wanted an object identity/,
    );
  });

  it.each([
    [{ aproval: {} }, 'Cannot use option "aproval" of "createTools"'],
    [{ onWarning: 'log' }, 'Cannot use option "onWarning": wanted a function, received "log"'],
    [{ approval: () => 'rejected' }, 'Cannot set an approver: "request" wants a function'],
  ])('R58: the options %o are refused when the service is made', (options, message) => {
    expect(() => createTools(options as never)).toThrow(message);
  });

  it.each<[unknown, string]>([
    [{ prepned: true }, 'Cannot use option "prepned" of "on": wanted one of "prepend", "repeats"'],
    [{ prepend: 'yes' }, 'Cannot use option "prepend": wanted true or false, received "yes"'],
    [null, 'Cannot read options of "on": wanted an object, received null'],
  ])('R65: the listener options %o are refused, and nobody listens', (options, message) => {
    const tools = createTools();
    const heard: string[] = [];
    const listen = () => tools.on('tools/change', () => void heard.push('change'), options as never);
    expect(listen).toThrow(TypeError);
    expect(listen).toThrow(message);
    tools.register(makeTool('a'));
    expect(heard).toEqual([]);
  });

  it('R63: a misspelt option of setExecutor is refused, and nothing is selected', () => {
    const tools = createTools();
    expect(() => tools.setExecutor(nativeExecutor(), { declared: true } as never)).toThrow(
      'Cannot use option "declared" of "setExecutor": wanted one of "declare"',
    );
    expect(() => tools.describe()).toThrow('no executor is set');
  });
});
