import { describe, expect, it } from 'vitest';
import type { CodeBindingNamespace } from '#dist/runtime/contract/code-runtime.js';
import { bindingTable } from '#dist/runtime/sandbox/bindings.js';

const space = (global: string, extra: Partial<CodeBindingNamespace> = {}): CodeBindingNamespace => ({
  global,
  functions: { f: () => null },
  ...extra,
});

const withClass = (global: string, name: string, memberNameProperty = 'toolName') =>
  space(global, { errorClass: { name, memberNameProperty } });

describe('bindings', () => {
  it('M7: a global is a plain identifier without a dollar sign', () => {
    for (const global of ['', '1a', 'a-b', 'a.b', '$', 'a$', 'é', 'a b', 'a\n', 5]) {
      expect(() => bindingTable([space(global as string)]), String(global)).toThrow(TypeError);
    }
    expect(bindingTable([space('_Tools1')]).wire[0]!.global).toBe('_Tools1');
  });

  it('M7: reserved words and reserved globals name nothing, strict ones included', () => {
    const reserved = [
      'class',
      'await',
      'yield',
      'let',
      'static',
      'eval',
      'arguments',
      'implements',
      'null',
      'true',
    ];
    for (const name of [...reserved, 'console', 'setTimeout', 'globalThis', 'undefined']) {
      expect(() => bindingTable([space(name)]), name).toThrow('a name that is not reserved');
      expect(() => bindingTable([withClass('tools', name)]), name).toThrow('a name that is not reserved');
    }
  });

  it('M7, M9, E128: globals and error classes share one set of names', () => {
    expect(() => bindingTable([space('a'), space('a')])).toThrow('no other global or error class');
    expect(() => bindingTable([withClass('a', 'E'), withClass('b', 'E')])).toThrow('no other global');
    expect(() => bindingTable([withClass('a', 'b'), space('b')])).toThrow('no other global');
    expect(() => bindingTable([withClass('a', 'a')])).toThrow('no other global');
    expect(bindingTable([space('ToolCallError')]).wire[0]!.global).toBe('ToolCallError');
  });

  it('M8: the property that names the member is none that errors have', () => {
    const bad = [
      '',
      'name',
      'message',
      'stack',
      'args',
      'with_traceback',
      'add_note',
      '__x__',
      '____',
      '__proto__',
    ];
    for (const property of bad) {
      expect(() => bindingTable([withClass('a', 'E', property)]), property).toThrow(
        'memberNameProperty of "E"',
      );
    }
    expect(bindingTable([withClass('a', 'E', '__x')]).wire[0]!.errorClass).toEqual({
      name: 'E',
      memberNameProperty: '__x',
    });
  });

  it('M10, E109: members are any own names, and inherited ones do not exist', () => {
    const functions = Object.create({ inherited: () => null });
    for (const name of ['__proto__', 'constructor', 'then', 'my-mcp.tool', '', 'hasOwnProperty']) {
      Object.defineProperty(functions, name, { value: () => name, enumerable: true });
    }
    const { wire, members } = bindingTable([{ global: 'tools', functions }]);
    expect(wire[0]!.members).toEqual([
      '__proto__',
      'constructor',
      'then',
      'my-mcp.tool',
      '',
      'hasOwnProperty',
    ]);
    expect(members[0]!.map(({ name }) => name)).toEqual(wire[0]!.members);
  });

  it('M1: each part of a declaration is read once, and later changes do not matter', () => {
    let reads = 0;
    const functions = {
      get f() {
        reads += 1;
        return () => null;
      },
    };
    bindingTable([{ global: 'tools', functions }]);
    expect(reads).toBe(1);
  });

  it('M2: whatever is no declaration is refused, whichever part it is', () => {
    const wrong: unknown[] = [
      null,
      {},
      [null],
      [{ global: 'a' }],
      [{ global: 'a', functions: { f: 1 } }],
      [space('a', { argumentStyle: 'tuple' as 'list' })],
      [space('a', { errorClass: null as never })],
      [space('a', { forwards: { call: 'b' } })],
      [space('a', { forwards: { call: 'a' } })],
      [space('a', { forwards: { f: 'b' } }), space('b')],
    ];
    for (const bindings of wrong) {
      expect(() => bindingTable(bindings as CodeBindingNamespace[]), JSON.stringify(bindings)).toThrow(
        TypeError,
      );
    }
  });

  it('M1: forwards name the other namespace by its index', () => {
    const { wire } = bindingTable([
      space('sdk', { argumentStyle: 'list', forwards: { call: 'tools' } }),
      space('tools'),
    ]);
    expect(wire).toEqual([
      { global: 'sdk', members: ['f'], argumentStyle: 'list', forwards: [['call', 1]] },
      { global: 'tools', members: ['f'], argumentStyle: 'object', forwards: [] },
    ]);
  });
});
