import type { Symptom } from './hints.js';

/** Something was read of a value that is not there; the last group says what it is instead. */
const OF_NOTHING = /^(?:Cannot read properties of|cannot read property (?:'.*' )?of) (null|undefined)/;
/** Names, properties and items, up to the place of the error. */
const EXPRESSION = /[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.)[A-Za-z_$][\w$]*|\[[^[\]\n]{1,40}\])*$/;
const LONGEST = 60;

/**
 * Advice for what is read of nothing, where the text before the place says of what.
 *
 * @param nothing - Which kind it is meant for: `null` is there on purpose, `undefined` may come of a wrong name.
 */
export const nothingHint = (
  { message, line, column }: Symptom,
  nothing: 'null' | 'undefined',
): string | undefined => {
  if (OF_NOTHING.exec(message)?.[1] !== nothing || column === 0) return undefined;
  const before = line.slice(0, column - 1).replace(/\s*(?:\?\.|\.)?\s*$/, '');
  const found = EXPRESSION.exec(before)?.[0];
  if (found === undefined || found.length > LONGEST) return undefined;
  return `\`${found}\` is ${nothing} here: read it with \`${found}?.\`, or test it first.`;
};
