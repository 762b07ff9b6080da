import { createTools, nativeExecutor, ptcExecutor } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import {
  type CallProgress,
  openAgentStep,
  runAgentStep,
  runAgentTurn,
} from '#dist/adapters/agent-step/index.js';
import { openaiChat } from '#dist/adapters/openai/index.js';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { flush, gate } from '../../support/gate.ts';
import { makeTool } from '../../support/make-tool.ts';
import { recordingAgent } from '../../support/recording-agent.ts';

type Call = readonly [id: string, name: string, args?: string];

const model = { provider: 'scripted', model: 'scripted-1' };
const reply = (...calls: Call[]) => ({
  role: 'assistant' as const,
  ...(calls.length === 0 ? { content: 'done' } : {}),
  tool_calls: calls.map(([id, name, args = '{}']) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  })),
});
const format = openaiChat<object>();

function nativeTools() {
  const tools = createTools();
  tools.setExecutor(nativeExecutor());
  return tools;
}

describe('one step', () => {
  it('R67, R68: one resolved set serves the request and the calls, and is disposed when the batch has settled', async () => {
    const tools = nativeTools();
    const asked: unknown[] = [];
    tools.register(makeTool('always'));
    tools.register(makeTool('sometimes'), {
      when: ({ modelSelection }) => {
        asked.push(modelSelection);
        return true;
      },
    });
    const step = await openAgentStep({ tools, format, model });
    tools.register(makeTool('later'));
    expect(step.request.tools.map((tool) => tool.function.name)).toEqual(['always', 'sometimes']);
    const { messages, results, isLast } = await step.answer(reply(['c1', 'sometimes'], ['c2', 'later']));
    expect(asked).toEqual([model]);
    expect(results.map(({ result }) => result.isError)).toEqual([false, true]);
    expect(messages).toHaveLength(3);
    expect(messages[1]).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'sometimes' });
    expect(isLast).toBe(false);
    expect(tools.executable('always', undefined, step.toolSet)).toBe(undefined);
    await expect(step.answer(reply())).rejects.toThrow(
      'Cannot answer a step: it was answered or disposed before',
    );
  });

  it('R68: the set is disposed too when the model cannot be reached, and the failure is the model’s own', async () => {
    const tools = nativeTools();
    tools.register(makeTool('a'));
    const step = await openAgentStep({ tools, format, model });
    step.dispose();
    step.dispose();
    expect(step.toolSet.view(undefined).size).toBe(0);
    const failure = new Error('no network');
    const asking = runAgentStep({ tools, format, model, callModel: () => Promise.reject(failure) });
    await expect(asking).rejects.toBe(failure);
  });

  it('R58: without an executor a step does not open', async () => {
    await expect(openAgentStep({ tools: createTools(), format, model })).rejects.toThrow(/executor/);
  });

  it('R62: the request holds the prompt sections of the selected executor', async () => {
    const tools = createTools();
    tools.register(makeTool('files.read'));
    tools.setExecutor(ptcExecutor({ runtime: fakeRuntime({}) }));
    const { request, dispose } = await openAgentStep({ tools, format, model });
    dispose();
    expect(request.tools.map((tool) => tool.function.name)).toEqual(['run_code']);
    const { sections } = tools.describe();
    expect(request.instructions).toBe(sections?.map(({ text }) => text).join('\n\n'));
  });

  it('R57: the agent’s own executor and tools are the ones that are used', async () => {
    const tools = createTools();
    const agent = recordingAgent();
    tools.setExecutor(ptcExecutor({ runtime: fakeRuntime({}) }));
    tools.scoped(agent).setExecutor(nativeExecutor());
    tools.scoped(agent).register(makeTool('own'));
    const outcome = await runAgentStep({
      tools,
      format,
      model,
      agent,
      log: { turn: 2, step: 5 },
      callModel: async ({ tools: listed }) => reply(['c1', listed[0]!.function.name]),
    });
    expect(outcome.results[0]?.result.isError).toBe(false);
    expect(agent.of('tool/call')).toMatchObject([{ turn: 2, step: 5, name: 'own' }]);
  });

  it('a name that the API does not accept is translated in both directions', async () => {
    const tools = nativeTools();
    tools.register(makeTool('files.read'));
    const step = await openAgentStep({ tools, format, model });
    const name = step.request.tools[0]!.function.name;
    expect(name).toMatch(/^files_read_[0-9a-f]{8}$/);
    const { results } = await step.answer(reply(['c1', name]));
    expect(results[0]?.result).toMatchObject({ isError: false, value: 'files.read' });
  });

  it('R60: an executor that goes away meanwhile fails the answer, and the set is disposed all the same', async () => {
    const tools = createTools();
    const remove = tools.setExecutor(nativeExecutor());
    tools.register(makeTool('a'));
    const step = await openAgentStep({ tools, format, model });
    remove();
    await expect(step.answer(reply(['c1', 'a']))).rejects.toThrow(/executor/);
    expect(step.toolSet.view(undefined).size).toBe(0);
  });

  it('R61: a prompt section that cannot be rendered opens no step, and the set is disposed', async () => {
    const tools = createTools();
    const resolved: { view(scope: undefined): ReadonlyMap<string, unknown> }[] = [];
    const render = () => {
      throw new Error('no text today');
    };
    tools.register(makeTool('a'));
    tools.setExecutor({ ...nativeExecutor(), sections: [{ id: 'broken', order: 1, render }] });
    const watched = {
      ...tools,
      async resolve(context: Parameters<typeof tools.resolve>[0]) {
        const set = await tools.resolve(context);
        resolved.push(set);
        return set;
      },
    };
    await expect(openAgentStep({ tools: watched, format, model })).rejects.toThrow(/no text today/);
    expect(resolved.map((set) => set.view(undefined).size)).toEqual([0]);
  });

  it('R63, R64: a model is told of programs and tools where both are presented, and of no program elsewhere', async () => {
    const tools = createTools();
    const both = recordingAgent('both');
    tools.setExecutor(nativeExecutor());
    tools
      .scoped(both)
      .setExecutor(ptcExecutor({ runtime: fakeRuntime({ play: () => 1 }), presents: 'both' }));
    tools.register(makeTool('files.read'));
    const code = JSON.stringify({ code: 'play', description: 'Plays' });
    const take = async (agent: typeof both | undefined) => {
      const step = await openAgentStep({ tools, format, model, agent });
      const names = step.request.tools.map((tool) => tool.function.name);
      const calls = [...names, 'run_code'].map((name, index): Call => [`c${index}`, name, code]);
      const { results } = await step.answer(reply(...calls));
      return [names, results.map(({ result }) => result.error?.info?.code ?? 'fine')];
    };
    const outward = 'files_read_889d548e';
    expect(await take(both)).toEqual([
      ['run_code', outward],
      ['fine', 'fine', 'fine'],
    ]);
    expect(await take(undefined)).toEqual([[outward], ['fine', 'UNKNOWN_TOOL']]);
  });

  it('contexts follow all results', async () => {
    const tools = nativeTools();
    const note = (name: string) =>
      makeTool(name, {
        async execute(_args, exec) {
          exec.deferContext({
            role: 'user',
            content: [{ type: 'text', text: `after ${name}` }],
            source: { kind: 'plugin', plugin: 'test' },
          });
          return name;
        },
      });
    tools.register(note('a'));
    tools.register(note('b'));
    const step = await openAgentStep({ tools, format, model });
    const { answers } = await step.answer(reply(['c1', 'a'], ['c2', 'b']));
    expect(answers).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'a' },
      { role: 'tool', tool_call_id: 'c2', content: 'b' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'after a' },
          { type: 'text', text: 'after b' },
        ],
      },
    ]);
  });

  it('U10: a program’s calls are reported while they run, with the cards of the definitions that execute', async () => {
    const tools = createTools();
    const open = gate();
    tools.register(
      makeTool('slow', {
        presentCall: () => ({ card: 'generic', kind: 'read', title: 'Slow work', input: {} }) as never,
        execute: async () => {
          await open.promise;
          return 'slow';
        },
      }),
    );
    const play = async ({ tools: members }: { tools: Record<string, () => Promise<unknown>> }) =>
      members['slow']!();
    tools.setExecutor(ptcExecutor({ runtime: fakeRuntime({ play: play as never }) }));
    const seen: string[] = [];
    const onProgress = (progress: CallProgress) => {
      seen.push(`${progress.kind} ${progress.name} ${progress.isSubCall} ${progress.rootCallId}`);
      if (progress.kind === 'finished') throw new Error('a display that fails');
    };
    const step = await openAgentStep({ tools, format, model, onProgress });
    const code = JSON.stringify({ code: 'play', description: 'Plays' });
    const answering = step.answer(reply(['c1', 'run_code', code]));
    for (let turn = 0; turn < 20 && seen.length < 4; turn += 1) await flush();
    expect(seen).toEqual([
      'requested run_code false c1',
      'started run_code false c1',
      'requested slow true c1',
      'started slow true c1',
    ]);
    open.open();
    const { results } = await answering;
    expect(results[0]?.result.isError).toBe(false);
    expect(seen.slice(4)).toEqual(['finished slow true c1', 'finished run_code false c1']);
  });
});

describe('a turn', () => {
  it('goes on until nothing is called, with the growing conversation and numbered steps', async () => {
    const tools = nativeTools();
    const agent = recordingAgent();
    tools.register(makeTool('a'));
    const script = [reply(['c1', 'a']), reply(['c2', 'a']), reply()];
    const lengths: number[] = [];
    const start = [{ role: 'user', content: 'go' }];
    const turn = await runAgentTurn({
      tools,
      format,
      model,
      agent,
      log: { turn: 1, step: 1 },
      messages: start,
      callModel: async ({ messages }) => {
        lengths.push(messages.length);
        return script[lengths.length - 1]!;
      },
    });
    expect(lengths).toEqual([1, 3, 5]);
    expect(turn).toMatchObject({ steps: 3, end: 'done', reply: script[2] });
    expect(turn.messages).toHaveLength(6);
    expect(start).toHaveLength(1);
    expect(agent.of('tool/call').map(({ step }) => step)).toEqual([1, 2]);
  });

  it('ends when a call concludes it, when the steps are used up, and when it is aborted', async () => {
    const tools = nativeTools();
    tools.register(makeTool('a'));
    tools.register(
      makeTool('finish', {
        async execute(_args, exec) {
          exec.concludeTurn();
          return 'finished';
        },
      }),
    );
    const take = (name: string, more: object = {}) =>
      runAgentTurn({
        tools,
        format,
        model,
        messages: [],
        callModel: async () => reply(['c1', name]),
        ...more,
      });
    expect(await take('finish')).toMatchObject({ steps: 1, end: 'concluded' });
    expect(await take('a', { maxSteps: 2 })).toMatchObject({ steps: 2, end: 'max-steps' });
    const controller = new AbortController();
    const onStep = () => controller.abort();
    expect(await take('a', { signal: controller.signal, onStep })).toMatchObject({
      steps: 1,
      end: 'aborted',
    });
    await expect(take('a', { maxSteps: 0 })).rejects.toThrow(TypeError);
  });
});
