export {
  type ApprovalAnswerer,
  type ApprovalOptions,
  type ApprovalPolicy,
  approvals,
} from './approval.js';
export { type CacheOptions, cache } from './cache.js';
export { type CallBudgetOptions, callBudget } from './call-budget.js';
export { checkpoint } from './checkpoint.js';
export { type RecoveredCall, recoverUnknownOutcomes } from './recover-unknown-outcomes.js';
export { type RetryOptions, retry } from './retry.js';
export { toolTimeout } from './timeout.js';
