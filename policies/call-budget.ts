import type { ToolExecution, ToolExecutionToken } from '../runtime/contract/execution.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { optionError } from '../runtime/core/option-error.js';
import { functionOption, knownOptions, nonNegativeInteger, positiveFinite } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { inPolicy } from './in-policy.js';
import { isTransport } from './is-transport.js';
import { runTable } from './run-table.js';
import { noteVerdict } from './verdicts.js';

/** What can be set of `callBudget`; without any limit it throws. */
export interface CallBudgetOptions {
  /** Calls of one run: a root call with everything below it. */
  readonly perRun?: number;
  /** Calls of one tool within one run, by tool name. */
  readonly perTool?: Readonly<Record<string, number>>;
  /** Calls that start within any 60 seconds, over all runs. */
  readonly perMinute?: number;
  /** Total cost of one run. */
  readonly maxCost?: number;
  /** Cost of one call, 0 or more. @default 1 */
  readonly cost?: (execution: Readonly<ToolExecution>) => number;
  /** The clock, ms. @default Date.now */
  readonly now?: () => number;
}

interface Use {
  calls: number;
  cost: number;
  readonly byTool: Map<string, number>;
  /** A guard may be asked twice about one call. */
  readonly counted: Set<ToolExecutionToken>;
}

const MINUTE_MS = 60_000;
const POLICY = 'callBudget';

/**
 * Limits how many calls a program makes, of which tools, how fast, and at what cost.
 *
 * Hook: a guard, so only calls that policy and approval let through are counted, each once. Default: no limit is set; at
 * least one must be. The denial says which limit was hit and what is left of the others.
 *
 * What it does not do: the call that carries a program is not counted, and a call that fails still counts.
 *
 * @returns removes the policy
 * @throws {TypeError} when no limit is set, or one has no meaning
 * @example
 * const dispose = callBudget(tools, { perRun: 100, perTool: { send_mail: 1 } });
 */
export function callBudget(tools: ToolsService, options: CallBudgetOptions): Disposer {
  attachedTo('callBudget', tools);
  knownOptions(POLICY, options, ['perRun', 'perTool', 'perMinute', 'maxCost', 'cost', 'now']);
  const perRun = optional(options.perRun, (value) => nonNegativeInteger('perRun', value));
  const perMinute = optional(options.perMinute, (value) => nonNegativeInteger('perMinute', value));
  const maxCost = optional(options.maxCost, (value) => positiveFinite('maxCost', value));
  const perTool = limitsByTool(options.perTool ?? {});
  const cost = functionOption('cost', options.cost ?? (() => 1));
  const now = functionOption('now', options.now ?? Date.now);
  if (perRun === undefined && perMinute === undefined && maxCost === undefined && perTool.size === 0) {
    throw new TypeError(`Cannot use options of "${POLICY}": wanted at least one limit, received none`);
  }
  const uses = runTable<Use>(tools, () => ({ calls: 0, cost: 0, byTool: new Map(), counted: new Set() }));
  let starts: number[] = [];

  const judge = (execution: Readonly<ToolExecution>): string | undefined => {
    const { name } = execution;
    const use = uses.of(execution);
    const ofTool = use.byTool.get(name) ?? 0;
    const toolLimit = perTool.get(name);
    const at = now();
    starts = starts.filter((start) => start > at - MINUTE_MS);
    const price = cost(execution);
    if (typeof price !== 'number' || !(price >= 0))
      throw optionError('cost', 'a number of at least 0', price);
    const left = (): string => {
      const parts = [
        ...(perRun === undefined ? [] : [`${perRun - use.calls} of ${perRun} calls of this run`]),
        ...(toolLimit === undefined ? [] : [`${toolLimit - ofTool} of ${toolLimit} calls of "${name}"`]),
        ...(maxCost === undefined ? [] : [`${maxCost - use.cost} of a cost of ${maxCost}`]),
        ...(perMinute === undefined ? [] : [`${perMinute - starts.length} of ${perMinute} calls a minute`]),
      ];
      return `left: ${parts.join(', ')}`;
    };
    if (perRun !== undefined && use.calls >= perRun) {
      return `The limit of ${perRun} calls of this run is reached; ${left()}`;
    }
    if (toolLimit !== undefined && ofTool >= toolLimit) {
      return `The limit of ${toolLimit} calls of "${name}" in this run is reached; ${left()}`;
    }
    if (maxCost !== undefined && use.cost + price > maxCost) {
      return `The call of "${name}" costs ${price}, more than this run has left; ${left()}`;
    }
    if (perMinute !== undefined && starts.length >= perMinute) {
      const seconds = Math.max(1, Math.ceil(((starts[0] ?? at) + MINUTE_MS - at) / 1000));
      return `The limit of ${perMinute} calls a minute is reached, the next may start in ${seconds} s; ${left()}`;
    }
    use.calls += 1;
    use.cost += price;
    use.byTool.set(name, ofTool + 1);
    if (perMinute !== undefined) starts.push(at);
    use.counted.add(execution.token);
    return undefined;
  };
  const guard = tools.guard((execution) => {
    if (isTransport(execution) || uses.peek(execution)?.counted.has(execution.token)) return undefined;
    const reason = inPolicy(POLICY, () => judge(execution));
    if (reason !== undefined) noteVerdict(execution, { policy: POLICY, decision: 'deny', reason });
    return reason;
  });
  return () => {
    guard();
    uses.dispose();
  };
}

function optional<T>(value: T | undefined, check: (value: T) => number): number | undefined {
  return value === undefined ? undefined : check(value);
}

function limitsByTool(perTool: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  if (typeof perTool !== 'object' || perTool === null) throw optionError('perTool', 'an object', perTool);
  return new Map(
    Object.entries(perTool).map(([name, limit]) => [name, nonNegativeInteger(`perTool.${name}`, limit)]),
  );
}
