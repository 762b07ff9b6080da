import { describe, expect, it } from 'vitest';
import type { PtcDispatchLog } from '#dist/runtime/contract/events.js';
import type { ToolExecutorHost } from '#dist/runtime/contract/executor.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { emptyBatchResult, makeExecutor } from '../../support/make-executor.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const content = text('42 files');
const agent = { id: 'agent-1' };
const other = { id: 'other' };

async function serviceWithHost() {
  const warnings: [string, unknown][] = [];
  const tools = createTools({ onWarning: (message, cause) => void warnings.push([message, cause]) });
  let host: ToolExecutorHost | undefined;
  tools.setExecutor({
    ...makeExecutor('x').executor,
    execute: async (_, given) => {
      host = given;
      return emptyBatchResult;
    },
  });
  await tools.execute({ calls: [], signal: new AbortController().signal });
  const dispatch = (scope?: typeof agent) =>
    ({ name: 'list_files', agent: scope, isError: false, content }) as unknown as PtcDispatchLog;
  return { tools, host: host!, warnings, dispatch };
}

describe('dispatchLog', () => {
  it('C45, C67: without listeners the content that is recorded is the content it was given', async () => {
    const { host, dispatch } = await serviceWithHost();
    expect(await host.dispatchLog(dispatch())).toBe(content);
  });

  it('C45: listeners of the agent shape the copy, outermost first, and are told of the outer call', async () => {
    const { tools, host, dispatch } = await serviceWithHost();
    const given = dispatch(agent);
    const logs: PtcDispatchLog[] = [];
    tools.on('tools/ptc-dispatch-log', async (log, next) => {
      logs.push(log);
      return [...(await next()), ...text('outer')];
    });
    tools
      .scoped(agent)
      .on('tools/ptc-dispatch-log', async (_, next) => [...(await next()), ...text('inner')]);
    tools.scoped(other).on('tools/ptc-dispatch-log', async () => text('not for this agent'));
    const shaped = await host.dispatchLog(given);
    expect(logs[0]).toBe(given);
    expect(shaped).toEqual([...content, ...text('inner'), ...text('outer')]);
    expect(Object.isFrozen(shaped)).toBe(true);
    expect(Object.isFrozen(shaped[0])).toBe(true);
    expect(await host.dispatchLog(dispatch())).toEqual([...content, ...text('outer')]);
    expect(content).toEqual(text('42 files'));
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('store is full');
      },
      'store is full',
    ],
    ['rejects', () => Promise.reject(new Error('store is full')), 'store is full'],
    ['returns nothing', async () => undefined, 'wanted an array of content blocks'],
    ['returns one block', async () => ({ type: 'text', text: 'x' }), 'wanted an array of content blocks'],
    [
      'returns what is no JSON',
      async () => [{ type: 'text', text: undefined }],
      'wanted an array of content blocks',
    ],
    ['returns no block', async () => [null], 'wanted an array of content blocks'],
    ['returns a block without a type', async () => [{ text: 'x' }], 'wanted an array of content blocks'],
    ['returns texts', async () => ['x'], 'wanted an array of content blocks'],
  ])('C45: when a listener %s, the original is recorded and a warning says why', async (_, listener, why) => {
    const { tools, host, warnings, dispatch } = await serviceWithHost();
    tools.on('tools/ptc-dispatch-log', listener as never);
    expect(await host.dispatchLog(dispatch())).toBe(content);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.[0]).toContain('Cannot shape the log of "list_files"');
    expect(warnings[0]?.[0]).toContain(why);
    expect(warnings[0]?.[1]).toBeInstanceOf(Error);
  });
});
