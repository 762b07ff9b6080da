import { describe, expect, it } from 'vitest';
import { createGuards } from '#dist/runtime/tools/guards.js';
import { createLayers } from '#dist/runtime/tools/layers.js';
import { createRegistry } from '#dist/runtime/tools/registry.js';
import { makeTool } from '../../support/make-tool.ts';

describe('layers', () => {
  it('R14: a scope has a layer only while something is in it', () => {
    const layers = createLayers();
    const guards = createGuards(layers);
    const agent = {};
    expect(layers.peek(agent)).toBeUndefined();
    const first = guards.add(agent, () => undefined);
    const second = guards.add(agent, () => undefined);
    const layer = layers.peek(agent);
    expect(layer?.guards.size).toBe(2);
    first();
    expect(layers.peek(agent)).toBe(layer);
    second();
    expect(layers.peek(agent)).toBeUndefined();
    second();
    layers.ensure(agent).tools.set('a', {} as never);
    layers.release(agent);
    expect(layers.peek(agent)?.tools.size).toBe(1);
    layers.peek(agent)?.tools.clear();
    layers.ensure(agent).restrictions.add({ admits: () => true });
    layers.release(agent);
    expect(layers.peek(agent)?.restrictions.size).toBe(1);
  });

  it('R14: removing the last tool, restriction or guard of a scope leaves no layer behind, nor does a refused one', () => {
    const layers = createLayers();
    let isBroken = false;
    const registry = createRegistry((undo) => {
      if (!isBroken) return;
      undo?.();
      throw new Error('listener is broken');
    }, layers);
    const agent = {};
    registry.register(undefined, makeTool('a'));
    const steps = [
      () => registry.register(agent, makeTool('b')),
      () => registry.restrict(agent, { deny: ['a'] }),
      () => registry.guard(agent, () => undefined),
    ];
    for (const step of steps) {
      const dispose = step();
      expect(layers.peek(agent)).toBeDefined();
      dispose();
      expect(layers.peek(agent)).toBeUndefined();
    }
    isBroken = true;
    for (const step of steps.slice(0, 2)) {
      expect(step).toThrow('listener is broken');
      expect(layers.peek(agent)).toBeUndefined();
    }
    expect(() => registry.restrict(agent, { deny: ['none'] })).toThrow('unknown tool');
    expect(() => registry.register(agent, makeTool('run_code'))).toThrow('reserved');
    registry.list(agent);
    registry.checkGuards({ agent } as never);
    expect(layers.peek(agent)).toBeUndefined();
  });

  it('R14: the global layer stays, empty or not', () => {
    const layers = createLayers();
    layers.release(undefined);
    expect(layers.peek(undefined)).toBe(layers.global);
    expect(layers.ensure(undefined)).toBe(layers.global);
  });
});
