import { describe, expect, it } from 'vitest';
import type {
  ToolDispatchExecution,
  ToolExecution,
  ToolRunContext,
} from '#dist/runtime/contract/execution.js';
import type { ToolExecutionFailure, ToolExecutionSuccess } from '#dist/runtime/contract/result.js';

/** Never called: what the compiler accepts is the claim. */
function misuse(
  exec: ToolExecution,
  around: ToolDispatchExecution,
  body: ToolRunContext,
  success: ToolExecutionSuccess,
  failure: ToolExecutionFailure,
) {
  around.signal = new AbortController().signal;
  // @ts-expect-error the signal of a policy's view is readonly
  exec.signal = around.signal;
  // @ts-expect-error the signal of the body's view is readonly
  body.signal = around.signal;
  // @ts-expect-error a wrapper may replace the signal, never remove it
  delete around.signal;
  // @ts-expect-error nor set it to nothing
  around.signal = undefined;
  // @ts-expect-error a wrapper replaces nothing but the signal
  around.arguments = {};
  // @ts-expect-error only a body defers contexts
  exec.deferContext;
  // @ts-expect-error a failure has no value
  failure.value satisfies string;
  // @ts-expect-error a success has no error
  success.error satisfies object;
}

describe('the views of a call', () => {
  it('P29, P73, I9: only a wrapper’s view lets the signal be assigned, and none lets it be removed', () => {
    expect(misuse).toBeTypeOf('function');
  });
});
