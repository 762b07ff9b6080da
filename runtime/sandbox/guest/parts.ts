import { abortPart } from './parts/abort.js';
import { ancestorsPart } from './parts/ancestors.js';
import { base64Part } from './parts/base64.js';
import { callFailuresPart } from './parts/call-failures.js';
import { clockPart, cryptoPart } from './parts/clock.js';
import { clonePart } from './parts/clone.js';
import { consolePart } from './parts/console-more.js';
import { convertPart } from './parts/convert.js';
import { detachedPart } from './parts/detached.js';
import { endingPart } from './parts/ending.js';
import { failurePart } from './parts/failure.js';
import { framesPart } from './parts/frames.js';
import { inspectPart } from './parts/inspect.js';
import { naturePart } from './parts/inspect-classes.js';
import { columnsPart, quotePart } from './parts/inspect-text.js';
import { lateHandlersPart } from './parts/late-handlers.js';
import { queryTextPart } from './parts/query-text.js';
import { searchParamsPart } from './parts/search-params.js';
import { shortTextPart } from './parts/short-text.js';
import { callOptionsPart, keyPathPart, kindOfPart } from './parts/small.js';
import { scalarRefusalPart, specialPart } from './parts/special.js';
import { textPart } from './parts/text-codecs.js';
import { timersPart } from './parts/timers.js';
import { unknownMemberPart } from './parts/unknown-member.js';
import { urlPart } from './parts/url.js';
import { webClassPart } from './parts/web-class.js';
import { trimmed } from './trimmed.js';

// Built on first use inside the guest. Each is a function of the kit, sent as text like the prelude itself.
const parts: ReadonlyMap<string, (kit: never) => unknown> = new Map<string, (kit: never) => unknown>([
  ['abort', abortPart],
  ['ancestors', ancestorsPart],
  ['base64', base64Part],
  ['callFailures', callFailuresPart],
  ['callOptions', callOptionsPart],
  ['clock', clockPart],
  ['clone', clonePart],
  ['columns', columnsPart],
  ['console', consolePart],
  ['convert', convertPart],
  ['crypto', cryptoPart],
  ['detached', detachedPart],
  ['ending', endingPart],
  ['failure', failurePart],
  ['frames', framesPart],
  ['inspect', inspectPart],
  ['keyPath', keyPathPart],
  ['kindOf', kindOfPart],
  ['lateHandlers', lateHandlersPart],
  ['nature', naturePart],
  ['quote', quotePart],
  ['queryText', queryTextPart],
  ['searchParams', searchParamsPart],
  ['shortText', shortTextPart],
  ['special', specialPart],
  ['scalarRefusal', scalarRefusalPart],
  ['text', textPart],
  ['timers', timersPart],
  ['unknownMember', unknownMemberPart],
  ['url', urlPart],
  ['webClass', webClassPart],
]);

/** Names of the rare parts. */
export const partNames: readonly string[] = [...parts.keys()];

/** Source of a rare part: a function of the kit. The empty text where there is no such part. */
export function partSource(name: string): string {
  const part = parts.get(name);
  return part === undefined ? '' : trimmed(`function (kit) { "use strict"; return (${part})(kit); }`);
}
