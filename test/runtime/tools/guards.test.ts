import { describe, expect, it } from 'vitest';
import type { ToolExecution } from '#dist/runtime/contract/execution.js';
import { createGuards } from '#dist/runtime/tools/guards.js';
import { createLayers } from '#dist/runtime/tools/layers.js';

const call = (agent?: object) => ({ name: 'echo', agent }) as ToolExecution;
const table = () => createGuards(createLayers());

describe('guards', () => {
  it('R51: a global guard sees every call, a scoped one those of its scope and descendants', () => {
    const guards = table();
    const parent = { id: 'parent' };
    const child = { id: 'child', parent };
    const asked: string[] = [];
    guards.add(undefined, () => void asked.push('global'));
    guards.add(parent, () => void asked.push('parent'));
    guards.add(child, () => void asked.push('child'));
    const askedFor = (agent?: object) => {
      asked.length = 0;
      guards.check(call(agent));
      return [...asked];
    };
    expect(askedFor()).toEqual(['global']);
    expect(askedFor({ id: 'stranger' })).toEqual(['global']);
    expect(askedFor(parent)).toEqual(['global', 'parent']);
    expect(askedFor(child)).toEqual(['global', 'parent', 'child']);
  });

  it('R52: global guards come first in registration order, then layers farthest to nearest; the first string wins', () => {
    const guards = table();
    const far = {};
    const near = { parent: far };
    const own = { parent: near };
    const reasons = ['own', 'near', 'far', 'global-1', 'global-2'];
    const lift = new Map(
      reasons.map((reason) => {
        const scope = { own, near, far }[reason];
        return [reason, guards.add(scope, () => reason)] as const;
      }),
    );
    for (const expected of ['global-1', 'global-2', 'far', 'near', 'own']) {
      expect(guards.check(call(own))).toBe(expected);
      lift.get(expected)?.();
    }
    expect(guards.check(call(own))).toBeUndefined();
  });

  it('R52: an empty string is a reason, undefined abstains', () => {
    const guards = table();
    guards.add(undefined, () => undefined);
    expect(guards.check(call())).toBeUndefined();
    guards.add(undefined, () => '');
    guards.add(undefined, () => 'later');
    expect(guards.check(call())).toBe('');
  });

  it('R53, E9: one function added twice is two guards, and lifting one leaves the other', () => {
    const guards = table();
    let asked = 0;
    const count = () => {
      asked += 1;
      return undefined;
    };
    const first = guards.add(undefined, count);
    guards.add(undefined, count);
    guards.check(call());
    expect(asked).toBe(2);
    first();
    first();
    guards.check(call());
    expect(asked).toBe(3);
  });

  it('R54: a guard that a guard adds is asked in the same pass, a lifted one no more', () => {
    const guards = table();
    const agent = {};
    const asked: string[] = [];
    let liftLast = () => {};
    guards.add(undefined, () => {
      asked.push('first');
      if (asked.length > 1) return undefined;
      liftLast();
      guards.add(undefined, () => void asked.push('added'));
      guards.add(agent, () => void asked.push('added to the scope'));
      return undefined;
    });
    liftLast = guards.add(undefined, () => void asked.push('lifted'));
    guards.check(call(agent));
    expect(asked).toEqual(['first', 'added', 'added to the scope']);
  });

  it.each([
    ['the global layer', undefined],
    ['a scope', { id: 'agent-1' }],
  ])('R54, E8: once the table of %s has drained, later insertions wait for the next call', (_, scope) => {
    const guards = table();
    const asked: string[] = [];
    const lift = guards.add(scope, () => {
      asked.push('only');
      lift();
      guards.add(scope, () => {
        asked.push('next');
        return 'denied by the new one';
      });
      return undefined;
    });
    expect(guards.check(call(scope))).toBeUndefined();
    expect(asked).toEqual(['only']);
    expect(guards.check(call(scope))).toBe('denied by the new one');
    expect(asked).toEqual(['only', 'next']);
  });

  it('R55: what a guard throws goes to whoever asked, and no further guard is asked', () => {
    const guards = table();
    const boom = new Error('guard is broken');
    const asked: string[] = [];
    guards.add(undefined, () => {
      throw boom;
    });
    guards.add(undefined, () => void asked.push('second'));
    expect(() => guards.check(call())).toThrow(boom);
    expect(asked).toEqual([]);
  });

  it.each([
    ['null', null, 'received null'],
    ['false', false, 'received false'],
    ['a promise', Promise.resolve('denied'), 'received an object'],
    ['an object', { kind: 'allow' }, 'received an object'],
  ])('R52, R55: a guard that returns %s has not decided, so the call fails', (_, answer, message) => {
    const guards = table();
    guards.add(undefined, () => answer as never);
    expect(() => guards.check(call())).toThrow(TypeError);
    expect(() => guards.check(call())).toThrow(message);
  });

  it("R55: an asynchronous guard fails the call, and its own rejection is nobody's", () => {
    const guards = table();
    const late = Promise.reject(new Error('late'));
    guards.add(undefined, (() => late) as never);
    expect(() => guards.check(call())).toThrow('a guard wants to return a reason or undefined at once');
  });

  it('R51: only a function can be a guard', () => {
    expect(() => table().add(undefined, 'no' as never)).toThrow(
      'Cannot add a guard: wanted a function, received "no"',
    );
  });
});
