import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from '../runtime/contract/approval.js';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Agent } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { optionError } from '../runtime/core/option-error.js';
import { functionOption, knownOptions, oneOf, timerMs } from '../runtime/core/options.js';
import { appendEvent } from '../runtime/executor/append-event.js';
import { attachedTo } from './attached-to.js';
import { inPolicy } from './in-policy.js';
import { noteVerdict } from './verdicts.js';

/** Answers a request, or passes it on with `undefined`. The first answer counts. */
export type ApprovalAnswerer = (
  request: ApprovalRequest,
  execution: Readonly<ToolExecution> | undefined,
) => ApprovalAnswer | undefined | Promise<ApprovalAnswer | undefined>;

/** Whether a session asks at all. `never` rejects before any answerer is reached. */
export type ApprovalPolicy = 'ask' | 'never';

/** What can be set of `approvals`. */
export interface ApprovalOptions {
  /** Asked in this order. Nobody, or nobody who answers, is `unavailable`. */
  readonly answerers?: readonly ApprovalAnswerer[];
  /** How long an answer may take, ms; past it the outcome is `unavailable`. @default no limit */
  readonly timeoutMs?: number;
  /** For sessions that record no policy of their own. @default 'ask' */
  readonly policy?: ApprovalPolicy;
}

type Decision = { readonly outcome: ApprovalOutcome; readonly note?: string };

const OUTCOMES: ReadonlySet<unknown> = new Set<ApprovalOutcome>([
  'allowed-once',
  'rejected',
  'cancelled',
  'unavailable',
  'deferred',
]);
const UNAVAILABLE: Decision = { outcome: 'unavailable' };

/**
 * Answers `ask` decisions through the host's answerers, fails closed, and leaves a trail.
 *
 * Hook: `setApproval`. Default: nobody answers, so every ask is denied. A missing, throwing or non-conforming answer is
 * `unavailable`; an aborted call is `cancelled` at once and its late answer is dropped. In the agent's session,
 * `approval/asked` and `approval/decided` are appended with one id; when that fails the request fails, so nothing runs
 * unrecorded. The last `approval/policy` event of a session (`{ policy: 'ask' | 'never' }`) outranks the option.
 *
 * What it does not do: it remembers no grant, decides nothing by itself, and records no arguments.
 *
 * @returns removes the service
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = approvals(tools, { answerers: [async ({ toolName }) => (await confirm(toolName)) ? 'allowed-once' : 'rejected'] });
 */
export function approvals(tools: ToolsService, options: ApprovalOptions = {}): Disposer {
  attachedTo('approvals', tools);
  knownOptions('approvals', options, ['answerers', 'timeoutMs', 'policy']);
  const answerers = answererList(options.answerers ?? []);
  const policy = options.policy === undefined ? 'ask' : oneOf('policy', options.policy, ['ask', 'never']);
  const timeoutMs = options.timeoutMs === undefined ? undefined : timerMs('timeoutMs', options.timeoutMs);
  return tools.setApproval({
    async request(request, execution) {
      const id = randomUUID();
      record(request.agent, 'approval/asked', {
        id,
        toolName: request.toolName,
        callId: request.callId,
        ...(request.reason === undefined ? {} : { reason: request.reason }),
      });
      const decision =
        sessionPolicy(request.agent, policy) === 'never'
          ? ({ outcome: 'rejected' } as const)
          : await settled(request, timeoutMs, () => ask(answerers, request, execution));
      record(request.agent, 'approval/decided', { id, ...decision });
      if (execution !== undefined) {
        noteVerdict(execution, { policy: 'approvals', decision: 'answer', reason: decision.outcome });
      }
      return decision;
    },
  });
}

function answererList(answerers: readonly ApprovalAnswerer[]): readonly ApprovalAnswerer[] {
  if (!Array.isArray(answerers)) throw optionError('answerers', 'an array of functions', answerers);
  return answerers.map((answerer, index) => functionOption(`answerers[${index}]`, answerer));
}

function record(agent: Agent, type: string, payload: JsonValue): void {
  const { session } = agent;
  if (session !== undefined) inPolicy('approvals', () => appendEvent(session, type, payload));
}

function sessionPolicy(agent: Agent, fallback: ApprovalPolicy): ApprovalPolicy {
  let last: unknown = fallback;
  for (const event of agent.session?.events?.('approval/policy') ?? [])
    last = (event as { policy?: unknown })?.policy;
  // A policy that cannot be read must not open the door.
  return last === 'ask' ? 'ask' : 'never';
}

async function ask(
  answerers: readonly ApprovalAnswerer[],
  request: ApprovalRequest,
  execution: Readonly<ToolExecution> | undefined,
): Promise<Decision> {
  for (const answerer of answerers) {
    const answer = await answerer(request, execution);
    if (answer !== undefined) return conforming(answer);
  }
  return UNAVAILABLE;
}

function conforming(answer: unknown): Decision {
  if (OUTCOMES.has(answer)) return { outcome: answer as ApprovalOutcome };
  const { outcome, note } = (answer ?? {}) as { outcome?: unknown; note?: unknown };
  if (!OUTCOMES.has(outcome)) return UNAVAILABLE;
  return { outcome: outcome as ApprovalOutcome, ...(typeof note === 'string' ? { note } : {}) };
}

/** The first of: an answer, the call's abort, the time limit. */
function settled(
  { signal }: ApprovalRequest,
  timeoutMs: number | undefined,
  answer: () => Promise<Decision>,
): Promise<Decision> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ outcome: 'cancelled' });
    const finish = (decision: Decision): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(decision);
    };
    const cancel = (): void => finish({ outcome: 'cancelled' });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish(UNAVAILABLE), timeoutMs);
    signal.addEventListener('abort', cancel);
    answer().then(finish, () => finish(UNAVAILABLE));
  });
}
