import type { ContentBlock } from '../contract/content.js';
import type { ToolDefinition, ToolOutputDefinition } from '../contract/definition.js';
import type { ToolExecutionSuccess } from '../contract/result.js';
import { errorMessage } from '../core/error-text.js';
import { ToolOutputError } from '../core/errors.js';
import { frozenSnapshot } from '../core/json.js';
import type { JsonValue } from '../core/json-value.js';
import { violationList } from '../core/violation-list.js';
import { schemaValidator } from '../schema/schema-validator.js';
import type { Call } from './call.js';
import { containRejection, takeBlocks, takeJson } from './materialise.js';

/**
 * Makes the canonical success of a value: every success of a call, whoever supplied the value, is made here.
 *
 * @param value whatever the body, a wrapper or a policy supplied
 * @returns deep-frozen; content and meta come from the tool's own projectors
 * @throws {ToolOutputError} INVALID_TOOL_OUTPUT when the value is lossy or against the schema, or a projector throws or is lossy
 */
export function buildSuccess(call: Call, definition: ToolDefinition, value: unknown): ToolExecutionSuccess {
  const { name, arguments: args } = call.execution;
  const { output } = definition;
  const canonical = takeValue(name, value);
  const violations = schemaValidator(output.schema, output.dialect)(canonical, 'value');
  if (violations.length > 0) throw new ToolOutputError(`${invalid(name)}: ${violationList(violations)}`);
  const content = takeContent(name, output, args, canonical);
  const success: Writable<ToolExecutionSuccess> = { isError: false, value: canonical, content };
  if (output.presentationMeta !== undefined) success.meta = takeMeta(name, output, args, canonical);
  if (call.concludesTurn) success.concludesTurn = true;
  return Object.freeze(success);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function takeValue(name: string, value: unknown): JsonValue {
  let taken: JsonValue | undefined;
  try {
    taken = frozenSnapshot(value);
  } catch (cause) {
    throw new ToolOutputError(
      `${invalid(name)}: taking a snapshot of its value failed: ${errorMessage(cause)}`,
      { cause },
    );
  }
  if (taken !== undefined) return taken;
  containRejection(value);
  throw new ToolOutputError(`${invalid(name)}: its value is not lossless JSON`);
}

function takeContent(
  name: string,
  output: ToolOutputDefinition,
  args: unknown,
  value: JsonValue,
): readonly ContentBlock[] {
  try {
    return takeBlocks(output.render(args, value), `the content of "${name}"`);
  } catch (cause) {
    throw projectionFailed(name, 'render', cause);
  }
}

function takeMeta(name: string, output: ToolOutputDefinition, args: unknown, value: JsonValue): JsonValue {
  try {
    return takeJson(output.presentationMeta?.(args, value), `the meta of "${name}"`);
  } catch (cause) {
    throw projectionFailed(name, 'presentationMeta', cause);
  }
}

function projectionFailed(
  name: string,
  projector: 'render' | 'presentationMeta',
  cause: unknown,
): ToolOutputError {
  return new ToolOutputError(`${invalid(name)}: "${projector}" failed: ${errorMessage(cause)}`, { cause });
}

function invalid(name: string): string {
  return `Invalid output of "${name}"`;
}
