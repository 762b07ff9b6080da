import { isMarkup, parseTypeScript } from './parse.js';
import { firstLine, looksLikeShell, SHELL_HINT } from './shell.js';
import { skipTrivia } from './trivia.js';

/** Words that can start a line of a program with another word behind them. */
const STARTERS = new Set(
  `const let var function class interface type enum namespace module declare abstract export import async await return
  throw new typeof void delete if else for while do switch case default try catch finally break continue yield static
  with public private protected readonly override get set in of instanceof as satisfies using debugger`.split(
    /\s+/,
  ),
);

const TAGS_AROUND = /^\s*<([a-z][\w-]*)(?: [^<>]{0,200})?>[\s\S]*<\/\1>\s*$/i;

const MAX_JSON_LENGTH = 1_000_000;

/**
 * What a text that does not parse seems to be instead of a program, as a sentence of advice. Only advice: the text is
 * refused whatever it is.
 *
 * @param offset - Where the parser gave up.
 */
export const otherThanProgram = (source: string, offset: number): string | undefined => {
  if (looksLikeShell(source)) return SHELL_HINT;
  if (looksLikePython(source)) return 'A TypeScript program is wanted, not Python.';
  if (/^[\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb]/.test(source.slice(offset, offset + 1)))
    return 'Texts stand in straight quotes: " or \'.';
  if (source[offset] === '#') return 'Comments start with `//`.';
  if (isJson(source)) return 'Send the program itself, without a JSON object around it.';
  if (!/[\r\n]/.test(source.trim()) && source.includes('\\n'))
    return 'Send line breaks as line breaks, not as the two characters \\ and n.';
  if (TAGS_AROUND.test(source)) return 'Send the program itself, without tags around it.';
  if (
    isMarkup(source) ||
    (/<\/?$/.test(source.slice(Math.max(0, offset - 2), offset)) &&
      /^\/?[a-z]+[^<>]{0,100}>/i.test(source.slice(offset, offset + 200)))
  )
    return 'JSX is not available: a program returns data or text.';
  if (isAtStart(source, offset) && looksLikeWords(firstLine(source)))
    return 'Send only a TypeScript program: no prose around it and no other language.';
  if (isSentence(lineAround(source, offset)))
    return 'Send only a TypeScript program: no prose around it and no other language.';
  return isBareObject(source, offset)
    ? 'An object where a statement could start needs parentheses: `({ … })`.'
    : undefined;
};

/** Braces that are tried; each costs a parse. */
const MAX_TRIES = 4;

/** Whether the text would parse if the block that holds an offset were an object. */
const isBareObject = (source: string, offset: number): boolean => {
  const sign = source[skipTrivia(source, offset)];
  if (sign !== ':' && sign !== ',') return false;
  let at = offset;
  for (let tries = 0; tries < MAX_TRIES && at > 0; tries++) {
    at = source.lastIndexOf('{', at - 1);
    if (at >= 0 && parseTypeScript(`${source.slice(0, at)}_=${source.slice(at)}`).ok) return true;
  }
  return false;
};

const isJson = (source: string): boolean => {
  if (source.length > MAX_JSON_LENGTH || !/^\s*\{\s*"/.test(source)) return false;
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
};

/** A line that opens a block as Python does, a module or a formatted text of Python. */
const PYTHON =
  /^[ \t]*(?:(?:async[ \t]+)?(?:for[ \t]+[\w, \t()]{1,100}[ \t]in[ \t][^{}\n]{1,200}|def[ \t]+\w+\([^{}\n]{0,300}\)[^{}\n]{0,100}|with[ \t]+[^{}\n]{1,200})|(?:if|elif|while)[ \t]+[^{}\n]{1,200}|class[ \t]+\w+(?:\([\w., \t]*\))?|else|try|finally|except\b[^{}\n]{0,100}):[ \t]*(?:#[^\n]*)?$|^(?:from[ \t]+[\w.]+[ \t]+import[ \t]|import[ \t]+\w+(?:[ \t]+as[ \t]+\w+)?[ \t]*$)|[=(,][ \t]*f"[^"\n]*\{/m;

const looksLikePython = (source: string): boolean =>
  PYTHON.test(source.slice(0, 20_000).replaceAll('\r', ''));

const isAtStart = (source: string, offset: number): boolean =>
  offset <= source.indexOf(firstLine(source)) + firstLine(source).length + 1;

const lineAround = (source: string, offset: number): string =>
  source
    .slice(source.lastIndexOf('\n', offset - 1) + 1)
    .split('\n', 1)[0]!
    .trim();

/** Words alone, as nobody writes them in a program. */
const isSentence = (line: string): boolean =>
  looksLikeWords(line) && /^[A-Z][\w'’,:() -]{10,400}[.:!]$/.test(line) && line.split(' ').length > 3;

const looksLikeWords = (line: string): boolean => {
  const [, first] = /^([A-Za-z][A-Za-z']*),?:? +[A-Za-z]/.exec(line) ?? [];
  return first !== undefined && !STARTERS.has(first);
};
