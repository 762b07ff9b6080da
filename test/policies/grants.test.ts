import { describe, expect, it } from 'vitest';
import { createGrants } from '#dist/policies/grants.js';
import { rules } from '#dist/policies/rules.js';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { makeTool } from '../support/make-tool.ts';
import { recordingAgent } from '../support/recording-agent.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

function grantingHost() {
  const host = policyHost();
  const grants = createGrants(host.tools);
  const asked: ToolExecution[] = [];
  host.tools.setApproval({
    request: (_, execution) => {
      asked.push(execution as ToolExecution);
      return 'rejected';
    },
  });
  rules(host.tools, { rules: [{ decision: 'ask' }], grants });
  const isAsked = async (name: string, args: unknown = {}, overrides = {}): Promise<boolean> => {
    const before = asked.length;
    await host.call(name, args, overrides);
    return asked.length > before;
  };
  return { ...host, grants, asked, isAsked };
}

describe('grants', () => {
  it('a grant for the session lets the tool pass with any arguments, and only for that session', async () => {
    const host = grantingHost();
    host.tools.register(makeTool('write'));
    expect(await host.isAsked('write', { a: 1 })).toBe(true);
    host.grants.allowForSession(host.asked[0]!);
    expect(await host.isAsked('write', { a: 2 })).toBe(false);
    expect(await host.isAsked('write', {}, { agent: recordingAgent('other') })).toBe(true);
    host.grants.revoke(host.agent);
    expect(await host.isAsked('write', { a: 2 })).toBe(true);
  });

  it('when asked, a grant is for the exact arguments, whatever the order of their keys', async () => {
    const host = grantingHost();
    host.tools.register(makeTool('write'));
    await host.call('write', { a: 1, b: 2 });
    host.grants.allowForSession(host.asked[0]!, { exactArguments: true });
    expect(await host.isAsked('write', { b: 2, a: 1 })).toBe(false);
    expect(await host.isAsked('write', { a: 1, b: 3 })).toBe(true);
  });

  it('a tool is known by its source and its own name there: names that look alike share nothing', async () => {
    const host = grantingHost();
    host.tools.register(makeTool('read_only'), { source: 'one', sourceName: 'read-only' });
    host.tools.register(makeTool('read_only_2'), { source: 'one', sourceName: 'read_only' });
    host.tools.register(makeTool('two__read_only'), { source: 'two', sourceName: 'read-only' });
    host.tools.register(makeTool('read-only'));
    await host.call('read_only');
    host.grants.allowForSession(host.asked[0]!);
    expect(await host.isAsked('read_only')).toBe(false);
    for (const other of ['read_only_2', 'two__read_only', 'read-only']) {
      expect([other, await host.isAsked(other)]).toEqual([other, true]);
    }
  });

  it('a grant for one call is for that id, name and arguments, once, and ends with its run', async () => {
    const host = grantingHost();
    host.tools.register(makeTool('write'));
    host.tools.register(makeTool('other'));
    const ids = { callId: toolCallId('r:ptc:2'), rootCallId: toolCallId('r') };
    const granted = { ...ids, agent: host.agent, name: 'write', arguments: { a: 1 } };
    host.grants.allowOnce(granted);
    expect(await host.isAsked('write', { a: 2 }, ids)).toBe(true);
    expect(await host.isAsked('other', { a: 1 }, ids)).toBe(true);
    expect(await host.isAsked('write', { a: 1 })).toBe(true);
    expect(await host.isAsked('write', { a: 1 }, ids)).toBe(false);
    expect(await host.isAsked('write', { a: 1 }, ids)).toBe(true);
    host.grants.allowOnce(granted);
    await host.call('other', {}, { callId: toolCallId('r') });
    expect(await host.isAsked('write', { a: 1 }, ids)).toBe(true);
  });

  it('a grant never lifts a denial', async () => {
    const host = policyHost();
    host.tools.register(makeTool('write'));
    const grants = createGrants(host.tools);
    rules(host.tools, { rules: [{ decision: 'deny', tool: 'write' }], grants });
    grants.allowForSession({
      agent: host.agent,
      name: 'write',
      arguments: {},
      callId: toolCallId('x'),
      rootCallId: toolCallId('x'),
    });
    expect(outcomeOf(await host.call('write'))).toBe('Rule "#1" denies the call of "write"');
  });

  it('a sub-call is granted by the same key as a direct call', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['write']!() } });
    host.tools.register(makeTool('write'));
    const grants = createGrants(host.tools);
    rules(host.tools, { rules: [{ decision: 'ask' }], grants });
    expect((await host.run('main')).isError).toBe(true);
    grants.allowForSession({
      agent: host.agent,
      name: 'write',
      arguments: {},
      callId: toolCallId('x'),
      rootCallId: toolCallId('x'),
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: 'write' });
    grants.dispose();
    expect((await host.run('main')).isError).toBe(true);
  });
});
