import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '#dist/runtime/tools/registry.js';
import { makeTool } from '../../support/make-tool.ts';

const names = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);

function registryWith(...global: readonly string[]) {
  const tools = createRegistry(() => {});
  for (const name of global) tools.register(undefined, makeTool(name));
  return tools;
}

describe('restrict', () => {
  it('R21, R23: without a scope it throws, whatever the filter', () => {
    const tools = registryWith('a');
    for (const filter of [{ deny: ['a'] }, {}, { deny: ['run_code'] }, { deny: ['nowhere'] }, 'a', null]) {
      expect(() => tools.restrict(undefined, filter as never)).toThrow(/a restriction wants a scope/);
    }
    expect(names(tools.list())).toEqual(['a']);
  });

  it('R22, E1: a filter that hides nothing throws, an empty allow list hides everything inherited', () => {
    const tools = registryWith('a', 'b');
    const agent = {};
    for (const filter of [
      {},
      { deny: [] },
      { allow: undefined, deny: undefined },
      { allow: undefined, deny: [] },
    ]) {
      expect(() => tools.restrict(agent, filter as object)).toThrow(/received a filter that hides nothing/);
    }
    tools.register(agent, makeTool('own'));
    tools.restrict(agent, { allow: [] });
    expect(names(tools.list(agent))).toEqual(['own']);
    tools.restrict(agent, { allow: [], deny: [] });
    expect(names(tools.list(agent))).toEqual(['own']);
  });

  it('R23: emptiness is reported before the reserved name, that before unknown names', () => {
    const tools = registryWith('a');
    expect(() => tools.restrict({}, { deny: ['nowhere', 'run_code'] })).toThrow(
      /"run_code": the name is reserved/,
    );
    expect(() => tools.restrict({}, { allow: ['run_code'] })).toThrow(/"run_code": the name is reserved/);
    expect(() => tools.restrict({}, { allow: ['a'], deny: ['run_code'] })).toThrow(/reserved/);
    expect(() => tools.restrict({}, { deny: ['nowhere'] })).toThrow(/unknown tool "nowhere"/);
  });

  it('R24: one error lists every unknown name once, in singular or plural, and the sorted known names', () => {
    const tools = registryWith('beta', 'alpha');
    expect(() => tools.restrict({}, { deny: ['gamma'] })).toThrow(
      new Error('Cannot restrict unknown tool "gamma": this scope inherits "alpha", "beta"'),
    );
    expect(() => tools.restrict({}, { allow: ['zeta', 'beta'], deny: ['gamma', 'zeta'] })).toThrow(
      new Error('Cannot restrict unknown tools "zeta", "gamma": this scope inherits "alpha", "beta"'),
    );
    expect(() => registryWith().restrict({}, { deny: ['gamma'] })).toThrow(
      new Error('Cannot restrict unknown tool "gamma": this scope inherits (none)'),
    );
  });

  it('R24: a name that another restriction hides is known, so that restrictions do not depend on their order', () => {
    const tools = registryWith('a', 'b');
    const parent = {};
    const child = { parent };
    tools.restrict(parent, { deny: ['a'] });
    tools.restrict(parent, { deny: ['a'] });
    tools.restrict(child, { allow: ['a', 'b'] });
    expect(names(tools.list(child))).toEqual(['b']);
  });

  it('R25, E2: a name of the scope itself is unknown, until the scope inherits one too', () => {
    const tools = registryWith('a');
    const agent = {};
    tools.register(agent, makeTool('own'));
    expect(() => tools.restrict(agent, { deny: ['own'] })).toThrow(
      new Error('Cannot restrict unknown tool "own": this scope inherits "a"'),
    );
    tools.register(undefined, makeTool('own'));
    tools.restrict(agent, { deny: ['own'] });
    expect(names(tools.list(agent))).toEqual(['a', 'own']);
  });

  it("R26, E5: changing the caller's lists afterwards changes nothing", () => {
    const tools = registryWith('a', 'b', 'c');
    const agent = {};
    const filter = { allow: ['a', 'b'], deny: ['b'] };
    tools.restrict(agent, filter);
    filter.allow.push('c');
    filter.deny.length = 0;
    expect(names(tools.list(agent))).toEqual(['a']);
  });

  it('R27: a name is visible when every restriction of the chain admits it, and each lifts on its own', () => {
    const tools = registryWith('a', 'b', 'c');
    const parent = {};
    const child = { parent };
    const liftParent = tools.restrict(parent, { deny: ['a'] });
    const liftAllow = tools.restrict(child, { allow: ['a', 'b'] });
    const liftDeny = tools.restrict(child, { deny: ['b'] });
    expect(names(tools.list(child))).toEqual([]);
    liftDeny();
    liftDeny();
    expect(names(tools.list(child))).toEqual(['b']);
    liftParent();
    expect(names(tools.list(child))).toEqual(['a', 'b']);
    liftAllow();
    expect(names(tools.list(child))).toEqual(['a', 'b', 'c']);
  });

  it("R28, E3: it hides global tools and those of every ancestor, never the scope's own", () => {
    const tools = registryWith('global');
    const far = {};
    const near = { parent: far };
    const own = { parent: near };
    tools.register(far, makeTool('far'));
    tools.register(near, makeTool('near'));
    tools.register(own, makeTool('own'));
    tools.restrict(own, { allow: [] });
    expect(names(tools.list(own))).toEqual(['own']);
    expect(names(tools.list(near))).toEqual(['global', 'far', 'near']);
  });

  it("R29: an ancestor's restriction reaches descendants, a child's never its parent", () => {
    const tools = registryWith('a', 'b');
    const parent = {};
    const child = { parent };
    const grandchild = { parent: child };
    tools.restrict(parent, { deny: ['a'] });
    tools.restrict(child, { deny: ['b'] });
    expect([parent, child, grandchild, {}].map((scope) => names(tools.list(scope)))).toEqual([
      ['b'],
      [],
      [],
      ['a', 'b'],
    ]);
  });

  it('R30: a deny list lets later names through, an allow list keeps them out', () => {
    const tools = registryWith('a');
    const denying = {};
    const allowing = {};
    tools.restrict(denying, { deny: ['a'] });
    tools.restrict(allowing, { allow: ['a'] });
    const dispose = tools.register(undefined, makeTool('later'));
    expect(names(tools.list(denying))).toEqual(['later']);
    expect(names(tools.list(allowing))).toEqual(['a']);
    dispose();
    tools.register(undefined, makeTool('a-again'));
    expect(names(tools.list(denying))).toEqual(['a-again']);
  });

  it('R31, E4: a parent that denies a name keeps its own tool of that name, its children lose it', () => {
    const tools = registryWith('x');
    const parent = {};
    const child = { parent };
    const own = makeTool('x');
    tools.register(parent, own);
    expect(tools.find('x', child)?.definition).toBe(own);
    tools.restrict(parent, { deny: ['x'] });
    expect(tools.find('x', parent)?.definition).toBe(own);
    expect(tools.find('x', child)).toBeUndefined();
    expect(tools.executable('x', child)).toBeUndefined();
  });

  it('R33: a restricted name reads as absent everywhere', async () => {
    const tools = registryWith('a', 'b');
    const agent = { id: 'agent-1' };
    tools.restrict(agent, { deny: ['a'] });
    const set = await tools.resolve({
      agent,
      modelSelection: { provider: 'p', model: 'm' },
      signal: new AbortController().signal,
    });
    for (const toolSet of [undefined, set]) {
      expect(tools.find('a', agent, toolSet)).toBeUndefined();
      expect(tools.executable('a', agent, toolSet)).toBeUndefined();
      expect(names(tools.list(agent, toolSet))).toEqual(['b']);
    }
    expect([...set.view(agent).keys()]).toEqual(['b']);
  });

  it.each([
    [{ allow: 'a' }, '"allow" wants an array of names, received "a"'],
    [{ deny: new Set(['a']) }, '"deny" wants an array of names, received an object'],
    [{ deny: ['a', 7] }, '"deny" wants names as strings, received 7'],
    [null, 'wanted { allow?, deny? }, received null'],
    [{ deny: ['a'], alow: [] }, 'Cannot use option "alow" of "restrict": wanted one of "allow", "deny"'],
  ])('R22: the malformed filter %o is a TypeError and hides nothing', (filter, message) => {
    const tools = registryWith('a');
    const agent = {};
    expect(() => tools.restrict(agent, filter as never)).toThrow(TypeError);
    expect(() => tools.restrict(agent, filter as never)).toThrow(message);
    expect(names(tools.list(agent))).toEqual(['a']);
  });

  it('R5, R27, R28, R31: what a chain of scopes sees agrees with the rules read one name at a time', () => {
    const some = fc.subarray(['a', 'b', 'c', 'd']);
    const layer = fc.record({ own: some, deny: some, allow: fc.option(some) });
    fc.assert(
      fc.property(some, fc.array(layer, { minLength: 1, maxLength: 3 }), (global, layers) => {
        const tools = registryWith(...global);
        const scopes: { parent?: object }[] = [];
        for (const _ of layers) scopes.push(scopes.length === 0 ? {} : { parent: scopes.at(-1)! });
        layers.forEach(({ own }, depth) => {
          for (const name of own) tools.register(scopes[depth], makeTool(name));
        });
        const inherited = (depth: number) =>
          new Set([...global, ...layers.slice(0, depth).flatMap(({ own }) => own)]);
        const kept = layers.map(({ allow, deny }, depth) => {
          const known = inherited(depth);
          const filter = {
            deny: deny.filter((name) => known.has(name)),
            ...(allow === null ? {} : { allow: allow.filter((name) => known.has(name)) }),
          };
          if (filter.deny.length > 0 || filter.allow !== undefined) tools.restrict(scopes[depth], filter);
          return filter;
        });
        layers.forEach((_, depth) => {
          const own = layers[depth]!.own;
          const admitted = [...inherited(depth)].filter((name) =>
            kept
              .slice(0, depth + 1)
              .every(
                ({ allow, deny }) => (allow === undefined || allow.includes(name)) && !deny.includes(name),
              ),
          );
          const expected = [...admitted, ...own.filter((name) => !admitted.includes(name))];
          expect(names(tools.list(scopes[depth]))).toEqual(expected);
        });
      }),
    );
  });
});
