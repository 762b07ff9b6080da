import { errorMessage } from '../runtime/core/error-text.js';

/**
 * Runs a part of a policy that is not the library's own, e.g. a function of the host. What it throws comes out with the
 * policy's name, so that the call it belongs to fails closed and says why.
 *
 * @throws {Error} with the policy's name, whatever the part threw
 * @example
 * const price = inPolicy('callBudget', () => cost(exec));
 */
export function inPolicy<T>(policy: string, part: () => T): T {
  try {
    return part();
  } catch (cause) {
    throw policyError(policy, cause);
  }
}

/** The same for a part that may be asynchronous. */
export async function awaitInPolicy<T>(policy: string, part: () => T | Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (cause) {
    throw policyError(policy, cause);
  }
}

function policyError(policy: string, cause: unknown): Error {
  return new Error(`Policy "${policy}" failed: ${errorMessage(cause)}`, { cause });
}
