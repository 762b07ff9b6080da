import type { Agent, ModelSelection } from '../../runtime/contract/scope.js';
import type { ToolsService } from '../../runtime/contract/service.js';
import type { ModelFormat } from '../model-format/format.js';
import type { CallProgress } from './call-progress.js';

/** What a step is taken with. */
export interface AgentStepOptions<Tools, Reply, Message> {
  readonly tools: ToolsService;
  readonly format: ModelFormat<Tools, Reply, Message>;
  /** The model that the step is proposed for; conditional registrations are asked with it. */
  readonly model: ModelSelection;
  readonly agent?: Agent | undefined;
  /** Gives the step up: calls that run are drained, the rest is recorded as aborted. @default never */
  readonly signal?: AbortSignal | undefined;
  /** Records the calls in the agent's session; requires `agent`. */
  readonly log?: { readonly turn: number; readonly step: number } | undefined;
  /** Overlap cap of the step's direct calls; a positive integer. @default the executor's */
  readonly maxParallelToolCalls?: number | undefined;
  /** Told of this step's calls as they run, those of programs included; what it throws is reported and changes nothing. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** What goes into the request for a step beside the conversation. */
export interface StepRequest<Tools> {
  /** In the format of the API. */
  readonly tools: Tools;
  /** The prompt sections, for the system prompt; absent when there are none. */
  readonly instructions?: string;
}
