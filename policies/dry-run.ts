import type { ContentBlock } from '../runtime/contract/content.js';
import type { PostToolDecision } from '../runtime/contract/decisions.js';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { ToolExecutionFailure } from '../runtime/contract/result.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { functionOption, knownOptions, positiveInteger } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { canonicalJson } from './canonical-json.js';
import { inPolicy } from './in-policy.js';
import { isTransport } from './is-transport.js';
import { placeholder } from './placeholder.js';
import { runTable } from './run-table.js';
import { noteVerdict } from './verdicts.js';

/** A call that was not made. */
export type SkippedCall = Pick<ToolExecution, 'callId' | 'name' | 'arguments' | 'position'>;

/** What can be set of `dryRun`. */
export interface DryRunOptions {
  /** Calls that the outer result lists; the rest is counted. @default 50 */
  readonly maxListed?: number;
  /** Told of each call that is not made. */
  readonly onSkip?: (call: SkippedCall) => void;
}

const POLICY = 'dryRun';
const MARK = '[dry run]';
const ARGUMENT_CHARS = 200;

/**
 * Lets only reading tools run, and shows what the others would have done.
 *
 * Hooks: a `tools/execute` wrapper, and a `tools/post-execute` listener that marks content. Default: a tool that is not
 * registered as read-only does not run; it answers with a made-up value that fits its output schema, a text of which is
 * `[dry run]` and an object of which has `dryRun: true` where the schema leaves room. The result of a program lists the calls
 * that were not made. A tool for whose schema no value is found fails instead.
 *
 * What it does not do: it does not guess what the program would have done with a real answer, and it trusts what
 * registrations declare. Register it before other `tools/execute` policies: what is outside it still acts.
 *
 * @returns removes the policy
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = dryRun(tools);
 */
export function dryRun(tools: ToolsService, options: DryRunOptions = {}): Disposer {
  attachedTo('dryRun', tools);
  knownOptions(POLICY, options, ['maxListed', 'onSkip']);
  const maxListed = positiveInteger('maxListed', options.maxListed ?? 50);
  const onSkip = functionOption('onSkip', options.onSkip ?? (() => {}));
  const skipped = runTable<SkippedCall[]>(tools, () => []);

  const wrapper = tools.on('tools/execute', async (exec, next) => {
    const definition = tools.executable(exec.name, exec.agent, exec.toolSet);
    if (isTransport(exec) || definition === undefined) return next();
    if (tools.registration(exec.name, exec.agent)?.readOnly === true) return next();
    const { callId, name, arguments: args, position } = exec;
    const call: SkippedCall = {
      callId,
      name,
      arguments: args,
      ...(position === undefined ? {} : { position }),
    };
    inPolicy(POLICY, () => onSkip(call));
    skipped.of(exec).push(call);
    noteVerdict(exec, { policy: POLICY, decision: 'replace', reason: 'not made' });
    const { schema, dialect } = definition.output;
    const value = inPolicy(POLICY, () => placeholder(schema, dialect, MARK));
    return value === undefined ? unanswerable(name) : { isError: false, value, content: [] };
  });
  const marks = tools.on('tools/post-execute', async (exec, result, next) => {
    const decision = await next();
    const calls = skipped.peek(exec) ?? [];
    const isSkipped = calls.some(({ callId }) => callId === exec.callId);
    const lines = isTransport(exec) ? listing(calls, maxListed) : isSkipped ? [`${MARK} ${line(exec)}`] : [];
    if (lines.length === 0) return decision;
    return marked(decision, result.content, { type: 'text', text: lines.join('\n') });
  });
  return () => {
    wrapper();
    marks();
    skipped.dispose();
  };
}

function marked(
  decision: PostToolDecision,
  content: readonly ContentBlock[],
  mark: ContentBlock,
): PostToolDecision {
  if (decision.kind === 'block') return { ...decision, feedback: [...decision.feedback, mark] };
  if (!Object.hasOwn(decision, 'value')) {
    return { ...decision, content: [...(decision.content ?? content), mark] } as PostToolDecision;
  }
  // A replaced value is rendered later, so the mark has to follow it.
  const context = { role: 'user', content: [mark], source: { kind: 'plugin', plugin: 'dry-run' } } as const;
  return {
    ...decision,
    additionalContexts: [...(decision.additionalContexts ?? []), context],
  } as PostToolDecision;
}

function listing(calls: readonly SkippedCall[], max: number): readonly string[] {
  if (calls.length === 0) return [];
  const more = calls.length > max ? [`  … and ${calls.length - max} more`] : [];
  return [
    `${MARK} calls that were not made (${calls.length}):`,
    ...calls.slice(0, max).map((call) => `  ${line(call)}`),
    ...more,
  ];
}

function line({ name, arguments: args, position }: SkippedCall): string {
  const text = canonicalJson(args as JsonValue | undefined);
  const brief = text.length <= ARGUMENT_CHARS ? text : `${text.slice(0, ARGUMENT_CHARS)}…`;
  return `${name}(${brief})${position === undefined ? '' : ` (line ${position.line})`}`;
}

function unanswerable(name: string): ToolExecutionFailure {
  const message = `Dry run: the call of "${name}" was not made, and no made-up answer fits its output schema`;
  return { isError: true, error: { message }, content: [{ type: 'text', text: `Error: ${message}` }] };
}
