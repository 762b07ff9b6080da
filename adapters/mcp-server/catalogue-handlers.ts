import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { errorMessage } from '../../runtime/core/error-text.js';

type Entries = Promise<readonly unknown[]>;

/** What a service passes on beside tools. */
export interface ServedCatalogue {
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
  resources(signal: AbortSignal): Entries;
  resourceTemplates(signal: AbortSignal): Entries;
  /** Settles with the result of `resources/read`. */
  readResource(uri: string, signal: AbortSignal): Promise<unknown>;
  prompts(signal: AbortSignal): Entries;
  /** Settles with the result of `prompts/get`. */
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>;
}

/**
 * Lets a server answer for the catalogue.
 *
 * @example
 * if (catalogue !== undefined) serveCatalogue(server, catalogue);
 */
export function serveCatalogue(server: Server, catalogue: ServedCatalogue): void {
  if (catalogue.hasResources) {
    server.setRequestHandler('resources/list', async (_, { mcpReq }) => ({
      resources: (await catalogue.resources(mcpReq.signal)) as never[],
    }));
    server.setRequestHandler('resources/templates/list', async (_, { mcpReq }) => ({
      resourceTemplates: (await catalogue.resourceTemplates(mcpReq.signal)) as never[],
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq }) =>
      given(`Cannot read the resource "${uri}"`, catalogue.readResource(uri, mcpReq.signal)),
    );
  }
  if (catalogue.hasPrompts) {
    server.setRequestHandler('prompts/list', async (_, { mcpReq }) => ({
      prompts: (await catalogue.prompts(mcpReq.signal)) as never[],
    }));
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, { mcpReq }) =>
      given(`Cannot get the prompt "${name}"`, catalogue.getPrompt(name, args, mcpReq.signal)),
    );
  }
}

async function given(what: string, result: Promise<unknown>): Promise<never> {
  try {
    return (await result) as never;
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${what}: ${errorMessage(error)}`);
  }
}
