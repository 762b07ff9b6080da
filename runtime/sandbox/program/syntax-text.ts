import { endOfContent } from './lines.js';

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
  if (offset >= endOfContent(text) && error.reasonCode === 'UnexpectedToken')
    return { reason: 'the program ends too early', hint: 'Close every bracket, string and template.' };
  if (error.reasonCode === 'MissingPlugin' || error.reasonCode === 'MissingOneOfPlugins')
    return { reason: 'this syntax is not available' };
  // The parser puts ` (line:column)` behind every message; the position travels apart.
  const said = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '');
  return { reason: said === 'Unexpected token' ? `Unexpected token ${tokenAt(text, offset)}` : said };
};

const tokenAt = (text: string, offset: number): string => {
  const rest = text.slice(offset, offset + 40);
  const token = /^[\p{ID_Start}$_][\p{ID_Continue}$]*|^\.\.\.|^[=!<>]=+|^=>|^./su.exec(rest)?.[0] ?? '';
  return `'${token}'`;
};
