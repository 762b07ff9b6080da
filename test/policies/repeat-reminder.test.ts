import { describe, expect, it } from 'vitest';
import { type RepeatReminderOptions, repeatReminder } from '#dist/policies/repeat-reminder.js';
import type { PostToolDecision } from '#dist/runtime/contract/decisions.js';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

function remindingHost(options: RepeatReminderOptions = {}) {
  const host = policyHost();
  for (const name of ['a', 'b', 'wait_long']) host.tools.register(makeTool(name));
  const reminder = repeatReminder(host.tools, options);
  const inner: { decision?: PostToolDecision } = {};
  host.tools.on('tools/post-execute', async (_exec, _result, next) => inner.decision ?? next());
  /** What the call brought, as one text; empty for none. */
  const said = async (name: string, args: unknown = {}, overrides = {}): Promise<string> => {
    const { additionalContexts = [] } = await host.call(name, args, overrides);
    return additionalContexts.map(({ content }) => (content[0] as { text: string }).text).join('|');
  };
  /** The numbers of the calls that brought something, of so many equal ones. */
  const reminded = async (times: number, args: unknown = {}): Promise<readonly number[]> => {
    const numbers: number[] = [];
    for (let n = 1; n <= times; n += 1) if ((await said('a', args)) !== '') numbers.push(n);
    return numbers;
  };
  return { ...host, reminder, inner, said, reminded };
}

describe('repeatReminder', () => {
  it('Q15, Q18: exactly the third, fifth and eighth equal call bring a message, and none beyond', async () => {
    expect(await remindingHost().reminded(20)).toEqual([3, 5, 8]);
    expect(await remindingHost({ thresholds: [4, 2] }).reminded(6)).toEqual([2, 4]);
  });

  it.each<[string, object]>([
    ['thresholds', { thresholds: [] }],
    ['thresholds', { thresholds: [1, 3] }],
    ['thresholds', { thresholds: [3, 3] }],
    ['thresholds', { thresholds: [2.5] }],
    ['thresholds', { thresholds: 3 }],
    ['include', { include: 'a' }],
    ['exclude[0]', { exclude: [''] }],
    ['argumentsPreviewChars', { argumentsPreviewChars: 0 }],
    ['threshold', { threshold: [3] }],
  ])('Q15: the option %s without a meaning fails the load: %j', (name, options) => {
    expect(() => repeatReminder(policyHost().tools, options)).toThrow(`"${name}"`);
  });

  it('Q15: patterns are anchored, a star stands for any text and every other character for itself', async () => {
    const host = remindingHost({ thresholds: [2], include: ['a', 'w*g'], exclude: ['wait.long', 'it_*'] });
    expect(await host.reminded(2)).toEqual([2]);
    await host.said('wait_long');
    expect(await host.said('wait_long')).not.toBe('');
    await host.said('b');
    expect(await host.said('b')).toBe('');
  });

  it('Q16: the order of keys does not matter, another tracked call starts anew, an excluded one neither counts nor resets', async () => {
    const host = remindingHost({ exclude: ['wait_*'] });
    await host.said('a', { x: 1, y: { p: 1, q: 2 } });
    await host.said('wait_long');
    await host.said('a', { y: { q: 2, p: 1 }, x: 1 });
    for (let n = 0; n < 5; n += 1) expect(await host.said('wait_long')).toBe('');
    expect(await host.said('a', { x: 1, y: { p: 1, q: 2 } })).not.toBe('');
    await host.said('b');
    expect(await host.reminded(3, { x: 1, y: { p: 1, q: 2 } })).toEqual([3]);
    expect(await host.reminded(2, { long: 'z'.repeat(5000) })).toEqual([]);
    expect(await host.said('a', { long: 'z'.repeat(5000) })).not.toBe('');
  });

  it('Q17: denied calls count, calls without an agent do not, and agents have rows of their own', async () => {
    const host = remindingHost({ thresholds: [2] });
    const lift = host.tools.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'no' }));
    expect(await host.said('a')).toBe('');
    expect(await host.said('a')).not.toBe('');
    lift();
    for (let n = 0; n < 3; n += 1) expect(await host.said('a', {}, { agent: undefined })).toBe('');
    expect(await host.said('a', {}, { agent: { id: 'other' } })).toBe('');
  });

  it('Q17: a message of the user ends the row, one of a plugin does not', async () => {
    const host = remindingHost();
    await host.reminded(2);
    host.reminder.messages(host.agent, [{ source: { kind: 'plugin', plugin: 'p' } }]);
    expect(await host.said('a')).not.toBe('');
    host.reminder.messages(host.agent, [
      { source: { kind: 'plugin', plugin: 'p' } },
      { source: { kind: 'user' } },
    ]);
    expect(await host.reminded(3)).toEqual([3]);
  });

  it('Q18: the first message is short, later ones name tool, count and the arguments, cut', async () => {
    const host = remindingHost({ thresholds: [2, 3], argumentsPreviewChars: 10 });
    const args = { text: 'abcdefghij' };
    await host.said('a', args);
    expect(await host.said('a', args)).toBe(
      'You have just made the same call of "a" again. If its result does not help, try something else.',
    );
    expect(await host.said('a', args)).toBe(
      'You have called "a" 3 times in a row with the same arguments: {"text":"a…\nIts result will hardly change. Use what you have, change the arguments, or say what is in the way.',
    );
  });

  it('Q18, Q19: it stands before the contexts of others, on a block and with a replaced value, and changes nothing else', async () => {
    const context = {
      role: 'user',
      content: [{ type: 'text', text: 'theirs' }],
      source: { kind: 'plugin', plugin: 'p' },
    } as const;
    const host = remindingHost({ thresholds: [2] });
    host.inner.decision = {
      kind: 'block',
      feedback: [{ type: 'text', text: 'no' }],
      additionalContexts: [context],
    };
    await host.call('a');
    const blocked = await host.call('a');
    expect(outcomeOf(blocked)).toBe('no');
    expect(blocked.additionalContexts?.map(({ source }) => source)).toEqual([
      { kind: 'plugin', plugin: 'repeat-reminder' },
      { kind: 'plugin', plugin: 'p' },
    ]);
    host.inner.decision = { kind: 'accept', value: 'replaced' };
    await host.call('b');
    const replaced = await host.call('b');
    expect(replaced).toMatchObject({
      isError: false,
      value: 'replaced',
      content: [{ type: 'text', text: 'replaced' }],
    });
    expect(replaced.additionalContexts).toHaveLength(1);
  });
});
