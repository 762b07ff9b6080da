import type { Symptom } from './hints.js';
import { escaped } from './hints-names.js';

/** Advice for a value that is a promise where something else was meant, or that has another shape than was thought. */
export const awaitHint = ({ message, line, column, source, namespaces }: Symptom): string | undefined => {
  const globals = namespaces.map(({ global }) => global);
  if (globals.length === 0 || !MISREAD.test(message)) return undefined;
  const call = `(?:${globals.join('|')})(?:\\.[\\w$]+|\\[[^\\]\\n]{0,100}\\])`;
  const direct = new RegExp(`(?:^|[^\\w$.])(?<!\\bawait\\s+)${call}\\([^\\n]*\\)\\s*(?:\\?\\.|\\.|\\[)`);
  if (new RegExp(`^${call}\\(\\.\\.\\.\\)`).test(message) || (direct.test(line) && !usesThen(line)))
    return `A tool call gives a promise: write \`(await ${globals[0]}.name(…)).property\`.`;
  // One engine names what it could not use, the other only tells the line.
  const named =
    message === 'value is not iterable'
      ? undefined
      : message === 'not a function'
        ? calledAt(line, column)
        : /^([A-Za-z_$][\w$]*)[\w$.[\]]*(?: is not a function| is not iterable)/.exec(message)?.[1];
  for (const name of named === undefined ? usedIn(line) : [named]) {
    const declared = new RegExp(
      `\\b(?:const|let|var)\\s{1,20}${escaped(name)}\\b[^=;\\n]{0,200}=\\s{0,20}(await\\s{1,20})?\\(?\\s{0,20}(await\\s{1,20})?${call}\\(`,
    ).exec(source);
    if (!declared) continue;
    const isAwaited = declared[1] !== undefined || declared[2] !== undefined;
    if (!isAwaited) return `\`${name}\` is a promise: write \`await\` before the tool call that makes it.`;
    if (named !== undefined || isReading(message))
      return `\`${name}\` has another shape than the program expects: log it once with \`console.log(${name})\`.`;
  }
  return undefined;
};

/** What is called at a place of a line, down to the name that it is read of. */
const calledAt = (line: string, column: number): string | undefined =>
  /(?:^|[^\w$.\])])([A-Za-z_$][\w$]*)(?:\??\.[A-Za-z_$][\w$]*)+$/.exec(
    line.slice(0, Math.max(0, column - 1)),
  )?.[1];

const MISREAD = /not a function$|not iterable|^Cannot read|^cannot read|^Cannot destructure/;

/** A property of what is not there: the value before it is not what it was taken for. */
const isReading = (message: string): boolean => /^(?:C|c)annot read propert/.test(message);

const usesThen = (line: string): boolean => /\)\s*\.(?:then|catch|finally)\b/.test(line);

/** Names that a line calls something of, goes through or spreads. */
const usedIn = (line: string): string[] => {
  const names = new Set<string>();
  for (const found of line.matchAll(
    /\bof\s+([A-Za-z_$][\w$]*)\s*\)|\.\.\.([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\??\.[\w$]/g,
  )) {
    const name = found[1] ?? found[2] ?? found[3];
    if (name !== undefined && names.size < 10) names.add(name);
  }
  return [...names];
};
