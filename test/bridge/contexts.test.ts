import { describe, expect, it } from 'vitest';
import type { ContentBlock, UserMessage } from '#dist/runtime/contract/content.js';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolExecutionToken } from '#dist/runtime/core/ids.js';
import { flush } from '../support/gate.ts';
import { gatedTool } from '../support/gated-tools.ts';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost } from './ptc-host.ts';

const IMAGE = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const said = (value: string): UserMessage => ({
  role: 'user',
  content: [text(value)],
  source: { kind: 'plugin', plugin: 'test' },
});
const shot = (content: readonly ContentBlock[]): UserMessage => ({
  role: 'user',
  content,
  source: { kind: 'plugin', plugin: 'tools-ptc' },
});

/** A tool that shows an image and says its arguments' tag in a context of its own. */
const camera = (overrides: Partial<ToolDefinition> = {}) =>
  makeTool('camera', {
    output: { schema: {}, render: (_, value) => [text(`shot ${value}`), IMAGE] },
    execute: async (args, exec) => {
      exec.deferContext(said(`context ${(args as { tag: string }).tag}`));
      return (args as { tag: string }).tag;
    },
    ...overrides,
  });

describe('what sub-calls leave for the conversation', () => {
  it('C50: a success that shows an image is one context with its whole content, before the contexts of that call', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['camera']!({ tag: 'a' }) } });
    host.tools.register(camera());
    const { additionalContexts } = await host.execute({ code: 'main', description: 'd' });
    expect(additionalContexts).toEqual([shot([text('shot a'), IMAGE]), said('context a')]);
  });

  it('C50, E84: an image that policy took away, and a failure, leave nothing', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          await tools['camera']!({ tag: 'replaced' });
          await tools['camera']!({ tag: 'blocked' }).catch(() => {});
          await tools['broken']!().catch(() => {});
        },
      },
    });
    host.tools.register(camera({ execute: async (args) => (args as { tag: string }).tag }));
    host.tools.register(
      makeTool('broken', {
        execute: async () => Promise.reject(new Error('no film')),
        projectContent: () => [IMAGE],
      }),
    );
    host.tools.on('tools/post-execute', async (_, result, next) => {
      if (result.value === 'replaced') return { kind: 'accept', content: [text('removed')] };
      return result.value === 'blocked' ? { kind: 'block', feedback: [IMAGE] } : next();
    });
    const { additionalContexts } = await host.execute({ code: 'main', description: 'd' });
    expect(additionalContexts).toEqual([]);
  });

  it('C50: an image that policy put there is forwarded: the final content counts', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['plain']!() } });
    host.tools.register(makeTool('plain'));
    host.tools.on('tools/post-execute', async (exec, _, next) =>
      exec.name === 'plain' ? { kind: 'accept', content: [IMAGE, text('a')] } : next(),
    );
    const { additionalContexts } = await host.execute({ code: 'main', description: 'd' });
    expect(additionalContexts).toEqual([shot([IMAGE, text('a')])]);
  });

  it('C51, C38: contexts come in the order of submission, whichever call settled first', async () => {
    const host = ptcHost({
      plays: {
        main: ({ tools }) => Promise.all(['a', 'b', 'c'].map((tag) => tools['camera']!({ tag }))),
      },
    });
    const gated = gatedTool('camera');
    host.tools.register({
      ...gated.definition,
      execute: async (args, exec) => {
        await gated.definition.execute(args, exec);
        exec.deferContext(said(`context ${(args as { tag: string }).tag}`));
        return (args as { tag: string }).tag;
      },
      output: { schema: {}, render: (_, value) => (value === 'b' ? [IMAGE] : [text('no image')]) },
    });
    const outcome = host.execute({ code: 'main', description: 'd' });
    await flush();
    for (const i of [2, 1, 0]) {
      gated.bodies[i]!.open(0);
      await flush();
    }
    expect((await outcome).additionalContexts).toEqual([
      said('context a'),
      shot([IMAGE]),
      said('context b'),
      said('context c'),
    ]);
  });

  it('C51, E85: contexts survive a program that fails, and go with an outer call that is blocked', async () => {
    const plays = {
      fails: async ({ tools }: { tools: Readonly<Record<string, (args: unknown) => Promise<unknown>>> }) => {
        await tools['camera']!({ tag: 'a' });
        throw new Error('later');
      },
    };
    const failing = ptcHost({ plays });
    failing.tools.register(camera());
    const failed = await failing.execute({ code: 'fails', description: 'd' });
    expect(failed.results[0]!.result.error?.info?.code).toBe('CODE_RUN_FAILED');
    expect(failed.additionalContexts).toEqual([shot([text('shot a'), IMAGE]), said('context a')]);

    const blocked = ptcHost({ plays });
    blocked.tools.register(camera());
    blocked.tools.on('tools/post-execute', async (exec, _, next) =>
      exec.parent === undefined ? { kind: 'block', feedback: [text('not this')] } : next(),
    );
    expect((await blocked.execute({ code: 'fails', description: 'd' })).additionalContexts).toEqual([]);
  });

  it('C52, P63: a sub-call concludes the turn through a program that succeeds, and only through one', async () => {
    const host = ptcHost({
      plays: {
        good: ({ tools }) => tools['finish']!(),
        bad: async ({ tools }) => {
          await tools['finish']!();
          throw new Error('after all');
        },
        recovers: ({ tools }) => tools['blocked']!().catch(() => 'went on'),
      },
    });
    const finish = (name: string) =>
      makeTool(name, {
        execute: async (_, exec) => {
          exec.concludeTurn();
          return 'done';
        },
      });
    host.tools.register(finish('finish'));
    host.tools.register(finish('blocked'));
    host.tools.on('tools/post-execute', async (exec, _, next) =>
      exec.name === 'blocked' ? { kind: 'block', feedback: [text('no')] } : next(),
    );
    const concluded = async (code: string) => (await host.execute({ code, description: 'd' })).concluded;
    expect([await concluded('good'), await concluded('bad'), await concluded('recovers')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('E119: a nested result names its parent, so that an observer can commit it only with the outer success', async () => {
    const host = ptcHost({
      plays: {
        good: ({ tools }) => tools['write']!(),
        bad: async ({ tools }) => {
          await tools['write']!();
          throw new Error('rolled back');
        },
      },
    });
    host.tools.register(makeTool('write'));
    const pending = new Map<ToolExecutionToken, string[]>();
    const committed: string[] = [];
    host.tools.on('tools/result', (exec, result) => {
      if (exec.parent !== undefined) {
        pending.set(exec.parent, [...(pending.get(exec.parent) ?? []), exec.callId]);
        return;
      }
      const nested = pending.get(exec.token) ?? [];
      pending.delete(exec.token);
      if (!result.isError) committed.push(...nested);
    });
    await host.run('bad');
    expect(committed).toEqual([]);
    await host.run('good');
    expect([committed, pending.size]).toEqual([['outer:ptc:1'], 0]);
  });
});
