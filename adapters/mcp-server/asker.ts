import {
  type ClientCapabilities,
  type CreateMessageRequest,
  type ElicitRequestFormParams,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { OpenCall } from './open-call.js';

/** A form that a person is asked to fill in. */
export type Form = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;
/** What a model is asked. */
export type Sampling = CreateMessageRequest['params'];

/**
 * Puts questions to the client of one call. A method is absent where the client has not said that it can be asked that.
 *
 * Each settles with what the client sent, which nobody has looked at yet, or with nothing when the signal ended the wait.
 */
export interface Asker {
  readonly elicit?: (form: Form, signal: AbortSignal) => Promise<unknown>;
  readonly sample?: (params: Sampling, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Asks a client that is there while its call runs.
 *
 * @param timeoutMs - longest wait for an answer, ms
 * @example
 * const asker = connectedAsker(context, server.getClientCapabilities(), 600_000);
 */
export function connectedAsker(
  { mcpReq }: ServerContext,
  capabilities: ClientCapabilities | undefined,
  timeoutMs: number,
): Asker {
  return offered(capabilities, {
    elicit: (form, signal) => mcpReq.elicitInput(form, { signal, timeout: timeoutMs }),
    sample: (params, signal) => mcpReq.requestSampling(params, { signal, timeout: timeoutMs }),
  });
}

/**
 * Asks a client that learns from the end of its request what is asked, and sends the answers with the next one.
 *
 * @example
 * const asker = roundsAsker(open, capabilities);
 */
export function roundsAsker(open: OpenCall, capabilities: ClientCapabilities | undefined): Asker {
  return offered(capabilities, {
    elicit: async (form, signal) => open.ask(inputRequired.elicit(form), signal),
    sample: async (params, signal) => open.ask(inputRequired.createMessage(params), signal),
  });
}

function offered(capabilities: ClientCapabilities | undefined, { elicit, sample }: Required<Asker>): Asker {
  const forms = capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined;
  // A client that names no mode means forms.
  const takesForms = forms !== undefined && (forms.form !== undefined || forms.url === undefined);
  return {
    ...(takesForms ? { elicit } : {}),
    ...(capabilities?.sampling === undefined ? {} : { sample }),
  };
}
