import { oneOf } from '../runtime/core/options.js';
import type { ApprovalPolicy } from './approval.js';
import type { Rule, RuleDecision } from './rules/rule.js';

/** The presets by name. */
export const PRESET_NAMES = Object.freeze(['read-only', 'ask-for-writes', 'full-access'] as const);

/** The name of a preset. */
export type PresetName = (typeof PRESET_NAMES)[number];

/** What a preset bundles: rules by kind of tool, a word for the rest, and whether anybody is asked. */
export interface Preset {
  readonly rules: readonly Rule[];
  readonly otherwise: RuleDecision;
  readonly approval: ApprovalPolicy;
}

const LOOKING: Rule = { name: 'looking', decision: 'allow', kind: ['read', 'search'] };

const PRESETS: { readonly [N in PresetName]: Preset } = {
  'read-only': { rules: [LOOKING], otherwise: 'deny', approval: 'never' },
  'ask-for-writes': {
    rules: [
      LOOKING,
      { name: 'changing', decision: 'ask', kind: ['edit', 'delete', 'move', 'execute', 'fetch', 'other'] },
    ],
    otherwise: 'deny',
    approval: 'ask',
  },
  'full-access': { rules: [{ name: 'everything', decision: 'allow' }], otherwise: 'allow', approval: 'ask' },
};

/**
 * The rules of a preset. It only writes them; the rules policy enforces them.
 *
 * `read-only`: reading and searching, nothing else, and nobody is asked. `ask-for-writes`: the same, and a question before any
 * other kind. `full-access`: everything; what another policy asks is still put to somebody. A tool that declares no kind is
 * `other`.
 *
 * @throws {TypeError} when there is no such preset
 * @example
 * const { rules: list, otherwise, approval } = preset('read-only');
 * rules(tools, { rules: list, otherwise });
 * approvals(tools, { policy: approval });
 */
export function preset(name: PresetName): Preset {
  return PRESETS[oneOf('preset', name, PRESET_NAMES)];
}
