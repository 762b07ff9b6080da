export { ptcExecutor } from './ptc-executor.js';
export type { CheckedProgram, LateOutcome, ProgramCheck, PtcExecutorOptions } from './ptc-options.js';
export { ptcPresentations } from './ptc-presentations.js';
export type { TypeCheckMessage, TypeCheckReport, UncheckedCause } from './type-check/report.js';
export type { TypeCheckerOptions, TypeCheckMode } from './type-check/type-check-options.js';
export { type CheckedRun, createTypeChecker, type TypeChecker } from './type-check/type-checker.js';
