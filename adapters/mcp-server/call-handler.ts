import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Agent } from '../../runtime/contract/scope.js';
import type { ToolsService } from '../../runtime/contract/service.js';
import { type Asker, connectedAsker, roundsAsker } from './asker.js';
import { CallBodies } from './call-bodies.js';
import { CallChannel } from './call-channel.js';
import { OpenCall } from './open-call.js';
import { ACCEPT_OR_DECLINE, outcomeOf, questionText } from './question.js';
import { type CallListener, type ServedCall, serveCall } from './served-call.js';

/** One `tools/call`, as its handler is given it. */
export interface CallRequest {
  readonly name: string;
  readonly arguments?: unknown;
}

/** How approvals are asked for. */
export interface CallHandlerOptions {
  readonly asksClients: boolean;
  /** Longest wait for an answer, ms. */
  readonly approvalTimeoutMs: number;
  /** Told of each question of a source that nobody was asked. */
  readonly warn: (message: string) => void;
}

/** Serves the calls of all clients of one service. */
export class CallHandler {
  readonly #tools: ToolsService;
  readonly #asksClients: boolean;
  readonly #approvalTimeoutMs: number;
  readonly #running = new Set<ServedCall>();
  readonly #answers = new Set<Promise<unknown>>();
  /** Calls between two requests, by an id that cannot be guessed. */
  readonly #parked = new Map<string, { readonly call: OpenCall; readonly timer: NodeJS.Timeout }>();
  readonly #logs = new WeakMap<Agent, (line: string) => void>();
  readonly bodies: CallBodies;

  constructor(tools: ToolsService, options: CallHandlerOptions) {
    this.#tools = tools;
    this.#asksClients = options.asksClients;
    this.#approvalTimeoutMs = options.approvalTimeoutMs;
    this.bodies = new CallBodies(options.warn);
  }

  /** Passes the log of a program on to whoever called it. */
  logged(agent: Agent | undefined, lines: readonly string[]): void {
    const log = agent && this.#logs.get(agent);
    for (const line of lines) log?.(line);
  }

  /** @throws {ProtocolError} when there is no such tool, or no such call to go on with */
  async handle(
    server: Server,
    request: CallRequest,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const answer = this.#answer(server, request, context);
    this.#answers.add(answer);
    try {
      return await answer;
    } finally {
      this.#answers.delete(answer);
    }
  }

  async #answer(server: Server, request: CallRequest, context: ServerContext) {
    const state = context.mcpReq.requestState<string>();
    if (state !== undefined) return this.#resume(state, context);
    const { envelope } = context.mcpReq;
    const stated = (envelope as Readonly<Record<string, unknown>> | undefined)?.[
      CLIENT_CAPABILITIES_META_KEY
    ];
    const capabilities = (stated as ClientCapabilities | undefined) ?? server.getClientCapabilities();
    return envelope === undefined
      ? this.#serveConnected(server, request, context, capabilities)
      : this.#serveInRounds(server, request, context, capabilities);
  }

  /** Ends every call. Settles when they have come to rest and their answers are on the way. */
  async abortAll(reason: unknown): Promise<void> {
    const calls = [...this.#running];
    for (const call of calls) call.abort(reason);
    for (const { timer } of this.#parked.values()) clearTimeout(timer);
    this.#parked.clear();
    await Promise.allSettled([...calls.map(({ result }) => result), ...this.#answers]);
    // What has been handed over is written in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The client is there while the call runs: it is asked at once. */
  async #serveConnected(
    server: Server,
    request: CallRequest,
    context: ServerContext,
    capabilities: ClientCapabilities | undefined,
  ): Promise<CallToolResult> {
    const channel = new CallChannel();
    channel.attach(context);
    const asker = connectedAsker(context, capabilities, this.#approvalTimeoutMs);
    const call = this.#start(server, request, channel, asker);
    const result = await following(context.mcpReq.signal, call, () => call.result);
    await channel.sent();
    return result;
  }

  /** The client learns what is asked from the end of its request, and asks again with the answers. */
  #serveInRounds(
    server: Server,
    request: CallRequest,
    context: ServerContext,
    capabilities: ClientCapabilities | undefined,
  ) {
    const open = new OpenCall(randomUUID());
    open.channel.attach(context);
    open.start(this.#start(server, request, open.channel, roundsAsker(open, capabilities)));
    return this.#round(open, context);
  }

  #resume(state: string, context: ServerContext) {
    const parked = this.#parked.get(state);
    if (parked === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown request state: the call is over');
    }
    clearTimeout(parked.timer);
    this.#parked.delete(state);
    parked.call.channel.attach(context);
    parked.call.answer(context.mcpReq.inputResponses ?? {});
    return this.#round(parked.call, context);
  }

  async #round(open: OpenCall, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const outcome = await following(context.mcpReq.signal, open, () => open.next());
    await open.channel.sent();
    open.channel.detach();
    if (!('requestState' in outcome)) return outcome as CallToolResult;
    const late = new Error(`Nobody answered within ${this.#approvalTimeoutMs} ms`);
    const timer = setTimeout(() => {
      this.#parked.delete(open.id);
      open.abort(late);
    }, this.#approvalTimeoutMs);
    this.#parked.set(open.id, { call: open, timer });
    return outcome as InputRequiredResult;
  }

  #start(client: object, request: CallRequest, channel: CallChannel, asker: Asker): ServedCall {
    const agent: Agent = { id: `mcp-${randomUUID()}` };
    const listener: CallListener = {
      progress: (message) => channel.progress(message),
      log: (line) => channel.log(line),
      started: (exec, label) => this.bodies.started(exec.callId, { exec, channel, label, client, asker }),
      ended: (callId) => this.bodies.ended(callId),
      ...this.#approver(asker),
    };
    this.#logs.set(agent, listener.log);
    const call = serveCall(this.#tools, agent, request.name, request.arguments, listener);
    this.#running.add(call);
    const over = (): unknown => this.#running.delete(call);
    call.result.then(over, over);
    return call;
  }

  #approver({ elicit }: Asker): Pick<CallListener, 'ask'> {
    if (!this.#asksClients || elicit === undefined) return {};
    return {
      ask: async (approval, execution) => {
        const { toolName, signal } = approval;
        const message = questionText(approval, execution, this.#tools.registration(toolName));
        const form = { message, requestedSchema: ACCEPT_OR_DECLINE };
        const answer = await elicit(form, signal).catch(() => undefined);
        return signal.aborted ? 'cancelled' : outcomeOf(answer);
      },
    };
  }
}

/** Ends a call when its request is cancelled, as long as the request waits. */
async function following<T>(
  signal: AbortSignal,
  call: { abort(reason: unknown): void },
  wait: () => Promise<T>,
): Promise<T> {
  const abort = (): void => call.abort(new Error('The client cancelled the call'));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await wait();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
