export { type CallProgress, type ProgressedCall, watchCalls } from './call-progress.js';
export { type AgentStep, type AgentStepOutcome, openAgentStep } from './open-agent-step.js';
export { type RunAgentStepOptions, type RunAgentStepOutcome, runAgentStep } from './run-agent-step.js';
export { type AgentTurnOutcome, type RunAgentTurnOptions, runAgentTurn } from './run-agent-turn.js';
export type { AgentStepOptions, StepRequest } from './step-options.js';
