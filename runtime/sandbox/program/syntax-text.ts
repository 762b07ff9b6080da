import { endOfContent, linesOf } from './lines.js';
import { skipTrivia } from './trivia.js';
import { unclosedBracket } from './unclosed.js';

interface ParserError {
  readonly reasonCode: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Reasons whose own text speaks of the parser's settings, or that a model meets often enough for a sentence of advice. */
const TEXTS = new Map<string, { readonly reason: string; readonly hint?: string }>([
  ['ImportMetaOutsideModule', { reason: '`import.meta` is not available', hint: 'A program is no module.' }],
  [
    'UnexpectedUsingDeclaration',
    { reason: '`using` declarations are not available', hint: 'Write try … finally.' },
  ],
  [
    'StrictWith',
    { reason: '`with` is not available in strict code', hint: 'Read the properties by their full names.' },
  ],
  [
    'AwaitNotInAsyncContext',
    {
      reason: '`await` stands in a function that is not async',
      hint: 'Mark the function `async`; for a list write `await Promise.all(items.map(async (item) => …))`.',
    },
  ],
  [
    'MissingUnicodeEscape',
    {
      reason: 'a backslash stands outside of a string',
      hint: 'Send line breaks as line breaks, not as the two characters \\ and n.',
    },
  ],
]);

/** The reason and the advice for an error of the parser: its own words where they say it best. */
export const syntaxText = (
  text: string,
  error: ParserError,
  offset: number,
): { reason: string; hint?: string } => {
  const known = TEXTS.get(error.reasonCode);
  if (known) return known;
  const { reasonCode, details } = error;
  if (offset >= endOfContent(text) && reasonCode === 'UnexpectedToken') return tooEarly(text);
  if (reasonCode === 'MissingPlugin' || reasonCode === 'MissingOneOfPlugins')
    return { reason: 'this syntax is not available' };
  if (reasonCode === 'MissingSemicolon') return { reason: noStatementEnd(text, offset) };
  if (reasonCode === 'UnexpectedToken') {
    const wanted = typeof details?.['expected'] === 'string' ? `, wanted '${details['expected']}'` : '';
    return { reason: `Unexpected token ${tokenAt(text, offset)}${wanted}` };
  }
  // The parser puts ` (line:column)` behind every message; the position travels apart.
  return { reason: error.message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '') };
};

const tooEarly = (text: string): { reason: string; hint: string } => {
  const open = unclosedBracket(text);
  return {
    reason: 'the program ends too early',
    hint: open
      ? `Close the \`${open.sign}\` of line ${linesOf(text).positionOf(open.offset).line}.`
      : 'The last statement is not complete.',
  };
};

const noStatementEnd = (text: string, offset: number): string => {
  const next = tokenAt(text, skipTrivia(text, offset));
  return /^'[)\]}]'$/.test(next)
    ? `Unexpected token ${next}`
    : `Missing semicolon or operator before ${next}`;
};

const tokenAt = (text: string, offset: number): string => {
  const rest = text.slice(offset, offset + 40);
  const token = /^[\p{ID_Start}$_][\p{ID_Continue}$]*|^\.\.\.|^[=!<>]=+|^=>|^./su.exec(rest)?.[0] ?? '';
  return `'${token}'`;
};
