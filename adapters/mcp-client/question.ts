import {
  type Client,
  type ClientCapabilities,
  type ClientContext,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../../runtime/core/error-text.js';
import type { OpenCalls } from './open-calls.js';
import type { McpServerConfig } from './server-config.js';

/** Something that a server asks of whoever calls its tools. */
export interface McpQuestion {
  readonly server: string;
  /** As the server sent them, without secrets of its configuration. */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * The calls that may be meant, in the order in which they began: a server over standard streams does not say for which one
   * it asks.
   */
  readonly callIds: readonly string[];
  /** Aborts when the server takes the question back. */
  readonly signal: AbortSignal;
}

/** What a person said; `content` holds what was filled in. */
export interface McpElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Who answers servers. A server is only told that somebody can be asked where the function is given. */
export interface McpAnswerers {
  /** Asks a person to fill in a form (`elicitation/create`). What it throws becomes the server's error. */
  readonly elicit?: (question: McpQuestion) => Promise<McpElicitResult>;
  /**
   * Asks a model (`sampling/createMessage`); settles with what the protocol wants as its result. Only servers whose
   * configuration says `"sampling": true` may ask. What it throws becomes the server's error.
   */
  readonly sample?: (question: McpQuestion) => Promise<unknown>;
}

/**
 * What a client declares so that a server knows what it may ask.
 *
 * @example
 * new Client(info, { capabilities: askable(server, hooks) });
 */
export function askable(server: McpServerConfig, { elicit, sample }: McpAnswerers): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {} } }),
    ...(sample === undefined || !server.sampling ? {} : { sampling: {} }),
  };
}

/**
 * Lets a client answer what its server asks. To be called before it connects.
 *
 * @param hide - takes secrets out of anything
 * @example
 * takeQuestions(client, server, hooks, calls, hide);
 */
export function takeQuestions(
  client: Client,
  server: McpServerConfig,
  { elicit, sample }: McpAnswerers,
  calls: OpenCalls,
  hide: (data: unknown) => unknown,
): void {
  const question = (params: object, { mcpReq }: ClientContext): McpQuestion => ({
    server: server.name,
    params: hide(params) as McpQuestion['params'],
    callIds: calls.meant(),
    signal: mcpReq.signal,
  });
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }, context) =>
      answered(elicit(question(params, context))),
    );
  }
  if (sample !== undefined && server.sampling) {
    client.setRequestHandler('sampling/createMessage', ({ params }, context) =>
      answered(sample(question(params, context))),
    );
  }
}

async function answered(answer: Promise<unknown>): Promise<never> {
  try {
    return (await answer) as never;
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, errorMessage(error));
  }
}
