import type { ChildEnd } from './child-link.js';
import type { SandboxDeath } from './peer-line.js';
import { memoryFailure } from './shared-failures.js';

/** Share of the memory limit above which an unexplained end counts as one of memory. */
const NEAR_LIMIT = 0.9;

/** The end of a process that computed past the budget of one of its programs. */
export const COMPUTE_DEATH: SandboxDeath = {
  kind: 'timeout',
  message: 'The program computed past its budget',
};

/** The end of a process one of whose programs was to stop and went on computing. */
export const STOPPED_DEATH: SandboxDeath = {
  kind: 'sandbox-died',
  message: 'The program had to be stopped while it computed',
};

/** The end of a process that did not speak the protocol. @param problem as text */
export function protocolDeath(problem: string): SandboxDeath {
  return { kind: 'protocol', message: `The sandbox broke the protocol: ${problem}` };
}

/** What the other programs of a process are told that was ended because of one. @param death of that one */
export function siblingDeath(death: SandboxDeath): SandboxDeath {
  return {
    kind: 'sandbox-died',
    message: `The sandbox was ended because of another program in it: ${death.message}`,
  };
}

/**
 * What became of a process that ended by itself: its own last words and its last known size tell.
 *
 * @param usedShare last resident size over what was allowed
 */
export function unexpectedDeath(end: ChildEnd, usedShare: number, memoryMb: number): SandboxDeath {
  if (end.report.saysOutOfMemory || usedShare >= NEAR_LIMIT) return memoryFailure(memoryMb);
  return { kind: 'sandbox-died', message: `The sandbox process ended unexpectedly (${end.cause})` };
}
