import { describe, expect, it } from 'vitest';
import { createGuards } from '#dist/runtime/tools/guards.js';
import { createLayers } from '#dist/runtime/tools/layers.js';

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

  it('R14: the global layer stays, empty or not', () => {
    const layers = createLayers();
    layers.release(undefined);
    expect(layers.peek(undefined)).toBe(layers.global);
    expect(layers.ensure(undefined)).toBe(layers.global);
  });
});
