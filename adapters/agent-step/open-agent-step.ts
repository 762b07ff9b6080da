import type { ToolCallResult } from '../../runtime/contract/batch.js';
import type { ResolvedToolSet } from '../../runtime/contract/scope.js';
import { toolNames } from '../model-format/tool-names.js';
import { watchCalls } from './call-progress.js';
import type { AgentStepOptions, StepRequest } from './step-options.js';

/** What a step came to. */
export interface AgentStepOutcome<Message> {
  /** The reply, the results, and after all of them the contexts: what the next request's conversation gets. */
  readonly messages: readonly Message[];
  /** The same without the reply, for a host that keeps replies itself. */
  readonly answers: readonly Message[];
  /** One per call, in the model's order. */
  readonly results: readonly ToolCallResult[];
  /** A call asked to end the turn. */
  readonly concluded: boolean;
  /** The turn is over: nothing was called, or it was concluded. */
  readonly isLast: boolean;
}

/** One proposed step: a request to send, and a reply to answer. */
export interface AgentStep<Tools, Reply, Message> {
  readonly request: StepRequest<Tools>;
  /** The tools of this step. */
  readonly toolSet: ResolvedToolSet;
  /**
   * Carries out the reply's calls as one batch and closes the step, whatever comes of it.
   *
   * @throws {Error} when the step is closed
   * @throws {ToolBatchExecutionError} when the batch's own work failed
   */
  answer(reply: Reply): Promise<AgentStepOutcome<Message>>;
  /** Closes a step whose reply never came. Twice is harmless. */
  dispose(): void;
}

/**
 * Opens one step: resolves the tools for the model once, and uses that set for the request, the reply's calls and the calls
 * of programs.
 *
 * The caller answers the step or disposes it.
 *
 * @throws {Error} when no executor is selected
 * @example
 * const step = await openAgentStep({ tools, format: openaiChat(), model });
 * const { messages } = await step.answer(recordedReply);
 */
export async function openAgentStep<Tools, Reply, Message>(
  options: AgentStepOptions<Tools, Reply, Message>,
): Promise<AgentStep<Tools, Reply, Message>> {
  const { tools, format, model, agent, log, maxParallelToolCalls, onProgress } = options;
  const signal = options.signal ?? new AbortController().signal;
  const toolSet = await tools.resolve({ agent, modelSelection: model, signal });
  let state: 'open' | 'answering' | 'closed' = 'open';
  let stopWatching = (): void => {};
  const close = (): void => {
    state = 'closed';
    stopWatching();
    toolSet.dispose();
  };

  try {
    const { schemas, sections } = tools.describe(agent, toolSet);
    const names = toolNames(
      schemas.map(({ name }) => name),
      format.names,
    );
    const instructions = (sections ?? []).map(({ text }) => text).join('\n\n');
    const request: StepRequest<Tools> = {
      tools: format.tools(schemas.map((schema) => ({ ...schema, name: names.outward(schema.name) }))),
      ...(instructions === '' ? {} : { instructions }),
    };

    const answer = async (reply: Reply): Promise<AgentStepOutcome<Message>> => {
      if (state !== 'open') throw new Error('Cannot answer a step: it was answered or disposed before');
      state = 'answering';
      try {
        const calls = format.calls(reply);
        const echo = format.echo(reply);
        if (calls.length === 0) {
          return { messages: echo, answers: [], results: [], concluded: false, isLast: true };
        }
        if (onProgress !== undefined) stopWatching = watchCalls(tools, toolSet, onProgress);
        const { results, additionalContexts, concluded } = await tools.execute({
          calls: calls.map((call) => ({ ...call, name: names.inward(call.name) })),
          signal,
          agent,
          toolSet,
          log,
          maxParallelToolCalls,
        });
        const answered = calls.map(({ callId, name }, index) => ({
          callId,
          name,
          result: results[index]!.result,
        }));
        const answers = format.answers(answered, additionalContexts);
        return { messages: [...echo, ...answers], answers, results, concluded, isLast: concluded };
      } finally {
        close();
      }
    };
    return {
      request,
      toolSet,
      answer,
      dispose() {
        // A batch that runs needs the set until it has settled; the answer closes it.
        if (state === 'open') close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
