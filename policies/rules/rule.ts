import type { LocalizedText } from '../../runtime/contract/decisions.js';
import type { ToolCallKind } from '../../runtime/contract/views.js';
import type { JsonValue } from '../../runtime/core/json-value.js';

/** What a rule says of the calls that it matches. */
export type RuleDecision = 'allow' | 'ask' | 'deny';

/**
 * A condition on one argument: a JSON path, and exactly one of the four ways to compare.
 *
 * An `allow` rule wants every value that the path names to fit, and at least one; `ask` and `deny` are content with one, and
 * look into arrays and objects too. A text that goes up (`a/../secret`) counts as what it leads to.
 */
export interface ArgumentCondition {
  /** E.g. `$.path`, `files[*].name`, `$..url`. */
  readonly at: string;
  /** The literal value. */
  readonly equals?: JsonValue;
  /** Text in which `*` stands for any text. */
  readonly glob?: string;
  /** A path in which `*` stays within a folder and `**` spans folders; both sides are normalised. */
  readonly path?: string;
  /** A regular expression, as the text between the slashes; it has the flag `u`. */
  readonly regex?: string;
}

/** One rule. All of its conditions have to hold; a rule without any matches every call. */
export interface Rule {
  /** For errors, reasons and the audit. @default its number in the list, e.g. `#3` */
  readonly name?: string;
  readonly decision: RuleDecision;
  /** Registered names; `*` stands for any text. */
  readonly tool?: string | readonly string[];
  /** Where the tool comes from (registration option `source`); `*` stands for any text. */
  readonly source?: string | readonly string[];
  /** Declared kind; a tool without one is `other`. */
  readonly kind?: ToolCallKind | readonly ToolCallKind[];
  /** `true`: declared so; `false`: not declared so. */
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly arguments?: readonly ArgumentCondition[];
  /** Audited; of a denial the model reads it. */
  readonly reason?: string;
  /** Shown to whoever is asked. */
  readonly displayReason?: LocalizedText;
}

/** A rule with nothing left open. */
export interface CheckedRule extends Rule {
  readonly name: string;
  readonly tool?: readonly string[];
  readonly source?: readonly string[];
  readonly kind?: readonly ToolCallKind[];
}
