import { isWordUnit, skipTrivia } from './trivia.js';

const CLOSERS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['${', '}'],
]);

/** A bracket that nothing closes. */
export interface Unclosed {
  readonly sign: string;
  readonly offset: number;
}

/**
 * The innermost bracket that is still open at the end of a text, strings and comments left out.
 *
 * A reader of tokens, not of the language: good enough to name a bracket in a sentence of advice.
 */
export const unclosedBracket = (text: string): Unclosed | undefined => {
  const open: Unclosed[] = [];
  /** A slash here starts a regular expression: no value stands before it. */
  let isValueNext = true;
  for (let at = skipTrivia(text, 0); at < text.length; at = skipTrivia(text, at)) {
    const sign = text[at]!;
    const top = open.at(-1);
    if (sign === '"' || sign === "'") at = behindString(text, at);
    else if (sign === '`' || (sign === '}' && top?.sign === '${')) {
      if (sign === '}') open.pop();
      at = behindTemplate(text, at, open);
      isValueNext = open.at(-1)?.sign === '${' && text.startsWith('${', at - 2);
      continue;
    } else if (CLOSERS.has(sign)) {
      open.push({ sign, offset: at++ });
      isValueNext = true;
      continue;
    } else if (sign === ')' || sign === ']' || sign === '}') {
      if (top && CLOSERS.get(top.sign) === sign) open.pop();
      at++;
    } else if (sign === '/' && isValueNext) at = behindPattern(text, at);
    else if (isWordUnit(text.charCodeAt(at))) {
      const start = at;
      while (isWordUnit(text.charCodeAt(at))) at++;
      isValueNext = BEFORE_VALUES.has(text.slice(start, at));
      continue;
    } else {
      at++;
      isValueNext = true;
      continue;
    }
    isValueNext = false;
  }
  return open.at(-1);
};

const BEFORE_VALUES = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'await',
  'void',
  'delete',
  'throw',
  'else',
]);

const behindString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start] && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/** Behind the template, or behind the `${` that it stops at, which is then open. */
const behindTemplate = (text: string, start: number, open: Unclosed[]): number => {
  let at = start + 1;
  for (; at < text.length && text[at] !== '`'; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith('${', at)) {
      open.push({ sign: '${', offset: at });
      return at + 2;
    }
  }
  return at + 1;
};

const behindPattern = (text: string, start: number): number => {
  let inClass = false;
  let at = start + 1;
  for (; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '[') inClass = true;
    else if (text[at] === ']') inClass = false;
    else if (text[at] === '/' && !inClass) break;
  }
  return at + 1;
};
