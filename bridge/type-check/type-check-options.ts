import {
  functionOption,
  knownOptions,
  nonEmptyString,
  oneOf,
  positiveInteger,
  timerMs,
} from '../../runtime/core/options.js';

import type { TypeCheckReport } from './report.js';

/** What a type check does with what it finds. */
export type TypeCheckMode = 'off' | 'warn' | 'enforce';

/** What can be set of `createTypeChecker`. */
export interface TypeCheckerOptions {
  /**
   * `enforce` refuses a program with an error before its first statement runs; `warn` only reports; `off` does nothing.
   *
   * @default 'enforce'
   */
  readonly mode?: TypeCheckMode | undefined;
  /** The checker's executable. @default the one of the installed package `typescript` */
  readonly path?: string | undefined;
  /** How long one program may be checked, in milliseconds; one that takes longer runs unchecked. @default 1000 */
  readonly deadlineMs?: number | undefined;
  /** Data segment of the checker's process, in MiB, where the system has such a limit. @default 300 */
  readonly memoryMb?: number | undefined;
  /**
   * What the engine speaks, as TypeScript's option `lib` names it.
   *
   * @default what the engine of the run says that it has; `es2023` where it does not say
   */
  readonly library?: string | undefined;
  /** Told what became of every check. */
  readonly onReport?: ((report: TypeCheckReport) => void) | undefined;
  /** Told once when there is no checker, and why. */
  readonly onUnavailable?: ((reason: string) => void) | undefined;
}

/** The same with its defaults, checked. */
export interface ResolvedTypeCheckerOptions {
  readonly mode: TypeCheckMode;
  readonly path: string | undefined;
  readonly deadlineMs: number;
  readonly memoryMb: number;
  readonly library: string | undefined;
  readonly onReport: (report: TypeCheckReport) => void;
  readonly onUnavailable: (reason: string) => void;
}

/** @throws {TypeError} when an option is unknown or has no meaning */
export function resolveTypeCheckerOptions(options: TypeCheckerOptions): ResolvedTypeCheckerOptions {
  knownOptions('createTypeChecker', options, [
    'mode',
    'path',
    'deadlineMs',
    'memoryMb',
    'library',
    'onReport',
    'onUnavailable',
  ]);
  const { path, library, onReport, onUnavailable } = options;
  return {
    mode: oneOf('mode', options.mode ?? 'enforce', ['off', 'warn', 'enforce']),
    path: path === undefined ? undefined : nonEmptyString('path', path),
    deadlineMs: timerMs('deadlineMs', options.deadlineMs ?? 1000),
    memoryMb: positiveInteger('memoryMb', options.memoryMb ?? 300),
    library: library === undefined ? undefined : nonEmptyString('library', library),
    onReport: onReport === undefined ? () => {} : functionOption('onReport', onReport),
    onUnavailable: onUnavailable === undefined ? () => {} : functionOption('onUnavailable', onUnavailable),
  };
}
