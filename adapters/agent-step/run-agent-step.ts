import { type AgentStepOutcome, openAgentStep } from './open-agent-step.js';
import type { AgentStepOptions, StepRequest } from './step-options.js';

/** A step with the model in it. */
export interface RunAgentStepOptions<Tools, Reply, Message> extends AgentStepOptions<Tools, Reply, Message> {
  /** Sends the conversation with the step's tools and instructions, and settles with the model's reply. */
  readonly callModel: (request: StepRequest<Tools>, signal: AbortSignal | undefined) => Promise<Reply>;
}

/** What a step came to, with the model's own reply. */
export interface RunAgentStepOutcome<Reply, Message> extends AgentStepOutcome<Message> {
  readonly reply: Reply;
}

/**
 * One step of an agent: tools resolved, model asked, calls carried out, messages for the next request.
 *
 * The set is disposed when the batch has settled, and also when the model's call fails.
 *
 * @throws whatever `callModel` throws
 * @throws {ToolBatchExecutionError} when the batch's own work failed
 * @example
 * const { messages, isLast } = await runAgentStep({
 *   tools,
 *   format,
 *   model,
 *   callModel: async ({ tools }) => (await client.chat.completions.create({ model, messages, tools })).choices[0].message,
 * });
 */
export async function runAgentStep<Tools, Reply, Message>(
  options: RunAgentStepOptions<Tools, Reply, Message>,
): Promise<RunAgentStepOutcome<Reply, Message>> {
  const step = await openAgentStep(options);
  try {
    const reply = await options.callModel(step.request, options.signal);
    return { ...(await step.answer(reply)), reply };
  } finally {
    step.dispose();
  }
}
