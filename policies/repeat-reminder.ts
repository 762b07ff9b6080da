import { createHash } from 'node:crypto';
import type { UserMessage } from '../runtime/contract/content.js';
import type { PostToolDecision } from '../runtime/contract/decisions.js';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { Agent } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { optionError } from '../runtime/core/option-error.js';
import { knownOptions, nonEmptyString, positiveInteger } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { canonicalJson } from './canonical-json.js';
import { wildcard } from './wildcard.js';

/** What can be set of `repeatReminder`. */
export interface RepeatReminderOptions {
  /** How many equal calls in a row bring a reminder: integers from 2, each once. @default [3, 5, 8] */
  readonly thresholds?: readonly number[];
  /** Names of the tools that count; `*` stands for any text. @default [], which means all */
  readonly include?: readonly string[];
  /** Names of tools that neither count nor end a row. @default [] */
  readonly exclude?: readonly string[];
  /** Characters of arguments that a reminder shows. @default 500 */
  readonly argumentsPreviewChars?: number;
}

/** The policy's disposer, which also wants to hear of messages. */
export interface RepeatReminder extends Disposer {
  /** Ends the agent's row when one of the messages of its next step is the user's. */
  messages(agent: Agent, messages: readonly Pick<UserMessage, 'source'>[]): void;
}

interface Row {
  readonly key: string;
  readonly count: number;
}

/** Longer keys are kept as their digest: arguments may be large. */
const MAX_KEY = 512;

/**
 * Reminds a model that it makes the same call again and again.
 *
 * Hook: one `tools/post-execute` listener, so denied calls count too. Default: the third, fifth and eighth equal call in a
 * row bring a message, of all tools. Calls are equal when tool and arguments are, whatever the order of keys. Each agent has
 * a row of its own; a message of the user ends it.
 *
 * What it does not do: it vetoes nothing and edits no content, keeps nothing across processes, and ignores calls without an
 * agent.
 *
 * @returns removes the policy; hand its `messages` the messages of each step
 * @throws {TypeError} when an option has no meaning
 * @example
 * const reminder = repeatReminder(tools, { exclude: ['wait_*'] });
 * reminder.messages(agent, newMessages);
 */
export function repeatReminder(tools: ToolsService, options: RepeatReminderOptions = {}): RepeatReminder {
  attachedTo('repeatReminder', tools);
  knownOptions('repeatReminder', options, ['thresholds', 'include', 'exclude', 'argumentsPreviewChars']);
  const thresholds = thresholdsOf(options.thresholds ?? [3, 5, 8]);
  const include = patterns('include', options.include ?? []);
  const exclude = patterns('exclude', options.exclude ?? []);
  const chars = positiveInteger('argumentsPreviewChars', options.argumentsPreviewChars ?? 500);
  const isTracked = (name: string): boolean =>
    (include.length === 0 || include.some((test) => test(name))) && !exclude.some((test) => test(name));
  const rows = new WeakMap<Agent, Row>();

  const count = (exec: ToolExecution): UserMessage | undefined => {
    const { agent, name } = exec;
    if (agent === undefined || !isTracked(name)) return undefined;
    const args = canonicalJson(exec.arguments as JsonValue | undefined);
    const key = keyOf(`${JSON.stringify(name)}${args}`);
    const row = rows.get(agent);
    const times = row?.key === key ? row.count + 1 : 1;
    rows.set(agent, { key, count: times });
    if (!thresholds.includes(times)) return undefined;
    return reminder(times === thresholds[0] ? short(name) : detailed(name, times, preview(args, chars)));
  };
  const dispose = tools.on('tools/post-execute', async (exec, _, next) => {
    const message = count(exec);
    const decision = await next();
    if (message === undefined) return decision;
    const contexts = [message, ...(decision.additionalContexts ?? [])];
    return { ...decision, additionalContexts: contexts } as PostToolDecision;
  });
  return Object.assign(() => dispose(), {
    messages(agent: Agent, messages: readonly Pick<UserMessage, 'source'>[]): void {
      if (messages.some(({ source }) => source.kind === 'user')) rows.delete(agent);
    },
  });
}

function thresholdsOf(thresholds: readonly number[]): readonly number[] {
  const wanted = 'integers of at least 2, each once, and at least one';
  if (!Array.isArray(thresholds) || thresholds.length === 0)
    throw optionError('thresholds', wanted, thresholds);
  for (const [index, value] of thresholds.entries()) {
    const isFine = Number.isSafeInteger(value) && value >= 2 && thresholds.indexOf(value) === index;
    if (!isFine) throw optionError('thresholds', wanted, value);
  }
  return [...thresholds].sort((a, b) => a - b);
}

function patterns(option: string, names: readonly string[]): readonly ((name: string) => boolean)[] {
  if (!Array.isArray(names)) throw optionError(option, 'an array of names', names);
  return names.map((name, index) => wildcard(nonEmptyString(`${option}[${index}]`, name)));
}

function keyOf(text: string): string {
  return text.length <= MAX_KEY ? text : createHash('sha256').update(text).digest('base64');
}

function short(name: string): string {
  return `You have just made the same call of "${name}" again. If its result does not help, try something else.`;
}

function detailed(name: string, times: number, args: string): string {
  return `You have called "${name}" ${times} times in a row with the same arguments: ${args}\nIts result will hardly change. Use what you have, change the arguments, or say what is in the way.`;
}

function preview(args: string, chars: number): string {
  return args.length <= chars ? args : `${args.slice(0, chars)}…`;
}

function reminder(text: string): UserMessage {
  return {
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'plugin', plugin: 'repeat-reminder' },
  };
}
