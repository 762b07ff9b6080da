import type { PostToolDecision } from '../runtime/contract/decisions.js';
import type { ToolExecution, ToolExecutionToken } from '../runtime/contract/execution.js';
import type { Agent } from '../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { optionError } from '../runtime/core/option-error.js';
import { knownOptions, nonEmptyString, oneOf } from '../runtime/core/options.js';
import { attachedTo } from './attached-to.js';
import { cleanContexts, cleanError, cleanFailure, closed } from './redact/clean.js';
import { collectSecrets } from './redact/collect-secrets.js';
import { Handles } from './redact/handles.js';
import { type Hiding, hideInContent, hideInText, hideInValue } from './redact/hide.js';
import { SecretBook } from './redact/secret-book.js';
import { secretKinds } from './redact/secret-kinds.js';

/** What can be set of `redact`; without a pattern or a field it throws. */
export interface RedactOptions {
  /** Of values, matched within string leaves. @default [] */
  readonly patterns?: readonly RegExp[];
  /** Names of fields whose values are secret; letter case is ignored, `*` stands for any text. @default [] */
  readonly fields?: readonly string[];
  /** `presentation`: programs get the values. `confidential`: programs get stand-ins. @default 'presentation' */
  readonly mode?: 'presentation' | 'confidential';
  /** Tools whose bodies may turn stand-ins back into values, by `reveal`. @default [] */
  readonly unwrap?: readonly string[];
}

/** The policy's disposer, and what a trusted tool needs. */
export interface Redaction extends Disposer {
  /**
   * Puts the values back in place of their stand-ins, for the running body of a tool that the host has named.
   *
   * @throws {Error} for any other tool, and for a call that does not run
   */
  reveal<T extends JsonValue>(exec: Pick<ToolExecution, 'name' | 'token'>, value: T): T;
}

const MARK = '[redacted]';

/**
 * Keeps secrets out of what a model reads and of what is logged of results.
 *
 * Hooks, all outermost: `tools/execute` (learns the secrets of each value, cleans error messages), `tools/post-execute` (content,
 * feedback, contexts of listeners), `tools/pre-execute` (reasons of denials), `tools/ptc-dispatch-log`. Default: programs still
 * get the values. In the confidential mode a sub-call's value has a stand-in for each secret, which only the tools in
 * `unwrap` can turn back. JSON is changed leaf by leaf, also where it stands among other text, so it stays JSON: a secret that
 * spans its quotes or braces takes the leaves that it touches along, as a whole. A value that another policy has replaced
 * cannot keep a secret that its content must not show: then the value is changed too.
 *
 * What it does not do: arguments are logged as they were sent, `meta` and the contexts that a tool itself defers are left
 * alone, and a secret that a program encodes (base64), splits or spells otherwise is not recognised. Secrets under four
 * characters are hidden in their fields only.
 *
 * @returns removes the policy
 * @throws {TypeError} when an option has no meaning
 * @example
 * const dispose = redact(tools, { patterns: [/sk-[\w-]+/], fields: ['password', '*_token'] });
 */
export function redact(tools: ToolsService, options: RedactOptions): Redaction {
  attachedTo('redact', tools);
  knownOptions('redact', options, ['patterns', 'fields', 'mode', 'unwrap']);
  const kinds = secretKinds(options.patterns ?? [], options.fields ?? []);
  const isConfidential =
    oneOf('mode', options.mode ?? 'presentation', ['presentation', 'confidential']) === 'confidential';
  const unwrap = new Set(namesOf(options.unwrap ?? []));
  const book = new SecretBook();
  const handles = new Handles();
  const unwrapping = new Set<ToolExecutionToken>();

  const hidingOf = (agent: Agent | undefined, substitute: Hiding['substitute'] = () => MARK): Hiding => ({
    kinds,
    literals: book.of(agent),
    substitute,
  });
  const learn = (agent: Agent | undefined, value: JsonValue): void =>
    closed(() => collectSecrets(value, kinds, (secret) => book.add(agent, secret)));
  const guarded = async <T>(agent: Agent | undefined, next: () => Promise<T>): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      throw closed(() => cleanError(error, hidingOf(agent)));
    }
  };

  const outermost = { prepend: true };
  const disposers = [
    tools.on(
      'tools/pre-execute',
      async ({ agent }, next) => {
        const decision = await guarded(agent, next);
        if (decision?.kind !== 'deny' || typeof decision.reason !== 'string') return decision;
        const { reason } = decision;
        return { ...decision, reason: closed(() => hideInText(reason, hidingOf(agent))) };
      },
      outermost,
    ),
    tools.on(
      'tools/execute',
      async ({ agent, name, token }, next) => {
        if (unwrap.has(name)) unwrapping.add(token);
        try {
          const result = await guarded(agent, next);
          if (!result.isError) learn(agent, result.value);
          return result.isError ? closed(() => cleanFailure(result, hidingOf(agent))) : result;
        } finally {
          unwrapping.delete(token);
        }
      },
      outermost,
    ),
    tools.on(
      'tools/post-execute',
      async ({ agent, parent }, result, next) => {
        const decision = await guarded(agent, next);
        const replaced = decision?.kind === 'accept' && Object.hasOwn(decision, 'value');
        if (replaced) learn(agent, (decision as { readonly value: JsonValue }).value);
        return closed((): PostToolDecision => {
          const hiding = hidingOf(agent);
          const contexts = cleanContexts(decision, hiding);
          if (decision.kind === 'block') {
            return { ...decision, feedback: hideInContent(decision.feedback, hiding), ...contexts };
          }
          const value = (replaced ? decision.value : result.value) as JsonValue;
          if (!result.isError && (replaced || (isConfidential && parent !== undefined))) {
            const substitute = isConfidential ? (secret: string) => handles.of(secret) : () => MARK;
            const hidden = hideInValue(value, hidingOf(agent, substitute));
            if (replaced || hidden !== value) return { kind: 'accept', value: hidden, ...contexts };
          }
          const content = decision.content ?? result.content;
          const shown = hideInContent(content, hiding);
          return shown === result.content
            ? { kind: 'accept', ...contexts }
            : { kind: 'accept', content: shown, ...contexts };
        });
      },
      outermost,
    ),
    tools.on(
      'tools/ptc-dispatch-log',
      async ({ agent }, next) => {
        const content = await next();
        return closed(() => hideInContent(content, hidingOf(agent)));
      },
      outermost,
    ),
  ];
  return Object.assign(
    () => {
      for (const dispose of disposers) dispose();
    },
    {
      reveal<T extends JsonValue>({ name, token }: Pick<ToolExecution, 'name' | 'token'>, value: T): T {
        if (unwrapping.has(token)) return handles.reveal(value) as T;
        throw new Error(
          `Cannot reveal secrets to "${name}": wanted a running call of a tool that "unwrap" names`,
        );
      },
    },
  );
}

function namesOf(unwrap: readonly string[]): readonly string[] {
  if (!Array.isArray(unwrap)) throw optionError('unwrap', 'an array of names', unwrap);
  return unwrap.map((name, index) => nonEmptyString(`unwrap[${index}]`, name));
}
