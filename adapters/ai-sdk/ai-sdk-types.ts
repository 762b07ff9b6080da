import type { JsonValue } from '../../runtime/core/json-value.js';

/** What an AI SDK tool gets beside its input. */
export interface AiSdkExecutionOptions {
  toolCallId: string;
  // The SDK's own message type, which only the host can name.
  messages: never[];
  abortSignal?: AbortSignal;
  experimental_context?: unknown;
}

/** What `toModelOutput` of an AI SDK tool makes. */
export interface AiSdkOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string | undefined;
}

/**
 * The part of an AI SDK tool that is read; the tools of `ai` fit.
 *
 * Methods take `never`, since each tool's functions know their own input only.
 */
export interface AiSdkTool {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly needsApproval?:
    | boolean
    | ((input: never, options: never) => boolean | PromiseLike<boolean>)
    | undefined;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly toModelOutput?: ((options: never) => AiSdkOutput | PromiseLike<AiSdkOutput>) | undefined;
}

/** The same as it is called. */
export interface CallableAiSdkTool {
  readonly needsApproval?: boolean | ((input: unknown, options: object) => boolean | PromiseLike<boolean>);
  execute(input: unknown, options: AiSdkExecutionOptions): unknown;
  readonly toModelOutput?: (options: {
    toolCallId: string;
    input: unknown;
    output: JsonValue;
  }) => AiSdkOutput | PromiseLike<AiSdkOutput>;
}
