import { positiveInteger } from '../../runtime/core/options.js';
import { type RunAgentStepOutcome, runAgentStep } from './run-agent-step.js';
import type { AgentStepOptions, StepRequest } from './step-options.js';

/** A turn: a conversation, and how to ask the model. */
export interface RunAgentTurnOptions<Tools, Reply, Message> extends AgentStepOptions<Tools, Reply, Message> {
  /** The conversation so far; not changed. */
  readonly messages: readonly Message[];
  /** Sends the conversation, of which it is given a copy, with the step's tools and instructions; settles with the model's reply. */
  readonly callModel: (
    request: StepRequest<Tools> & { readonly messages: Message[] },
    signal: AbortSignal | undefined,
  ) => Promise<Reply>;
  /** Most replies that are asked for; a positive integer. @default 50 */
  readonly maxSteps?: number | undefined;
  /** Told of each step once it is over. */
  readonly onStep?: ((outcome: RunAgentStepOutcome<Reply, Message>, step: number) => void) | undefined;
}

/** How a turn ended. */
export interface AgentTurnOutcome<Reply, Message> {
  /** The whole conversation. */
  readonly messages: readonly Message[];
  /** The last reply. */
  readonly reply: Reply;
  readonly steps: number;
  /** `done`: the model called nothing more. `concluded`: a call ended the turn. `max-steps`: it would have gone on. */
  readonly end: 'done' | 'concluded' | 'max-steps' | 'aborted';
}

/**
 * Asks the model until it calls nothing more, a call concludes the turn, the signal aborts, or `maxSteps` is reached.
 *
 * With `log`, the first step is recorded under its number and the others under those that follow.
 *
 * @throws {TypeError} when `maxSteps` is no positive integer
 * @throws whatever {@link runAgentStep} throws
 * @example
 * const { reply } = await runAgentTurn({ tools, format, model, messages, callModel });
 */
export async function runAgentTurn<Tools, Reply, Message>(
  options: RunAgentTurnOptions<Tools, Reply, Message>,
): Promise<AgentTurnOutcome<Reply, Message>> {
  const maxSteps = positiveInteger('maxSteps', options.maxSteps ?? 50);
  const { callModel, log, signal, onStep } = options;
  const messages = [...options.messages];
  for (let step = 1; ; step += 1) {
    const outcome = await runAgentStep({
      ...options,
      ...(log === undefined ? {} : { log: { turn: log.turn, step: log.step + step - 1 } }),
      callModel: (request, stepSignal) => callModel({ ...request, messages: [...messages] }, stepSignal),
    });
    messages.push(...outcome.messages);
    onStep?.(outcome, step);
    const ended = { messages, reply: outcome.reply, steps: step };
    if (outcome.concluded) return { ...ended, end: 'concluded' };
    if (outcome.isLast) return { ...ended, end: 'done' };
    if (signal?.aborted) return { ...ended, end: 'aborted' };
    if (step === maxSteps) return { ...ended, end: 'max-steps' };
  }
}
