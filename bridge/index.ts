export { ptcExecutor } from './ptc-executor.js';
export type { LateOutcome, PtcExecutorOptions } from './ptc-options.js';
export { ptcPresentations } from './ptc-presentations.js';
