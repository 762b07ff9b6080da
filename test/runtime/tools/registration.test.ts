import { describe, expect, it } from 'vitest';
import { JsonSchemaError } from '#dist/runtime/core/errors.js';
import { createRegistry } from '#dist/runtime/tools/registry.js';
import { makeTool } from '../../support/make-tool.ts';

const registry = () => createRegistry(() => {});
const names = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);

describe('register', () => {
  it('R1: a global tool is seen by every scope, a scoped one by that scope and its descendants only', () => {
    const tools = registry();
    const preset = {};
    const agent = { parent: preset };
    const child = { parent: agent };
    const stranger = {};
    tools.register(undefined, makeTool('everywhere'));
    tools.register(agent, makeTool('mine'));
    expect([undefined, preset, agent, child, stranger].map((scope) => names(tools.list(scope)))).toEqual([
      ['everywhere'],
      ['everywhere'],
      ['everywhere', 'mine'],
      ['everywhere', 'mine'],
      ['everywhere'],
    ]);
  });

  it('R2: outside its scope a scoped tool is looked up like a name that does not exist', () => {
    const tools = registry();
    const agent = {};
    tools.register(agent, makeTool('mine'));
    for (const scope of [undefined, {}, { parent: {} }]) {
      expect(tools.find('mine', scope)).toBeUndefined();
      expect(tools.executable('mine', scope)).toBe(tools.executable('no-such-tool', scope));
    }
  });

  it.each([
    ['global first', [undefined, 'agent']],
    ['scoped first', ['agent', undefined]],
  ] as const)(
    'R3: of a global and a scoped tool of one name the scope sees its own, once (%s)',
    (_, order) => {
      const tools = registry();
      const agent = {};
      const shared = makeTool('echo');
      const own = makeTool('echo');
      for (const where of order) {
        tools.register(where === undefined ? undefined : agent, where === undefined ? shared : own);
      }
      expect(tools.find('echo', agent)?.definition).toBe(own);
      expect(tools.find('echo', {})?.definition).toBe(shared);
      expect(tools.find('echo')?.definition).toBe(shared);
      expect(names(tools.list(agent))).toEqual(['echo']);
    },
  );

  it('R4: along a chain of scopes the nearest layer wins, and the next one when it goes', () => {
    const tools = registry();
    const far = {};
    const near = { parent: far };
    const own = { parent: near };
    const definitions = [undefined, far, near, own].map((scope) => {
      const definition = makeTool('echo');
      return { definition, dispose: tools.register(scope, definition) };
    });
    for (const { definition, dispose } of definitions.reverse()) {
      expect(tools.find('echo', own)?.definition).toBe(definition);
      dispose();
    }
    expect(tools.find('echo', own)).toBeUndefined();
  });

  it('R5: global names come first, then new names of each ancestor, then own ones; a shadow keeps its place', () => {
    const tools = registry();
    const far = {};
    const near = { parent: far };
    const own = { parent: near };
    for (const name of ['own-b', 'g1', 'own-a', 'near-1']) tools.register(own, makeTool(name));
    for (const name of ['near-1', 'far-1', 'near-2']) tools.register(near, makeTool(name));
    for (const name of ['far-1', 'g2']) tools.register(far, makeTool(name));
    for (const name of ['g2', 'g1', 'g3']) tools.register(undefined, makeTool(name));
    expect(names(tools.list(own))).toEqual(['g2', 'g1', 'g3', 'far-1', 'near-1', 'near-2', 'own-b', 'own-a']);
    expect(names(tools.list(near))).toEqual(['g2', 'g1', 'g3', 'far-1', 'near-1', 'near-2']);
    expect(tools.find('g1', own)).not.toBe(tools.find('g1'));
  });

  it('R5: an own name whose inherited twin was restricted away stands at the end', () => {
    const tools = registry();
    const agent = {};
    for (const name of ['a', 'b', 'c']) tools.register(undefined, makeTool(name));
    tools.register(agent, makeTool('a'));
    tools.register(agent, makeTool('own'));
    expect(names(tools.list(agent))).toEqual(['a', 'b', 'c', 'own']);
    const lift = tools.restrict(agent, { deny: ['a'] });
    expect(names(tools.list(agent))).toEqual(['b', 'c', 'a', 'own']);
    lift();
    expect(names(tools.list(agent))).toEqual(['a', 'b', 'c', 'own']);
  });

  it('R6: a second tool of one name in one layer throws at once, and each layer says its own way out', () => {
    const tools = registry();
    const agent = {};
    const first = makeTool('echo');
    tools.register(undefined, first);
    tools.register(agent, makeTool('echo'));
    expect(() => tools.register(undefined, makeTool('echo'))).toThrow(
      /"echo": the global layer already has one; .* scoped\(agent\)\.register/,
    );
    expect(() => tools.register(agent, makeTool('echo'))).toThrow(/"echo": this scope already has one/);
    expect(tools.find('echo')?.definition).toBe(first);
  });

  it('R7, E10: run_code is reserved, globally and in every scope', () => {
    const tools = registry();
    for (const scope of [undefined, {}]) {
      expect(() => tools.register(scope, makeTool('run_code'))).toThrow(/"run_code": the name is reserved/);
      expect(tools.list(scope)).toEqual([]);
    }
  });

  it.each([
    ['no output', { output: undefined }, '"output" wants an object'],
    ['output null', { output: null }, '"output" wants an object'],
    ['output a function', { output: () => {} }, '"output" wants an object'],
    ['output a string', { output: 'text' }, '"output" wants an object'],
    ['no render', { output: { schema: {} } }, '"output.render" wants a function, received undefined'],
    ['render an object', { output: { schema: {}, render: {} } }, '"output.render" wants a function'],
    [
      'presentationMeta null',
      { output: { schema: {}, render: () => [], presentationMeta: null } },
      '"output.presentationMeta" wants a function, received null',
    ],
    [
      'an unknown dialect',
      { output: { schema: {}, render: () => [], dialect: 'draft-04' } },
      '"output.dialect" wants one of subset, draft-07, 2020-12, received "draft-04"',
    ],
    ['no body', { execute: undefined }, '"execute" wants a function, received undefined'],
    ['finalizeContent a string', { finalizeContent: 'x' }, '"finalizeContent" wants a function'],
    ['isConcurrencySafe true', { isConcurrencySafe: true }, '"isConcurrencySafe" wants a function'],
  ])('R8: a definition with %s is a TypeError that names tool and member', (_, overrides, message) => {
    const tools = registry();
    const register = () => tools.register(undefined, makeTool('odd', overrides as object));
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
    expect(register).toThrow('Cannot register tool "odd"');
    expect(tools.list()).toEqual([]);
  });

  it.each([
    [undefined, 'wanted a definition, received undefined'],
    [null, 'wanted a definition, received null'],
    [() => {}, 'wanted a definition, received a function'],
    [makeTool(''), 'its name wants a non-empty string, received ""'],
    [makeTool(7 as never), 'its name wants a non-empty string, received 7'],
  ])('R8: %s is refused as a definition', (definition, message) => {
    const register = () => registry().register(undefined, definition as never);
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
  });

  it('R8: a definition whose optional members are absent or undefined is accepted', () => {
    const tools = registry();
    const output = { schema: {}, render: () => [], presentationMeta: undefined };
    tools.register(undefined, makeTool('bare', { output, presentCall: undefined } as object));
    expect(names(tools.list())).toEqual(['bare']);
    expect(() => tools.register(undefined, makeTool('odd', { output: undefined } as object))).toThrow(
      TypeError,
    );
  });

  it('R9: an output schema outside the subset is a JsonSchemaError, unless a dialect is named', () => {
    const tools = registry();
    const schema = { anyOf: [{ type: 'string' }, { type: 'null' }] } as object;
    const output = (dialect?: 'subset' | '2020-12' | 'draft-07') => ({
      output: { schema, render: () => [], ...(dialect === undefined ? {} : { dialect }) },
    });
    for (const overrides of [output(), output('subset')]) {
      const register = () => tools.register(undefined, makeTool('odd', overrides));
      expect(register).toThrow(JsonSchemaError);
      expect(register).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }));
    }
    expect(tools.list()).toEqual([]);
    tools.register(undefined, makeTool('new', output('2020-12')));
    tools.register(undefined, makeTool('old', output('draft-07')));
    expect(names(tools.list())).toEqual(['new', 'old']);
  });

  it('R9: a schema that no value can be checked against is refused in every dialect, and $schema names one too', () => {
    const tools = registry();
    const output = (schema: object, dialect?: 'draft-07') => ({
      output: { schema, render: () => [], ...(dialect === undefined ? {} : { dialect }) },
    });
    const dangling = { $ref: '#/$defs/gone' };
    for (const overrides of [
      output({ ...dangling, $schema: 'https://json-schema.org/draft/2020-12/schema' }),
      output(dangling, 'draft-07'),
      output({ type: 'string', pattern: '(' }, 'draft-07'),
    ]) {
      expect(() => tools.register(undefined, makeTool('odd', overrides))).toThrow(JsonSchemaError);
    }
    const declared = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: ['string', 'null'] };
    tools.register(undefined, makeTool('declared', output(declared)));
    expect(names(tools.list())).toEqual(['declared']);
  });

  it.each([0, -1, -0, Number.NaN, Number.POSITIVE_INFINITY, '5', null])(
    'R10: timeoutMs %s is a TypeError',
    (timeoutMs) => {
      const register = () => registry().register(undefined, makeTool('slow', { timeoutMs } as object));
      expect(register).toThrow(TypeError);
      expect(register).toThrow('"timeoutMs" wants positive finite milliseconds');
    },
  );

  it('R10: a positive finite timeoutMs, or none, is accepted', () => {
    const tools = registry();
    tools.register(undefined, makeTool('quick', { timeoutMs: 0.5 }));
    tools.register(undefined, makeTool('any', { timeoutMs: undefined } as object));
    expect(names(tools.list())).toEqual(['quick', 'any']);
  });

  it('R12: a definition is borrowed, not cloned', () => {
    const tools = registry();
    const definition = makeTool('echo');
    tools.register(undefined, definition);
    expect(tools.find('echo')?.definition).toBe(definition);
    expect(tools.executable('echo')?.definition).toBe(definition);
    expect(tools.list()[0]?.definition).toBe(definition);
    expect(Object.isFrozen(definition)).toBe(false);
  });

  it('R13: a disposer removes its own insertion, once, and never a later one of the same name', () => {
    const tools = registry();
    const definition = makeTool('echo');
    for (const scope of [undefined, {}]) {
      const first = tools.register(scope, definition);
      first();
      expect(tools.find('echo', scope)).toBeUndefined();
      const second = tools.register(scope, definition);
      first();
      expect(tools.find('echo', scope)?.definition).toBe(definition);
      second();
      second();
      expect(tools.list(scope)).toEqual([]);
    }
  });

  it('R15, E7: a disposer acts at once and returns nothing, so that a composite can run it in reverse order', () => {
    const tools = registry();
    const agent = {};
    tools.register(undefined, makeTool('x'));
    const seen: string[][] = [];
    const steps = [
      tools.register(agent, makeTool('a')),
      tools.restrict(agent, { deny: ['x'] }),
      tools.register(agent, makeTool('x')),
    ];
    for (const step of steps.reverse()) {
      expect(step()).toBeUndefined();
      seen.push(names(tools.list(agent)));
    }
    expect(seen).toEqual([['a'], ['x', 'a'], ['x']]);
  });

  it('E11: names of inherited properties register, resolve and go like any others', () => {
    const tools = registry();
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'];
    for (const name of odd) expect(tools.find(name)).toBeUndefined();
    const disposers = odd.map((name) => tools.register(undefined, makeTool(name)));
    expect(names(tools.list())).toEqual(odd);
    for (const name of odd) expect(tools.find(name)?.definition.name).toBe(name);
    const agent = {};
    tools.restrict(agent, { deny: ['__proto__', 'toString'] });
    expect(names(tools.list(agent))).toEqual(['constructor', 'hasOwnProperty', 'then']);
    for (const dispose of disposers) dispose();
    for (const name of odd) expect(tools.find(name)).toBeUndefined();
  });

  it('R69: any object with an optional parent is a scope, and an omitted scope is the global view', () => {
    const tools = registry();
    const preset = Object.freeze({ name: 'read-only' });
    const agent = { id: 'agent-1', parent: preset };
    tools.register(preset, makeTool('from-preset'));
    expect(names(tools.list(agent))).toEqual(['from-preset']);
    expect(tools.list()).toEqual([]);
    // An agent that changes its preset sees the new one's tools.
    const other = {};
    tools.register(other, makeTool('from-other'));
    const moving: { parent: object } = { parent: preset };
    expect(names(tools.list(moving))).toEqual(['from-preset']);
    moving.parent = other;
    expect(names(tools.list(moving))).toEqual(['from-other']);
  });

  it('R69: a circular chain of parents is refused instead of being followed for ever', () => {
    const circular: { parent?: object } = {};
    circular.parent = { parent: circular };
    expect(() => registry().list(circular)).toThrow(/chain of parents is circular/);
    expect(() => registry().list({ parent: 'preset' as never })).toThrow(
      /wanted an object identity, received "preset"/,
    );
  });
});

describe('registration options', () => {
  it('R34: what is said beside a definition is kept as a frozen copy', () => {
    const tools = registry();
    const when = () => true;
    const options = { when, maxParallel: 3, source: 'files', kind: 'read' as const, readOnly: true };
    tools.register(undefined, makeTool('read_file'), { ...options, idempotent: undefined } as object);
    const kept = tools.find('read_file')?.options;
    expect(kept).toEqual(options);
    expect(kept).not.toHaveProperty('idempotent');
    expect(Object.isFrozen(kept)).toBe(true);
  });

  it.each([
    [{ when: true }, 'Cannot use option "when": wanted a function, received true'],
    [{ maxParallel: 0 }, 'Cannot use option "maxParallel": wanted a positive integer, received 0'],
    [{ maxParallel: 1.5 }, 'wanted a positive integer, received 1.5'],
    [{ source: '' }, 'Cannot use option "source": wanted a non-empty string, received ""'],
    [{ kind: 'write' }, 'Cannot use option "kind": wanted "read", "edit"'],
    [{ readOnly: 'yes' }, 'Cannot use option "readOnly": wanted true or false, received "yes"'],
    [{ wehn: () => true }, 'Cannot use option "wehn" of "register("odd")"'],
  ])('R34: the options %o are refused, so that a slip cannot lift a condition', (options, message) => {
    const tools = registry();
    const register = () => tools.register(undefined, makeTool('odd'), options as object);
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
    expect(tools.list()).toEqual([]);
  });
});
