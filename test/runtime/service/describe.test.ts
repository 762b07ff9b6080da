import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type { ToolExecutor, ToolPromptContext } from '#dist/runtime/contract/executor.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { orderTools } from '#dist/runtime/service/tool-order.js';
import { makeExecutor } from '../../support/make-executor.ts';
import { makeTool } from '../../support/make-tool.ts';

const section = (id: string, order: number, text: string | undefined = id) => ({
  id,
  order,
  render: () => text,
});

describe('describe', () => {
  it('R62: the executor is given the visible definitions themselves, after restrictions and admission', async () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    const given: (readonly ToolDefinition[])[] = [];
    tools.setExecutor({
      ...makeExecutor('x').executor,
      describe: (definitions) => {
        given.push(definitions);
        return { schemas: [], knownNames: [] };
      },
    });
    const [plain, yes, no, hidden] = ['plain', 'yes', 'no', 'hidden'].map((name) => makeTool(name));
    tools.register(plain!);
    tools.register(yes!, { when: () => true });
    tools.register(no!, { when: () => false });
    tools.register(hidden!);
    tools.scoped(agent).restrict({ deny: ['hidden'] });
    const set = await tools.resolve({
      agent,
      modelSelection: { provider: 'p', model: 'm' },
      signal: new AbortController().signal,
    });
    tools.describe(agent, set);
    tools.describe(agent);
    tools.describe();
    expect(given).toEqual([[plain, yes], [plain], [plain, hidden]]);
    expect(given[0]?.[1]).toBe(yes);
  });

  it('R62: it returns model inputs only, never the executor or anything else that it returned', () => {
    const tools = createTools();
    const schemas = [{ name: 'a', description: '', parameters: {} }];
    tools.setExecutor({
      ...makeExecutor('x').executor,
      describe: () =>
        ({ schemas, knownNames: ['a'], sections: [section('forged', 1)], executor: 'x' }) as never,
    });
    expect(tools.describe()).toStrictEqual({ schemas, knownNames: ['a'] });
  });

  it('R61: sections come with their executor, lowest order first, and those without a text are left out', () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    const contexts: ToolPromptContext[] = [];
    const definition = makeTool('a');
    tools.register(definition);
    const sections = [
      section('sdk', 20, 'the {{sdk}}'),
      section('second of ten', 10),
      { id: 'silent', order: 5, render: () => undefined },
      {
        id: 'rule',
        order: -1,
        render: (context: ToolPromptContext) => {
          contexts.push(context);
          return 'only run_code';
        },
      },
      section('third of ten', 10),
    ];
    tools.setExecutor(makeExecutor('x', sections).executor);
    expect(tools.describe(agent).sections).toStrictEqual([
      { id: 'rule', order: -1, text: 'only run_code' },
      { id: 'second of ten', order: 10, text: 'second of ten' },
      { id: 'third of ten', order: 10, text: 'third of ten' },
      { id: 'sdk', order: 20, text: 'the {{sdk}}' },
    ]);
    expect(contexts).toEqual([{ scope: agent, tools: [definition] }]);
    expect(contexts[0]?.scope).toBe(agent);
  });

  it('R61: a scope that selects another executor does not render them, and they go with their executor', () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    const dispose = tools.setExecutor(makeExecutor('standard', [section('rule', 1)]).executor);
    tools.scoped(agent).setExecutor(makeExecutor('own').executor);
    expect(tools.describe().sections?.map(({ id }) => id)).toEqual(['rule']);
    expect(tools.describe(agent)).not.toHaveProperty('sections');
    dispose();
    expect(() => tools.describe()).toThrow("the deployment's executor was removed");
    tools.setExecutor(makeExecutor('next').executor);
    expect(tools.describe()).not.toHaveProperty('sections');
  });

  it('R61: the sections are those that the executor had when it was set', () => {
    const tools = createTools();
    const sections = [section('rule', 1)];
    tools.setExecutor(makeExecutor('x', sections).executor);
    sections.push(section('late', 2));
    expect(tools.describe().sections?.map(({ id }) => id)).toEqual(['rule']);
  });

  it('R61: a selection that goes away while it is described fails with the section that could not be rendered', () => {
    const tools = createTools();
    const agent = { id: 'agent-1' };
    const rendered: string[] = [];
    const sections = [
      {
        id: 'rule',
        order: 1,
        render: () => {
          rendered.push('rule');
          tools.scoped(agent).setExecutor(makeExecutor('other').executor);
          return 'rule';
        },
      },
      section('sdk', 2),
    ];
    tools.setExecutor(makeExecutor('x', sections).executor);
    expect(() => tools.describe(agent)).toThrow(
      'Cannot render prompt section "sdk": its executor is no longer selected',
    );
    expect(rendered).toEqual(['rule']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no SDK for "cobol"');
      },
      'Cannot render prompt section "sdk": no SDK for "cobol"',
    ],
    ['returns a number', () => 7, 'Cannot render prompt section "sdk": wanted a text, received 7'],
    ['returns null', () => null, 'Cannot render prompt section "sdk": wanted a text, received null'],
  ])('R61: a section that %s fails the assembly and is never left out', (_, render, message) => {
    const tools = createTools();
    tools.setExecutor(makeExecutor('x', [{ id: 'sdk', order: 1, render: render as never }]).executor);
    expect(() => tools.describe()).toThrow(message);
  });

  it.each([undefined, {}, { schemas: [] }, { schemas: 'x', knownNames: [] }])(
    'R62: an executor that describes itself as %o fails the assembly',
    (described) => {
      const tools = createTools();
      const executor: ToolExecutor = { ...makeExecutor('x').executor, describe: () => described as never };
      tools.setExecutor(executor);
      expect(() => tools.describe()).toThrow('the executor wants to return { schemas, knownNames }');
    },
  );

  it('R71: a configured order puts the named tools first and fails for a name that the executor does not know', () => {
    const native: ToolExecutor = {
      ...makeExecutor('x').executor,
      describe: (definitions) => ({
        schemas: definitions.map(({ name, description, parameters }) => ({ name, description, parameters })),
        knownNames: definitions.map(({ name }) => name),
      }),
    };
    const tools = createTools({ toolOrder: ['c', 'a', 'c'] });
    tools.setExecutor(native);
    for (const name of ['a', 'b', 'c', 'd']) tools.register(makeTool(name));
    expect(tools.describe().schemas.map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd']);
    const agent = { id: 'agent-1' };
    tools.scoped(agent).restrict({ deny: ['a'] });
    expect(() => tools.describe(agent)).toThrow(
      'Cannot order tools: "a" unregistered, wanted names of "b", "c", "d"',
    );
    tools.setExecutor(makeExecutor('run_code').executor);
    expect(() => tools.describe()).toThrow(
      'Cannot order tools: "c", "a" unregistered, wanted names of "run_code"',
    );
  });

  it('R71: names are validated against knownNames, which may be more than the schemas', () => {
    const schema = (name: string) => ({ name, description: '', parameters: {} });
    const input = { schemas: [schema('a'), schema('b')], knownNames: ['a', 'b', 'deferred'] };
    expect(orderTools(input, ['deferred', 'b']).schemas.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(input.schemas.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(() => orderTools({ schemas: [], knownNames: [] }, ['a'])).toThrow('wanted names of (none)');
  });

  it('R71: a malformed order is refused when the service is made', () => {
    for (const toolOrder of ['read_file', [7], null]) {
      expect(() => createTools({ toolOrder } as never)).toThrow('"toolOrder"');
    }
  });
});
