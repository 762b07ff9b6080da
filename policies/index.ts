export {
  type ApprovalAnswerer,
  type ApprovalOptions,
  type ApprovalPolicy,
  approvals,
} from './approval.js';
export { type AuditOptions, audit } from './audit.js';
export { type CacheOptions, cache } from './cache.js';
export { type CallBudgetOptions, callBudget } from './call-budget.js';
export { checkpoint } from './checkpoint.js';
export { type DryRunOptions, dryRun, type SkippedCall } from './dry-run.js';
export { type FileSpillStoreOptions, fileSpillStore } from './file-spill-store.js';
export { createGrants, type GrantedCall, type Grants } from './grants.js';
export {
  type MemorySpillStore,
  type MemorySpillStoreOptions,
  memorySpillStore,
} from './memory-spill-store.js';
export { PRESET_NAMES, type Preset, type PresetName, preset } from './presets.js';
export { type ProvenanceOptions, provenance } from './provenance.js';
export { type RecoveredCall, recoverUnknownOutcomes } from './recover-unknown-outcomes.js';
export { type Redaction, type RedactOptions, redact } from './redact.js';
export { type RepeatReminder, type RepeatReminderOptions, repeatReminder } from './repeat-reminder.js';
export {
  type RetainedItems,
  type RetainedText,
  retainItems,
  retainText,
  type TextPart,
} from './retention.js';
export { type RetryOptions, retry } from './retry.js';
export type { ArgumentCondition, Rule, RuleDecision } from './rules/rule.js';
export { parseRules, type RulesFile, readRules } from './rules/rules-file.js';
export { RULES_FILE_SCHEMA } from './rules/rules-file-schema.js';
export { type RulesOptions, rules } from './rules.js';
export { type SpillOptions, spill } from './spill.js';
export type { SavedText, SpilledText, SpillStore } from './spill-store.js';
export { toolTimeout } from './timeout.js';
export type { ToolMatch } from './tool-match.js';
