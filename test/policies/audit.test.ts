import { describe, expect, it } from 'vitest';
import { approvals } from '#dist/policies/approval.js';
import { audit } from '#dist/policies/audit.js';
import { callBudget } from '#dist/policies/call-budget.js';
import { rules } from '#dist/policies/rules.js';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

function auditedHost() {
  const host = policyHost();
  const lines: Record<string, unknown>[] = [];
  for (const name of ['read', 'write', 'drop']) host.tools.register(makeTool(name));
  const dispose = audit(host.tools, { write: (line) => void lines.push(JSON.parse(line)), now: () => 0 });
  /** Policy, rule and decision of each line. */
  const told = () => lines.map(({ policy, rule, decision, reason }) => [policy, rule, decision, reason]);
  return { ...host, lines, told, dispose };
}

describe('audit', () => {
  it('each decision has one line with the policy, the rule that made it, and the reason', async () => {
    const host = auditedHost();
    rules(host.tools, {
      rules: [
        { name: 'looking', decision: 'allow', tool: 'read' },
        { name: 'changing', decision: 'ask', tool: 'write', reason: 'it writes' },
        { name: 'dropping', decision: 'deny', tool: 'drop', reason: 'never' },
      ],
    });
    approvals(host.tools, { answerers: [() => 'allowed-once'] });
    callBudget(host.tools, { perTool: { read: 0 } });
    await host.call('write', { secret: 1 });
    await host.call('drop');
    await host.call('read');
    await host.call('other');
    expect(host.told()).toEqual([
      ['rules', 'changing', 'ask', undefined],
      ['approvals', undefined, 'answer', 'allowed-once'],
      ['rules', 'dropping', 'deny', 'never'],
      ['rules', 'looking', 'allow', undefined],
      [
        'callBudget',
        undefined,
        'deny',
        'The limit of 0 calls of "read" in this run is reached; left: 0 of 0 calls of "read"',
      ],
      ['rules', 'otherwise', 'deny', 'No rule allows the call of "other"'],
    ]);
    expect(host.lines[0]).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      agent: 'agent',
      callId: expect.stringMatching(/^call-/),
      rootCallId: host.lines[0]?.['callId'],
      tool: 'write',
      policy: 'rules',
      rule: 'changing',
      decision: 'ask',
    });
    expect(JSON.stringify(host.lines)).not.toContain('secret');
  });

  it('a listener of the host has its line too, a call about which nobody decided has none', async () => {
    const host = auditedHost();
    await host.call('read');
    host.tools.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'closed' }));
    await host.call('read');
    expect(host.told()).toEqual([['listener', undefined, 'deny', 'closed']]);
  });

  it('a rule that denies behind the back of an outer listener has its line', async () => {
    const host = auditedHost();
    host.tools.on('tools/pre-execute', async () => ({ kind: 'allow' }));
    rules(host.tools, { rules: [{ name: 'dropping', decision: 'deny', tool: 'drop' }], otherwise: 'allow' });
    await host.call('drop');
    expect(host.told()).toEqual([['rules', 'dropping', 'deny', 'Rule "dropping" denies the call of "drop"']]);
  });

  it("a line that cannot be written keeps the body from running, with the policy's name", async () => {
    const host = policyHost();
    host.tools.register(makeTool('read'));
    audit(host.tools, {
      write: () => {
        throw new Error('disk full');
      },
    });
    rules(host.tools, { rules: [{ decision: 'allow' }] });
    expect(outcomeOf(await host.call('read'))).toBe('Policy "audit" failed: disk full');
    expect(() => audit(host.tools, {} as never)).toThrow('"write"');
  });
});
