import type { ContentBlock, UserMessage } from '../contract/content.js';
import type { ToolErrorInfo, ToolFailure } from '../contract/result.js';
import { frozenSnapshot } from '../core/json.js';
import type { JsonValue } from '../core/json-value.js';
import { received } from '../core/option-error.js';

/**
 * Takes a frozen snapshot of what a callback or a listener handed over.
 *
 * @param what names it in the error
 * @throws {TypeError} when it is not lossless JSON
 * @throws whatever one of its getters throws
 */
export function takeJson(value: unknown, what: string): JsonValue {
  const taken = frozenSnapshot(value);
  if (taken !== undefined) return taken;
  containRejection(value);
  throw new TypeError(`Cannot take ${what}: wanted lossless JSON, received ${received(value)}`);
}

/**
 * Takes content: an array of blocks, each with a `type`.
 *
 * @throws {TypeError} when it is anything else, or not lossless JSON
 * @throws whatever one of its getters throws
 */
export function takeBlocks(value: unknown, what: string): readonly ContentBlock[] {
  const taken = takeJson(value, what);
  if (!Array.isArray(taken)) {
    throw new TypeError(
      `Cannot take ${what}: wanted an array of content blocks, received ${received(taken)}`,
    );
  }
  for (const block of taken as readonly unknown[]) {
    if (!isBlock(block)) {
      throw new TypeError(
        `Cannot take ${what}: wanted content blocks with a "type", received ${received(block)}`,
      );
    }
  }
  return taken as readonly ContentBlock[];
}

/**
 * Takes a list of contexts; `undefined` is an empty one.
 *
 * @throws {TypeError} when it is anything else, or not lossless JSON
 * @throws whatever one of its getters throws
 */
export function takeContexts(value: unknown, what: string): readonly UserMessage[] {
  if (value === undefined) return [];
  const taken = takeJson(value, what);
  if (!Array.isArray(taken)) {
    throw new TypeError(`Cannot take ${what}: wanted an array of messages, received ${received(taken)}`);
  }
  for (const message of taken as readonly unknown[]) assertMessage(message, what);
  return taken as readonly UserMessage[];
}

/**
 * Takes one context.
 *
 * @throws {TypeError} when it is no user message, or not lossless JSON
 * @throws whatever one of its getters throws
 */
export function takeContext(value: unknown, what: string): UserMessage {
  const taken = takeJson(value, what);
  assertMessage(taken, what);
  return taken;
}

/**
 * Takes the durable identity of a failure; `undefined` stays absent.
 *
 * @throws {TypeError} when it has no name or no code, or is not lossless JSON
 * @throws whatever one of its getters throws
 */
export function takeErrorInfo(value: unknown, what: string): ToolErrorInfo | undefined {
  if (value === undefined) return undefined;
  const taken = takeJson(value, what);
  const { name, code, reason = '' } = fieldsOf(taken);
  if (typeof name === 'string' && typeof code === 'string' && typeof reason === 'string') {
    return taken as unknown as ToolErrorInfo;
  }
  throw new TypeError(
    `Cannot take ${what}: wanted the strings "name" and "code", received ${received(taken)}`,
  );
}

/**
 * Takes why a call failed.
 *
 * @throws {TypeError} when it has no message, or is not lossless JSON
 * @throws whatever one of its getters throws
 */
export function takeFailure(value: unknown, what: string): ToolFailure {
  const { message, info: rawInfo } = fieldsOf(takeJson(value, what));
  if (typeof message !== 'string') {
    throw new TypeError(`Cannot take ${what}: wanted a string "message", received ${received(message)}`);
  }
  const info = takeErrorInfo(rawInfo, what);
  return Object.freeze(info === undefined ? { message } : { message, info });
}

/** Keeps a promise that nobody waits for from ending the process when it rejects. */
export function containRejection(value: unknown): void {
  // The executor also contains a thenable whose `then` throws.
  new Promise((resolve) => resolve(value)).then(undefined, ignore);
}

function isBlock(block: unknown): block is ContentBlock {
  const { type, text } = fieldsOf(block);
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string');
}

function assertMessage(value: unknown, what: string): asserts value is UserMessage {
  const { role, content } = fieldsOf(value);
  if (role === 'user' && Array.isArray(content) && content.every(isBlock)) return;
  throw new TypeError(
    `Cannot take ${what}: wanted user messages with content blocks, received ${received(value)}`,
  );
}

function fieldsOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {};
}

function ignore(): void {}
