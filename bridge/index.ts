export { ptcExecutor } from './ptc-executor.js';
export type { CheckedProgram, LateOutcome, ProgramCheck, PtcExecutorOptions } from './ptc-options.js';
export { ptcPresentations } from './ptc-presentations.js';
