import { violationList } from './violation-list.js';

/**
 * What every coded error may be given besides its message.
 *
 * @example
 * new ToolOutputError('render failed', { cause: error });
 */
export interface PtcErrorOptions {
  readonly cause?: unknown;
}

/**
 * Base of every error that carries a code of the library's table.
 *
 * Only an error of this class keeps its `{name, code}` on a failed result; `name` is the name of the subclass.
 *
 * @example
 * class QuotaError extends PtcError {
 *   constructor(message: string) {
 *     super('QUOTA_EXCEEDED', message);
 *   }
 * }
 */
export class PtcError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: PtcErrorOptions) {
    super(message, options !== undefined && 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    // Not enumerable, like the name of a built-in error.
    Object.defineProperty(this, 'name', {
      value: new.target.name,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
}

/**
 * The two ways in which the caller's abort ends a call: before the body was invoked, or after.
 *
 * @example
 * const code: AbortCode = 'ABORTED_BEFORE_DISPATCH';
 */
export type AbortCode = 'ABORTED_BEFORE_DISPATCH' | 'ABORTED';

/**
 * The caller gave the call up.
 *
 * @example
 * new AbortError('ABORTED', 'The call was aborted').code // 'ABORTED'
 */
export class AbortError extends PtcError {
  declare readonly code: AbortCode;

  constructor(code: AbortCode, message: string, options?: PtcErrorOptions) {
    super(code, message, options);
  }
}

/**
 * No tool of this name can be called here (`UNKNOWN_TOOL`).
 *
 * @example
 * throw new ToolNotFoundError('Cannot call "serach": wanted a visible tool');
 */
export class ToolNotFoundError extends PtcError {
  declare readonly code: 'UNKNOWN_TOOL';

  constructor(message: string, options?: PtcErrorOptions) {
    super('UNKNOWN_TOOL', message, options);
  }
}

/**
 * The arguments of a call do not match the tool's parameters (`INVALID_ARGS`).
 *
 * @example
 * new ToolArgsError(['path: wanted a string, received 1']).message
 */
export class ToolArgsError extends PtcError {
  declare readonly code: 'INVALID_ARGS';
  /** One line per mismatch, each with its path. */
  readonly violations: readonly string[];

  constructor(violations: readonly string[], options?: PtcErrorOptions) {
    super('INVALID_ARGS', `Invalid arguments: ${violationList(violations)}`, options);
    this.violations = violations;
  }
}

/**
 * A tool's value, or what was rendered from it, breaks the tool's output contract (`INVALID_TOOL_OUTPUT`).
 *
 * @example
 * throw new ToolOutputError('value: wanted a string, received 1');
 */
export class ToolOutputError extends PtcError {
  declare readonly code: 'INVALID_TOOL_OUTPUT';

  constructor(message: string, options?: PtcErrorOptions) {
    super('INVALID_TOOL_OUTPUT', message, options);
  }
}

/**
 * A schema uses what its dialect does not have, or has no meaning at all (`UNSUPPORTED_SCHEMA`).
 *
 * @example
 * new JsonSchemaError(['schema.type: must be one type']).violations.length // 1
 */
export class JsonSchemaError extends PtcError {
  declare readonly code: 'UNSUPPORTED_SCHEMA';
  /** One line per mistake, each with its path. */
  readonly violations: readonly string[];

  constructor(violations: readonly string[], options?: PtcErrorOptions) {
    super('UNSUPPORTED_SCHEMA', `Unsupported schema: ${violations.join('; ')}`, options);
    this.violations = violations;
  }
}

/**
 * Nobody can say whether the call took effect (`TOOL_OUTCOME_UNKNOWN`).
 *
 * @example
 * throw new ToolOutcomeUnknownError('The call had not settled when the program ended');
 */
export class ToolOutcomeUnknownError extends PtcError {
  declare readonly code: 'TOOL_OUTCOME_UNKNOWN';

  constructor(message: string, options?: PtcErrorOptions) {
    super('TOOL_OUTCOME_UNKNOWN', message, options);
  }
}

/**
 * A program ended with a failure (`CODE_RUN_FAILED`).
 *
 * @example
 * throw new CodeRunFailedError('line 3: total is not defined');
 */
export class CodeRunFailedError extends PtcError {
  declare readonly code: 'CODE_RUN_FAILED';

  constructor(message: string, options?: PtcErrorOptions) {
    super('CODE_RUN_FAILED', message, options);
  }
}

/**
 * The timeout policy's own deadline fired (`TOOL_TIMEOUT`).
 *
 * @example
 * controller.abort(new ToolTimeoutError('no answer within 5000 ms'));
 */
export class ToolTimeoutError extends PtcError {
  declare readonly code: 'TOOL_TIMEOUT';

  constructor(message: string, options?: PtcErrorOptions) {
    super('TOOL_TIMEOUT', message, options);
  }
}
