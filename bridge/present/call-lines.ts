import type { SubCallNote } from '../sub-call-note.js';

const MAX_LINES = 20;
const MAX_NAMED = 10;

/** `#3 add (line 5)`. */
const named = ({ n, name, position }: SubCallNote): string =>
  `#${n} ${name}${position ? ` (line ${position.line})` : ''}`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const completedLine = (call: SubCallNote): string => {
  const { n, name, args, ok, outcome, position } = call;
  const place = position ? ` (line ${position.line})` : '';
  const told = outcome === '' ? '' : ` ${ok ? '->' : 'failed:'} ${oneLine(outcome)}`;
  return `  #${n} ${name}(${oneLine(args)})${place}${told}${outcome === '' && !ok ? ' failed' : ''}`;
};

const openLine = (call: SubCallNote): string =>
  `  #${call.n} ${call.name}(${oneLine(call.args)})${call.position ? ` (line ${call.position.line})` : ''}`;

const section = (
  title: string,
  calls: readonly SubCallNote[],
  line: (call: SubCallNote) => string,
  max: number,
): string[] => {
  if (calls.length === 0) return [];
  const head = calls.length <= max ? calls : calls.slice(0, Math.ceil(max / 2));
  const tail = calls.length <= max ? [] : calls.slice(calls.length - Math.floor(max / 2));
  const left = calls.length - head.length - tail.length;
  return [title, ...head.map(line), ...(left > 0 ? [`  … ${left} more calls …`] : []), ...tail.map(line)];
};

/**
 * What a failed program had already done, so that the next one does not do it twice.
 *
 * @param told - The call whose failure is told elsewhere; alone it needs no list.
 * @param max - Lines per kind of call.
 * @default max 20
 */
export const callReport = (
  calls: readonly SubCallNote[],
  told: SubCallNote | undefined,
  max = MAX_LINES,
): string => {
  const of = (state: SubCallNote['state']) => calls.filter((call) => call.state === state);
  const completed = of('completed');
  const isAnyOk = completed.some(({ ok }) => ok);
  return [
    ...section(
      `Calls completed before the failure (${completed.length})${isAnyOk ? ', their effects remain' : ''}:`,
      completed.length === 1 && completed[0] === told ? [] : completed,
      (call) => (call === told ? `  ${named(call)} failed, see above` : completedLine(call)),
      max,
    ),
    ...section(
      'Calls in flight when it failed, aborted, with unknown effect:',
      of('in-flight'),
      openLine,
      max,
    ),
    ...section('Calls that may still be running, with unknown effect:', of('unknown'), openLine, max),
    ...section('Calls not started:', of('not-started'), openLine, max),
  ].join('\n');
};

/** The call whose failure ended the program: the last failed one that was made where the program failed. */
export const failedCall = (
  calls: readonly SubCallNote[],
  position: { readonly line: number; readonly column: number } | undefined,
): SubCallNote | undefined =>
  position &&
  calls.findLast(
    ({ state, ok, position: at }) =>
      state === 'completed' && !ok && at?.line === position.line && at.column === position.column,
  );

/** The call that ended the program, in a line. */
export const failedCallLine = ({ n, name, args }: SubCallNote): string =>
  `The failed call: #${n} ${name}(${oneLine(args)})`;

/** `3 calls ran: add ×2, echo`, for a program that says nothing else. */
export const ranLine = (calls: readonly SubCallNote[]): string => {
  const ran = calls.filter(({ state }) => state !== 'not-started' && state !== 'taken-back');
  if (ran.length === 0) return '';
  const counts = new Map<string, number>();
  for (const { name } of ran) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shown = [...counts]
    .slice(0, MAX_NAMED)
    .map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
  const more = counts.size - shown.length;
  const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more tools` : ''}`;
  return `${ran.length === 1 ? '1 call' : `${ran.length} calls`} ran: ${names}`;
};

/** Names the calls nobody waited for, and on a line of their own those that the program had given up; may be empty. */
export const unawaitedLine = (calls: readonly SubCallNote[]): string => {
  const given = openList(calls.filter(({ wasGivenUp }) => wasGivenUp === true));
  const left = openList(calls.filter(({ wasGivenUp }) => wasGivenUp !== true));
  return [
    left &&
      `Calls that nobody awaited when the program ended: ${left}. Await every call whose effect matters.`,
    given && `Calls that the program gave up and that had not ended when it did: ${given}.`,
  ]
    .filter((line) => line !== '')
    .join('\n');
};

const openList = (calls: readonly SubCallNote[]): string => {
  const list = (state: SubCallNote['state']): string => {
    const found = calls.filter((call) => call.state === state);
    const more = found.length - MAX_NAMED;
    return `${found.slice(0, MAX_NAMED).map(named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const parts = [
    ['in flight, aborted', list('in-flight')],
    ['may still be running', list('unknown')],
    ['not started', list('not-started')],
  ].filter(([, names]) => names !== '');
  return parts.map(([state, names]) => `${names} (${state})`).join('; ');
};
