/** Words that cannot name a parameter of a strict async function. */
const RESERVED_WORDS =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public ' +
  'return static super switch this throw true try typeof var void while with yield';

/** What the sandbox itself puts into the guest's world, and the names that stand for fixed values. */
const GUEST_GLOBALS =
  'AbortController AbortSignal Infinity NaN TextDecoder TextEncoder URL URLSearchParams atob btoa clearInterval ' +
  'clearTimeout console crypto globalThis performance queueMicrotask setInterval setTimeout structuredClone undefined';

const RESERVED = new Set(`${RESERVED_WORDS} ${GUEST_GLOBALS}`.split(' '));

/**
 * Why a name cannot be injected into a program, or `undefined` when it can.
 *
 * @example
 * injectedNameProblem('tools') // undefined
 * injectedNameProblem('await') // 'a name that is not reserved'
 */
export function injectedNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return 'letters, digits and underscores, not starting with a digit';
  }
  return RESERVED.has(name) ? 'a name that is not reserved' : undefined;
}

const ERROR_MEMBERS = new Set(['name', 'message', 'stack', 'args', 'with_traceback', 'add_note']);

/**
 * Why a property of an error class cannot carry the member's name, or `undefined` when it can.
 *
 * @example
 * memberNamePropertyProblem('toolName') // undefined
 */
export function memberNamePropertyProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'a non-empty string';
  if (ERROR_MEMBERS.has(name)) return 'a property that errors do not have already';
  return /^__.*__$/s.test(name) ? 'a name without double underscores around it' : undefined;
}
