import { describe, expect, it } from 'vitest';
import { ptcExecutor } from '#dist/bridge/index.js';
import type { CodeRuntime } from '#dist/runtime/contract/code-runtime.js';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { fakeRuntime } from '../support/fake-runtime.ts';
import { makeTool } from '../support/make-tool.ts';

function service(
  options: { runtime?: Partial<CodeRuntime>; presents?: 'ptc' | 'both'; unmounted?: boolean } = {},
) {
  const { runtime, presents, unmounted = false } = options;
  const tools = createTools({ onWarning() {} });
  tools.register(makeTool('write'));
  tools.register(makeTool('read', { description: 'Reads {{path}} and */ ${more}.' }));
  const mounted = unmounted ? undefined : fakeRuntime({}, runtime);
  tools.setExecutor(ptcExecutor({ runtime: mounted, presents }));
  return tools;
}

describe('ptcExecutor: what a model gets', () => {
  it('C1: run_code alone is listed and known', () => {
    const { schemas, knownNames } = service().describe();
    expect(schemas.map(({ name }) => name)).toEqual(['run_code']);
    expect(knownNames).toEqual(['run_code']);
  });

  it('C1, R71: a configured order that names a native tool fails the prompt', () => {
    const tools = createTools({ toolOrder: ['read'] });
    tools.register(makeTool('read'));
    tools.setExecutor(ptcExecutor({ runtime: fakeRuntime({}) }));
    expect(() => tools.describe()).toThrow('"read"');
  });

  it('C1, C9: presented as both, the native schemas and names follow, and no rule forbids direct calls', () => {
    const { schemas, knownNames, sections } = service({ presents: 'both' }).describe();
    expect(schemas.map(({ name }) => name)).toEqual(['run_code', 'write', 'read']);
    expect(knownNames).toEqual(['run_code', 'write', 'read']);
    expect(sections?.map(({ id }) => id)).toEqual(['ptc/sdk']);
  });

  it('C2, C4: code and description are required strings and both are named; timeoutMs only where a runtime takes it', () => {
    const [plain] = service().describe().schemas;
    const [timed] = service({ runtime: { maxTimeoutMs: 60_000 } }).describe().schemas;
    const { properties, required } = plain!.parameters;
    expect(Object.entries(properties!).map(([name, { type }]) => [name, type])).toEqual([
      ['code', 'string'],
      ['description', 'string'],
    ]);
    expect(required).toEqual(['code', 'description']);
    expect(plain!.description).toMatch(/`code`.*`description`/);
    expect(timed!.parameters.properties!['timeoutMs']!.type).toBe('number');
    expect(timed!.parameters.required).toEqual(['code', 'description']);
  });

  it('C3, C5, E95: the texts follow the language of the mounted runtime, looked up among own names', () => {
    const [schema] = service({ runtime: { executionInstructions: 'There is no network.' } }).describe()
      .schemas;
    expect(schema!.description).toContain('There is no network.');
    for (const language of ['toString', 'constructor', '__proto__', 'python']) {
      expect(() => service({ runtime: { language } }).describe()).toThrow(JSON.stringify(language));
      expect(() => service({ runtime: { language } }).describe()).toThrow('"typescript"');
    }
  });

  it('C6: without a runtime the prompt cannot be assembled', () => {
    expect(() => service({ unmounted: true }).describe()).toThrow('no code runtime is mounted');
  });

  it('C9, E91: the rule comes before what is said of single tools, and the SDK after it', () => {
    const { sections } = service().describe();
    expect(sections?.map(({ id, order }) => [id, Math.sign(order)])).toEqual([
      ['ptc/direct-calls', -1],
      ['ptc/sdk', 1],
    ]);
    expect(sections![0]!.text).toContain('Only `run_code` can be called directly');
    expect(sections![1]!.text).toMatch(/read\(.*\).*\n.*\n?.*write\(/s);
  });

  it('C10, E92: braces and markers in descriptions stay as they are', () => {
    const { sections } = service().describe();
    expect(sections![1]!.text).toContain('Reads {{path}} and *\\/ ${more}.');
  });

  it('R32, C25: restricted tools are absent from the SDK, and run_code never is', () => {
    const tools = service();
    const agent = { id: 'a' };
    tools.scoped(agent).restrict({ deny: ['write'] });
    const { schemas, sections } = tools.describe(agent);
    expect(schemas.map(({ name }) => name)).toEqual(['run_code']);
    expect(sections![1]!.text).not.toContain('write(');
    expect(sections![1]!.text).toContain('read(');
  });
});

describe('ptcExecutor: options', () => {
  it('C36, C61: caps and times that make no sense are refused where the executor is made', () => {
    const runtime = fakeRuntime({});
    for (const bad of [0, -1, 1.5, Number.NaN, '3']) {
      expect(() => ptcExecutor({ runtime, maxParallelSubCalls: bad as number })).toThrow(
        '"maxParallelSubCalls"',
      );
      expect(() => ptcExecutor({ runtime, maxParallelToolCalls: bad as number })).toThrow(
        '"maxParallelToolCalls"',
      );
      expect(() => ptcExecutor({ runtime, maxContentBytes: bad as number })).toThrow('"maxContentBytes"');
    }
    for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '3']) {
      expect(() => ptcExecutor({ runtime, drainMs: bad as number })).toThrow('"drainMs"');
    }
    expect(() => ptcExecutor({ runtime, presents: 'native' as 'ptc' })).toThrow('"presents"');
    expect(() => ptcExecutor({ runtime, check: 1 as never })).toThrow('"check"');
    expect(() => ptcExecutor({ runtime, onRun: 1 as never })).toThrow('"onRun"');
    expect(() => ptcExecutor({ runtime, onLateOutcome: 1 as never })).toThrow('"onLateOutcome"');
    expect(() => ptcExecutor({ runtime, sdk: { tokenBudget: -1 } })).toThrow('"tokenBudget"');
    expect(() => ptcExecutor({ runtime: {} as never })).toThrow('"runtime"');
    expect(() => ptcExecutor({ runtime, drain: 1 } as never)).toThrow(
      'Cannot use option "drain" of "ptcExecutor"',
    );
  });
});
