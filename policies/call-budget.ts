import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { functionOption, knownOptions, nonNegativeInteger, positiveFinite } from '../runtime/core/options.js';

/** What can be set of `callBudget`; without any limit it throws. */
export interface CallBudgetOptions {
  /** Sub-calls of one program. */
  readonly perRun?: number;
  /** Calls of one tool within one run, by tool name. */
  readonly perTool?: Readonly<Record<string, number>>;
  /** Calls that start within any 60 seconds, over all runs. */
  readonly perMinute?: number;
  /** Total cost of one run; needs `cost`. */
  readonly maxCost?: number;
  /** Cost of one call, 0 or more. @default 1 */
  readonly cost?: (execution: Readonly<ToolExecution>) => number;
  /** The clock, ms. @default Date.now */
  readonly now?: () => number;
}

interface RunUse {
  calls: number;
  cost: number;
  readonly byTool: Map<string, number>;
}

const MINUTE_MS = 60_000;

/**
 * Limits how many calls a program makes, of which tools, how fast, and at what cost.
 *
 * Hook: a guard, so only calls that policy and approval let through are counted. Default: no limit is set; at least one must
 * be. The denial says which limit was hit and what is left of the others. A run is one root call with everything below it.
 *
 * What it does not do: a direct call of `run_code` itself is not counted, and a call that fails still counts.
 *
 * @returns removes the policy
 * @throws {TypeError} when no limit is set, or one has no meaning
 * @example
 * const dispose = callBudget(tools, { perRun: 100, perTool: { send_mail: 1 } });
 */
export function callBudget(tools: ToolsService, options: CallBudgetOptions): Disposer {
  knownOptions('callBudget', options, ['perRun', 'perTool', 'perMinute', 'maxCost', 'cost', 'now']);
  const perRun = optional(options.perRun, (value) => nonNegativeInteger('perRun', value));
  const perMinute = optional(options.perMinute, (value) => nonNegativeInteger('perMinute', value));
  const maxCost = optional(options.maxCost, (value) => positiveFinite('maxCost', value));
  const perTool = new Map(
    Object.entries(options.perTool ?? {}).map(([name, limit]) => [
      name,
      nonNegativeInteger(`perTool.${name}`, limit),
    ]),
  );
  const cost = options.cost === undefined ? () => 1 : functionOption('cost', options.cost);
  const now = options.now === undefined ? Date.now : functionOption('now', options.now);
  if (perRun === undefined && perMinute === undefined && maxCost === undefined && perTool.size === 0) {
    throw new TypeError('Cannot use options of callBudget: wanted at least one limit, received none');
  }
  const runs = new Map<string, RunUse>();
  const starts: number[] = [];

  const guard = tools.guard((execution) => {
    const { name, rootCallId, parent } = execution;
    const at = now();
    while (starts.length > 0 && (starts[0] as number) <= at - MINUTE_MS) starts.shift();
    if (perMinute !== undefined && starts.length >= perMinute) {
      return `The limit of ${perMinute} calls a minute is reached; the next may start in ${secondsUntil(starts[0] ?? at, at)} s`;
    }
    const use = runs.get(rootCallId) ?? { calls: 0, cost: 0, byTool: new Map<string, number>() };
    const isTransport =
      parent === undefined && tools.get(name, execution.agent, execution.toolSet) === undefined;
    if (isTransport) return undefined;
    const price = cost(execution);
    if (perRun !== undefined && use.calls >= perRun)
      return `The limit of ${perRun} calls of this run is reached`;
    const ofTool = use.byTool.get(name) ?? 0;
    const toolLimit = perTool.get(name);
    if (toolLimit !== undefined && ofTool >= toolLimit) {
      return `The limit of ${toolLimit} calls of "${name}" in this run is reached${left(perRun, use.calls, 'calls of other tools')}`;
    }
    if (maxCost !== undefined && use.cost + price > maxCost) {
      return `This call costs ${price}, and ${maxCost - use.cost} of the run's budget of ${maxCost} is left`;
    }
    use.calls += 1;
    use.cost += price;
    use.byTool.set(name, ofTool + 1);
    runs.set(rootCallId, use);
    if (perMinute !== undefined) starts.push(at);
    return undefined;
  });
  const forget = tools.on('tools/result', ({ callId, rootCallId, parent }) => {
    if (parent === undefined && callId === rootCallId) runs.delete(rootCallId);
  });
  return () => {
    guard();
    forget();
  };
}

function optional<T>(value: T | undefined, check: (value: T) => number): number | undefined {
  return value === undefined ? undefined : check(value);
}

function left(limit: number | undefined, used: number, what: string): string {
  return limit === undefined ? '' : `; ${limit - used} ${what} are left`;
}

function secondsUntil(oldest: number, at: number): number {
  return Math.max(1, Math.ceil((oldest + MINUTE_MS - at) / 1000));
}
