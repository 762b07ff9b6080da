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
import type { ApprovalAnswer, ApprovalRequest } from '../../runtime/contract/approval.js';
import type { ToolExecution } from '../../runtime/contract/execution.js';
import type { Agent } from '../../runtime/contract/scope.js';
import type { ToolsService } from '../../runtime/contract/service.js';
import { CallChannel, type Progress } from './call-channel.js';
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
}

/** Serves the calls of all clients of one service. */
export class CallHandler {
  readonly #tools: ToolsService;
  readonly #asksClients: boolean;
  readonly #approvalTimeoutMs: number;
  readonly #running = new Set<ServedCall>();
  /** Calls between two requests, by an id that cannot be guessed. */
  readonly #parked = new Map<string, { readonly call: OpenCall; readonly timer: NodeJS.Timeout }>();
  readonly #logs = new WeakMap<Agent, (line: string) => void>();
  /** Calls whose tools run, by the id that a source of tools is told. */
  readonly #bodies = new Map<string, { readonly channel: CallChannel; readonly label: string }>();

  constructor(tools: ToolsService, options: CallHandlerOptions) {
    this.#tools = tools;
    this.#asksClients = options.asksClients;
    this.#approvalTimeoutMs = options.approvalTimeoutMs;
  }

  /** Passes the log of a program on to whoever called it. */
  logged(agent: Agent | undefined, lines: readonly string[]): void {
    const log = agent && this.#logs.get(agent);
    for (const line of lines) log?.(line);
  }

  /** Passes what a source of tools reports of a call on to whoever made it. */
  reported(callId: string, { progress, total, message }: Progress): void {
    const body = this.#bodies.get(callId);
    if (body === undefined) return;
    if (body.label === '') {
      body.channel.forward({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
      return;
    }
    // The calls of one program count on their own, so their steps are told in words.
    const share = total === undefined ? `${progress}` : `${progress}/${total}`;
    body.channel.progress(`.. ${body.label} ${share}${message === undefined ? '' : ` ${message}`}`);
  }

  /** @throws {ProtocolError} when there is no such tool, or no such call to go on with */
  async handle(
    server: Server,
    request: CallRequest,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const state = context.mcpReq.requestState<string>();
    if (state !== undefined) return this.#resume(state, context);
    const { envelope } = context.mcpReq;
    const stated = (envelope as Readonly<Record<string, unknown>> | undefined)?.[
      CLIENT_CAPABILITIES_META_KEY
    ];
    const canAsk =
      this.#asksClients &&
      asksByForm((stated as ClientCapabilities | undefined) ?? server.getClientCapabilities());
    return envelope === undefined
      ? this.#serveConnected(request, context, canAsk)
      : this.#serveInRounds(request, context, canAsk);
  }

  /** Ends every call. Settles when they have come to rest and their answers are on the way. */
  async abortAll(reason: unknown): Promise<void> {
    const calls = [...this.#running];
    for (const call of calls) call.abort(reason);
    for (const { timer } of this.#parked.values()) clearTimeout(timer);
    this.#parked.clear();
    await Promise.allSettled(calls.map(({ result }) => result));
  }

  /** The client is there while the call runs: it is asked at once. */
  async #serveConnected(
    request: CallRequest,
    context: ServerContext,
    canAsk: boolean,
  ): Promise<CallToolResult> {
    const channel = new CallChannel();
    channel.attach(context);
    const ask = async (
      approval: ApprovalRequest,
      execution?: Readonly<ToolExecution>,
    ): Promise<ApprovalAnswer> => {
      const message = this.#question(approval, execution);
      const params = { message, requestedSchema: ACCEPT_OR_DECLINE };
      const answer = await context.mcpReq
        .elicitInput(params, { signal: approval.signal, timeout: this.#approvalTimeoutMs })
        .catch(() => undefined);
      return approval.signal.aborted ? 'cancelled' : outcomeOf(answer);
    };
    const call = this.#start(request, channel, canAsk ? ask : undefined);
    return following(context.mcpReq.signal, call, () => call.result);
  }

  /** The client learns what is asked from the end of its request, and asks again with the answers. */
  #serveInRounds(request: CallRequest, context: ServerContext, canAsk: boolean) {
    const open = new OpenCall(randomUUID());
    const ask = (approval: ApprovalRequest, execution?: Readonly<ToolExecution>): Promise<ApprovalAnswer> =>
      open.ask(this.#question(approval, execution), approval.signal);
    open.channel.attach(context);
    open.start(this.#start(request, open.channel, canAsk ? ask : undefined));
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

  #start(request: CallRequest, channel: CallChannel, ask: CallListener['ask']): ServedCall {
    const agent: Agent = { id: `mcp-${randomUUID()}` };
    const listener: CallListener = {
      progress: (message) => channel.progress(message),
      log: (line) => channel.log(line),
      started: (callId, label) => this.#bodies.set(callId, { channel, label }),
      ended: (callId) => this.#bodies.delete(callId),
      ...(ask === undefined ? {} : { ask }),
    };
    this.#logs.set(agent, listener.log);
    const call = serveCall(this.#tools, agent, request.name, request.arguments, listener);
    this.#running.add(call);
    const over = (): unknown => this.#running.delete(call);
    call.result.then(over, over);
    return call;
  }

  #question(request: ApprovalRequest, execution: Readonly<ToolExecution> | undefined): string {
    return questionText(request, execution, this.#tools.registration(request.toolName));
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

function asksByForm(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined;
  // A client that names no mode means forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
