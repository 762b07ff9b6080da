import { linesOf, type RawDiagnostic } from './diagnostic.js';
import { SDK_FILE } from './virtual-files.js';

/** `error` refuses the program, `warning` is only told, `unchecked` says that the checker gave up. */
export type Verdict = 'error' | 'warning' | 'ignored' | 'unchecked';

/** What the rules may ask about the place of a diagnostic. */
export interface Place {
  /** It lies in a type: after a colon, in `as`, in a declaration. */
  readonly isType: boolean;
  /** It is what `typeof` is asked of. */
  readonly isTypeofOperand: boolean;
  /** It lies in the literal arguments of a call of a tool. */
  readonly isToolArgument: boolean;
  /** It is a property read in quotes: `tools["x"]`. */
  readonly isQuotedKey: boolean;
  /** The program text behind it. */
  readonly after: string;
  /** It is about a `{}` that is written in that very place. */
  readonly isEmptyLiteral: boolean;
  /** The program asks whether what it reads is there, before it uses it. */
  readonly isDoubted: boolean;
  /** The program gives things a property of that name. */
  readonly isAdded: boolean;
  /** What is read is declared for some of the shapes that a result may have. */
  readonly isOfOneShape: boolean;
  /** What lacks something is a type that may have more than it declares. */
  readonly isOpenSource: boolean;
  /** The name that it is about is nowhere read without being called. */
  readonly isAlwaysCalled: boolean;
  /** The program catches something. */
  readonly isCaught: boolean;
  /** The engine has nothing that the libraries do not have. */
  readonly isExact: boolean;
}

const numbers = (text: string): ReadonlySet<number> => new Set(text.split(' ').map(Number));

const TOO_COMPLEX = numbers('2563 2589 2590 2799');
const UNKNOWN_NAME = numbers('2304 2552 2580 2581 2582 2583 2584 2591 2592 2593 18004');
const UNKNOWN_TYPE = numbers('2304 2503 2694 2314 2315 2558 2552 2583 2591 2304');
const BROKEN_PROGRAM = numbers('2588 2448 2451 1308');
const ABOUT_TOOLS = numbers(
  '2339 2551 2353 2561 2322 2345 2559 2560 2769 2739 2740 2741 2554 2555 2349 2488 2461 2548 2820',
);
const ABOUT_PROMISES = numbers('2339 2551 2322 2345 2362 2363 2365 2367 2488 2801');
const UNKNOWN_MEMBER = numbers('2339 2551');
/** Newer members of the library: "do you need to change your target library?" */
const ABSENT_IN_ENGINE = numbers('2550');
const TYPE_AS_VALUE = numbers('2585 2693');
const FORGOTTEN_AWAIT = 2773;
const IMPLICIT_INDEX = 7053;
const IGNORED = numbers('18046 18047 18048 18049 2531 2532 2533 2571 2564');

const SDK_TYPE = /\bSDK_\w+/;
const PROMISE_TYPE = /\bPromise(Like)?</;
const RECEIVER = /on type '([\s\S]*?)'(?:\.|$)/;
const BUILT_IN =
  /^(?:string|number|".*"|(?:readonly )?\[.*\]|.*\[\]|(?:Readonly)?(?:Array|Map|Set)(?:<.*>|Constructor)?|Weak(?:Map|Set)<.*>|(?:RegExp|Date|String|Number|Math|JSON)(?:Constructor)?|RegExp(?:Match|Exec)Array)$/s;
const ITERATOR = /on type '(?:(?:Array|Map|Set|String|RegExpString)Iterator|IteratorObject|Generator)</;
/** A value that a wider inference lost: `const mode = cond ? "a" : "b"` in an object is only `string`. */
const WIDENED = /Type '(?:string|number|boolean)' is not assignable to type '(?:"|-?\d|true\b|false\b)/;
const FILLED_LATER = /(?:type|Type|of type) '\{\}'/;
const FROM_UNKNOWN = /(?:Type|of type) 'unknown'/;
/** A field that may be missing is read on purpose. */
const GUARDED = /^\s*\)*\s*(?:\?\.|\?\?|\|\|)/;

/** Judges a diagnostic of the semantic check. Errors of syntax are errors without being asked. */
export function classify(diagnostic: RawDiagnostic, place: Place): Verdict {
  const { code } = diagnostic;
  if (TOO_COMPLEX.has(code)) return 'unchecked';
  if (IGNORED.has(code)) return 'ignored';
  if (place.isType && (UNKNOWN_TYPE.has(code) || UNKNOWN_NAME.has(code))) return 'ignored';
  if (UNKNOWN_NAME.has(code)) return place.isTypeofOperand ? 'ignored' : 'error';
  if (BROKEN_PROGRAM.has(code)) return 'error';
  const lines = linesOf(diagnostic);
  const isAboutTools = isSdk(diagnostic, lines) || place.isToolArgument;
  if (code === IMPLICIT_INDEX)
    return place.isQuotedKey && /'SDK_tools'/.test(lines.join('\n')) ? 'error' : 'ignored';
  if (code >= 7000 && code < 8000) return 'ignored';
  if (ABSENT_IN_ENGINE.has(code)) return isRelied(place) ? 'error' : 'warning';
  if (TYPE_AS_VALUE.has(code))
    return place.isExact && !place.isCaught && !place.isTypeofOperand ? 'error' : 'warning';
  if (isAboutPromise(diagnostic, lines) && ABOUT_PROMISES.has(code)) return 'error';
  if (isAboutTools && ABOUT_TOOLS.has(code)) return isDoubtful(lines, place, code) ? 'warning' : 'error';
  if (UNKNOWN_MEMBER.has(code) && isBuiltIn(diagnostic.text) && !GUARDED.test(place.after)) return 'error';
  if (UNKNOWN_MEMBER.has(code) && isRelied(place) && ITERATOR.test(diagnostic.text)) return 'error';
  return 'warning';
}

/** Whether a program fails for sure where the engine lacks something: it neither asks first nor catches. */
const isRelied = ({ isExact, isAlwaysCalled, isCaught }: Place): boolean =>
  isExact && isAlwaysCalled && !isCaught;

function isSdk({ relatedInformation = [] }: RawDiagnostic, lines: readonly string[]): boolean {
  return (
    lines.some((line) => SDK_TYPE.test(line)) ||
    relatedInformation.some(({ fileName }) => fileName === SDK_FILE)
  );
}

function isAboutPromise({ relatedInformation = [] }: RawDiagnostic, lines: readonly string[]): boolean {
  return (
    lines.some((line) => PROMISE_TYPE.test(line)) ||
    relatedInformation.some(({ code }) => code === FORGOTTEN_AWAIT)
  );
}

/** Right programs do these things too. */
function isDoubtful(lines: readonly string[], place: Place, code: number): boolean {
  const text = lines.join('\n');
  if (WIDENED.test(lines[lines.length - 1] ?? '') || FROM_UNKNOWN.test(text)) return true;
  if (FILLED_LATER.test(text)) return !place.isEmptyLiteral;
  if (!UNKNOWN_MEMBER.has(code)) return place.isOpenSource;
  if (place.isTypeofOperand || GUARDED.test(place.after)) return true;
  return place.isAdded || place.isOfOneShape || (code === 2339 && place.isDoubted);
}

function isBuiltIn(text: string): boolean {
  const receiver = RECEIVER.exec(text)?.[1];
  return receiver !== undefined && !receiver.includes(' | ') && BUILT_IN.test(receiver);
}
