import { describe, expect, it } from 'vitest';
import type { CacheOptions } from '#dist/policies/cache.js';
import { cache } from '#dist/policies/cache.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { flush } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

const READ = { readOnly: true };

function cachingHost(options: CacheOptions = { scope: 'host' }) {
  const host = policyHost();
  const bodies: unknown[] = [];
  host.tools.register(
    makeTool('read', {
      execute: async (args, exec) => {
        bodies.push(args);
        exec.deferContext({
          role: 'user',
          content: [{ type: 'text', text: 'fresh' }],
          source: { kind: 'plugin', plugin: 'read' },
        });
        exec.concludeTurn();
        return `value ${bodies.length}`;
      },
    }),
    READ,
  );
  host.tools.register(makeTool('write'));
  const dispose = cache(host.tools, options);
  return { ...host, bodies, dispose };
}

describe('cache', () => {
  it('nothing is kept where the policy is not registered', async () => {
    const host = cachingHost();
    host.dispose();
    await host.call('read');
    await host.call('read');
    expect(host.bodies).toHaveLength(2);
  });

  it('the order of keys does not matter, any other difference of the arguments does', async () => {
    const host = cachingHost();
    const value = async (args: object) => (await host.call('read', args)).value;
    expect(await value({ a: 1, b: { c: 2, d: 3 } })).toBe('value 1');
    expect(await value({ b: { d: 3, c: 2 }, a: 1 })).toBe('value 1');
    expect(await value({ a: 1, b: { c: 2, d: 4 } })).toBe('value 2');
    expect(await value({ a: '1', b: { c: 2, d: 3 } })).toBe('value 3');
  });

  it('neither contexts nor the end of the turn are replayed, and content is rendered anew', async () => {
    const host = cachingHost();
    const first = await host.call('read');
    const again = await host.call('read');
    expect(first.additionalContexts).toHaveLength(1);
    expect(first.concludesTurn).toBe(true);
    expect(again).toEqual({
      isError: false,
      value: 'value 1',
      content: [{ type: 'text', text: 'value 1' }],
    });
  });

  it('within one run only that run is answered; across runs until the age is reached', async () => {
    const plays = {
      main: async ({ tools }: { tools: Record<string, (args?: unknown) => Promise<unknown>> }) => [
        await tools['read']!(),
        await tools['read']!(),
      ],
    };
    const host = ptcHost({ plays });
    let bodies = 0;
    host.tools.register(makeTool('read', { execute: async () => `value ${++bodies}` }), READ);
    cache(host.tools);
    expect((await host.run('main')).value).toEqual({ logs: [], result: ['value 1', 'value 1'] });
    expect((await host.run('main')).value).toEqual({ logs: [], result: ['value 2', 'value 2'] });

    let now = 0;
    const across = cachingHost({ scope: 'host', maxAgeMs: 100, now: () => now });
    expect((await across.call('read')).value).toBe('value 1');
    now = 99;
    expect((await across.call('read')).value).toBe('value 1');
    now = 100;
    expect((await across.call('read')).value).toBe('value 2');
  });

  it('the oldest value goes when there are too many', async () => {
    const host = cachingHost({ scope: 'host', maxEntries: 2 });
    for (const n of [1, 2, 3, 3, 2, 1]) await host.call('read', { n });
    expect(host.bodies).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 1 }]);
  });

  it('only tools that say they are read-only are answered, and only successes are kept', async () => {
    const host = policyHost();
    let bodies = 0;
    const counting = (name: string) =>
      makeTool(name, {
        execute: async () => {
          bodies += 1;
          if (name === 'bad') throw new Error('broken');
          return name;
        },
      });
    host.tools.register(counting('plain'));
    host.tools.register(counting('bad'), READ);
    cache(host.tools, { scope: 'host' });
    for (const name of ['plain', 'plain', 'bad', 'bad']) await host.call(name);
    expect(bodies).toBe(4);
  });

  it('agents do not share values, and neither do a tool and the one that replaced it', async () => {
    const host = cachingHost();
    await host.call('read');
    await host.call('read', {}, { agent: { id: 'other' } });
    await host.call('read', {}, { agent: undefined });
    expect(host.bodies).toHaveLength(3);
    host.tools.scoped(host.agent).register(makeTool('read', { execute: async () => 'own' }), READ);
    expect((await host.call('read')).value).toBe('own');
  });

  it('a call that may write empties the cache, also of a read that was under way meanwhile', async () => {
    const host = cachingHost();
    await host.call('read');
    await host.call('write');
    expect((await host.call('read')).value).toBe('value 2');

    const slow = policyHost();
    const read = gatedTool('read');
    slow.tools.register(read.definition, READ);
    slow.tools.register(makeTool('write'));
    cache(slow.tools, { scope: 'host' });
    const before = slow.call('read');
    await flush();
    await slow.call('write');
    read.bodies[0]!.open('stale');
    await before;
    const after = slow.call('read');
    await flush();
    read.bodies[1]!.open('new');
    expect((await after).value).toBe('new');
  });

  it('a denied call is not answered from the cache, and a value is checked against the schema again', async () => {
    const host = cachingHost();
    await host.call('read');
    const lift = host.tools.guard(() => 'not now');
    expect(outcomeOf(await host.call('read'))).toBe('not now');
    lift();
    expect(outcomeOf(await host.call('read'))).toBe('ok');
    expect(host.bodies).toHaveLength(1);
  });

  it('an option without a meaning fails when the policy is made', () => {
    const { tools } = policyHost();
    expect(() => cache(tools, { scope: 'world' as never })).toThrow('"scope"');
    expect(() => cache(tools, { maxEntries: 0 })).toThrow('"maxEntries"');
    expect(() => cache(tools, { maxAgeMs: 0 })).toThrow('"maxAgeMs"');
  });
});
