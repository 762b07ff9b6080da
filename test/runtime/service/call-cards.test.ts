import { describe, expect, it } from 'vitest';
import { toolCallId } from '#dist/runtime/core/ids.js';
import { presentCall, presentResult } from '#dist/runtime/service/call-cards.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { makeTool } from '../../support/make-tool.ts';

const agent = { id: 'agent-1' };
const signal = new AbortController().signal;
const titled = (name: string, title: string) =>
  makeTool(name, {
    presentCall: () => ({ card: 'generic', title }),
    presentResult: (_args, result) => ({ card: 'generic', title: `${title}, done`, content: result.content }),
  });

describe('call cards', () => {
  it('U10: a card comes from the definition that the calling agent executes', () => {
    const tools = createTools();
    tools.register(titled('echo', 'global echo'));
    tools.scoped(agent).register(titled('echo', 'own echo'));
    const title = (scope?: typeof agent) =>
      presentCall(tools, { name: 'echo', arguments: {}, agent: scope }).title;
    expect([title(), title(agent), title({ id: 'other' })]).toEqual([
      'global echo',
      'own echo',
      'global echo',
    ]);
  });

  it("U10: with a step's set it comes from what the set admits", async () => {
    const tools = createTools();
    tools.register(titled('maybe', 'Maybe'), { when: () => false });
    const toolSet = await tools.resolve({ agent, modelSelection: { provider: 'p', model: 'm' }, signal });
    const call = { name: 'maybe', arguments: { a: 1 }, agent };
    expect(presentCall(tools, call)).toMatchObject({ title: 'Maybe' });
    expect(presentCall(tools, { ...call, toolSet })).toEqual({
      card: 'generic',
      title: 'maybe',
      rawInput: { a: 1 },
    });
  });

  it('U10: the transport has the card of the definition that came with the call', () => {
    const tools = createTools();
    const dispatch = { definition: titled('run_code', 'Count lines'), direct: 'any' as const };
    const call = { name: 'run_code', arguments: { code: '1' } };
    expect(presentCall(tools, { ...call, dispatch })).toMatchObject({ title: 'Count lines' });
    expect(presentCall(tools, call)).toMatchObject({ title: 'run_code', rawInput: { code: '1' } });
    expect(presentCall(tools, { name: 'other', arguments: {}, dispatch })).toMatchObject({ title: 'other' });
  });

  it('U1, U10: an execution and its result make the finished card, which sees content, isError and meta only', async () => {
    const tools = createTools();
    const seen: unknown[] = [];
    tools.register(
      makeTool('echo', {
        presentResult: (...given) => {
          seen.push(given);
          return undefined;
        },
      }),
    );
    const cards: unknown[] = [];
    tools.on('tools/result', (exec, result) => void cards.push(presentResult(tools, exec, result)));
    const args = { a: 1 };
    await tools.pipeline.execute({ callId: toolCallId('c1'), name: 'echo', arguments: args, signal });
    const content = [{ type: 'text', text: 'echo' }];
    expect(seen).toStrictEqual([[args, { content, isError: false }]]);
    expect(cards).toEqual([{ card: 'generic', title: 'echo', content }]);
  });
});
