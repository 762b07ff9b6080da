import { describe, expect, it } from 'vitest';
import { createApprovers } from '#dist/runtime/service/approvers.js';

const approver = () => ({ request: () => 'rejected' as const });

describe('approvers', () => {
  it('P22: without any approver nobody is selected', () => {
    expect(createApprovers().select({})).toBeUndefined();
    expect(createApprovers().select(undefined)).toBeUndefined();
  });

  it('R69: the nearest scope that has an approver answers, else the deployment', () => {
    const [standard, near, own] = [approver(), approver(), approver()];
    const approvers = createApprovers(standard);
    const parent = {};
    const child = { parent };
    approvers.set(parent, near);
    const dispose = approvers.set(child, own);
    expect(approvers.select(undefined)).toBe(standard);
    expect(approvers.select({})).toBe(standard);
    expect(approvers.select(parent)).toBe(near);
    expect(approvers.select({ parent: child })).toBe(own);
    dispose();
    dispose();
    expect(approvers.select(child)).toBe(near);
  });

  it('R13: the latest approver of a scope answers, and each disposer takes its own', () => {
    const [standard, first, second] = [approver(), approver(), approver()];
    const approvers = createApprovers(standard);
    for (const scope of [undefined, {}]) {
      const disposeFirst = approvers.set(scope, first);
      const disposeSecond = approvers.set(scope, second);
      expect(approvers.select(scope)).toBe(second);
      disposeFirst();
      disposeFirst();
      expect(approvers.select(scope)).toBe(second);
      disposeSecond();
      expect(approvers.select(scope)).toBe(standard);
    }
  });

  it.each([undefined, null, {}, { request: 'yes' }])('P22: %o cannot answer', (value) => {
    expect(() => createApprovers().set(undefined, value as never)).toThrow(
      'Cannot set an approver: "request" wants a function',
    );
  });
});
