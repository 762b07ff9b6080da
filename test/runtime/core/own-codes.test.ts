import { expect, it } from 'vitest';
import { ownCode } from '#dist/runtime/core/own-codes.js';

it("E89, M43: only codes of the library's own table are given on", () => {
  const own = [
    'ABORTED_BEFORE_DISPATCH',
    'ABORTED',
    'UNKNOWN_TOOL',
    'INVALID_ARGS',
    'INVALID_TOOL_OUTPUT',
    'UNSUPPORTED_SCHEMA',
    'TOOL_OUTCOME_UNKNOWN',
    'CODE_RUN_FAILED',
    'TOOL_TIMEOUT',
  ];
  expect(own.map(ownCode)).toEqual(own);
  for (const foreign of ['E_RATE', 'aborted', 'constructor', '', 500, null, undefined, {}]) {
    expect(ownCode(foreign)).toBeUndefined();
  }
});
