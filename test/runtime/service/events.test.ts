import { describe, expect, it } from 'vitest';
import { createEventTable } from '#dist/runtime/service/event-table.js';

const listener = (label: string) => Object.assign(async () => label as never, { label });
const labels = (listeners: readonly unknown[]) =>
  listeners.map((entry) => (entry as { label: string }).label);

describe('event table', () => {
  it('R65: listeners are listed outermost first in registration order, and a prepended one is outermost', () => {
    const events = createEventTable();
    for (const label of ['a', 'b']) events.on('tools/pre-execute', listener(label), undefined, false);
    for (const label of ['first', 'before first'])
      events.on('tools/pre-execute', listener(label), undefined, true);
    events.on('tools/pre-execute', listener('c'), undefined, false);
    expect(labels(events.listeners('tools/pre-execute', undefined))).toEqual([
      'before first',
      'first',
      'a',
      'b',
      'c',
    ]);
  });

  it('R66: a scope reaches unscoped listeners and those of its chain, never those of descendants or strangers', () => {
    const events = createEventTable();
    const parent = {};
    const child = { parent };
    const reach = [
      ['child', child],
      ['global', undefined],
      ['parent', parent],
      ['stranger', {}],
    ] as const;
    for (const [label, scope] of reach) events.on('tools/execute', listener(label), scope, false);
    const reached = (scope?: object) => labels(events.listeners('tools/execute', scope));
    expect(reached(child)).toEqual(['child', 'global', 'parent']);
    expect(reached({ parent: child })).toEqual(['child', 'global', 'parent']);
    expect(reached(parent)).toEqual(['global', 'parent']);
    expect(reached({})).toEqual(['global']);
    expect(reached()).toEqual(['global']);
  });

  it('R66: an agent that changes its parent reaches the listeners of the new one', () => {
    const events = createEventTable();
    const [first, second] = [{}, {}];
    events.on(
      'tools/result',
      Object.assign(() => {}, { label: 'first' }),
      first,
      false,
    );
    events.on(
      'tools/result',
      Object.assign(() => {}, { label: 'second' }),
      second,
      false,
    );
    const agent: { parent: object } = { parent: first };
    expect(labels(events.listeners('tools/result', agent))).toEqual(['first']);
    agent.parent = second;
    expect(labels(events.listeners('tools/result', agent))).toEqual(['second']);
  });

  it('R65, R66: a list is frozen and stays the same array until listeners of its event change', () => {
    const events = createEventTable();
    const agent = { parent: { parent: {} } };
    const none = events.listeners('tools/execute', agent);
    expect(none).toEqual([]);
    expect(events.listeners('tools/result', undefined)).toBe(none);
    expect(Object.isFrozen(none)).toBe(true);
    const dispose = events.on('tools/execute', listener('mine'), agent, false);
    const one = events.listeners('tools/execute', agent);
    expect(Object.isFrozen(one)).toBe(true);
    events.on('tools/post-execute', listener('other event'), agent, false);
    expect(events.listeners('tools/execute', agent)).toBe(one);
    expect(events.listeners('tools/execute', {})).toBe(none);
    const disposeSecond = events.on('tools/execute', listener('second'), agent, true);
    expect(labels(events.listeners('tools/execute', agent))).toEqual(['second', 'mine']);
    disposeSecond();
    const again = events.listeners('tools/execute', agent);
    expect(again).toEqual(one);
    disposeSecond();
    expect(events.listeners('tools/execute', agent)).toBe(again);
    dispose();
    expect(events.listeners('tools/execute', agent)).toBe(none);
    expect(labels(one)).toEqual(['mine']);
  });

  it('R65: one function added twice is two listeners, and each disposer takes its own, once', () => {
    const events = createEventTable();
    const twice = listener('twice');
    const first = events.on('tools/execute', twice, undefined, false);
    events.on('tools/execute', twice, undefined, false);
    first();
    first();
    expect(labels(events.listeners('tools/execute', undefined))).toEqual(['twice']);
  });

  it('E123: everyone lists the listeners of every scope', () => {
    const events = createEventTable();
    events.on(
      'tools/change',
      Object.assign(() => {}, { label: 'scoped' }),
      {},
      false,
    );
    events.on(
      'tools/change',
      Object.assign(() => {}, { label: 'global' }),
      undefined,
      true,
    );
    expect(labels(events.everyone('tools/change'))).toEqual(['global', 'scoped']);
  });

  it.each(['tools/chnage', 'toString', undefined])('R65: the event %s does not exist', (event) => {
    const events = createEventTable();
    expect(() => events.on(event as never, listener('x') as never, undefined, false)).toThrow(TypeError);
    expect(() => events.on(event as never, listener('x') as never, undefined, false)).toThrow(
      'Cannot listen: wanted one of "tools/change", "tools/pre-execute"',
    );
  });

  it('R65: only a function listens', () => {
    expect(() => createEventTable().on('tools/result', {} as never, undefined, false)).toThrow(
      'Cannot listen to "tools/result": wanted a function, received an object',
    );
  });
});
