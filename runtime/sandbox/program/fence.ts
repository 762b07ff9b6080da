// Markdown around a program. Lines of Markdown are read as lines; whether a stretch is a program, the parser says.

import { nodeAt, type TreeNode, walk } from './tree.js';

/** What is left of the model's text when Markdown is taken away. */
export type Unwrapped =
  | { readonly ok: true; readonly source: string; readonly fenced: boolean }
  | { readonly ok: false; readonly reason: string; readonly hint: string; readonly offset: number };

/** Parses a stretch; the tree, or nothing. */
export type Reader = (source: string) => TreeNode | undefined;

interface FenceLine {
  /** Where the line starts, and where its line break ends. */
  readonly start: number;
  readonly end: number;
  readonly ticks: string;
  /** The word behind the ticks, lower case; empty on a closing line. */
  readonly tag: string;
}

/** Tags of blocks that are certainly no program for this sandbox. */
const OTHER_LANGUAGES = new Set(
  `sh bash shell zsh fish console cmd bat powershell ps1 python py python3 ruby rb go rust rs java kotlin swift c cpp cs
  csharp php perl lua r sql json jsonc json5 yaml yml toml xml html css scss markdown md diff dockerfile makefile`.split(
    /\s+/,
  ),
);

/** Closing lines that are tried; each costs a parse. */
const MAX_TRIES = 10;

const ONLY_PROGRAM = 'Send only the program, without Markdown or prose around it.';

/**
 * Takes away one Markdown fence and the prose around it.
 *
 * A fence in the program's own strings and comments is part of the program: the first closing line in front of which there
 * is a whole program ends the block.
 *
 * @param read - Says whether a stretch is a whole program.
 */
export const unwrapFence = (text: string, read: Reader): Unwrapped => {
  const body: Unwrapped = { ok: true, source: text, fenced: false };
  // Nearly every program: nothing in it can be a fence.
  if (!text.includes('```') && !text.includes('~~~')) return body;
  const lines = fenceLines(text);
  const start = text.search(/[^\s\ufeff]/);
  const opener = lines.find((line) => line.end > start);
  if (opener && opener.start <= start) return block(text, opener, lines, read);
  if (text.startsWith('```', start)) return inline(text, start);
  if (!opener || !isOutsideOfCode(text, opener, read)) return body;
  return beforeEmptyBlock(text, opener, lines, read) ?? block(text, opener, lines, read);
};

const fenceLines = (text: string): FenceLine[] => {
  const found: FenceLine[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end).replace(/^[ \t\ufeff]+/, '');
    const sign = line[0];
    if ((sign === '`' || sign === '~') && line.startsWith(sign.repeat(3))) {
      let length = 3;
      while (line[length] === sign) length++;
      const rest = line.slice(length);
      const tag = rest.trimStart().split(/\s/, 1)[0] ?? '';
      if (!rest.includes('`'))
        found.push({ start, end, ticks: line.slice(0, length), tag: tag.toLowerCase() });
    }
    start = end;
  }
  return found;
};

/** The offset behind the line break that ends a line. */
const endOfLine = (text: string, start: number): number => {
  let at = start;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
  return at + (text.startsWith('\r\n', at) ? 2 : 1);
};

const closes = (line: FenceLine, opener: FenceLine): boolean =>
  line.tag === '' && line.ticks[0] === opener.ticks[0] && line.ticks.length >= opener.ticks.length;

const block = (text: string, opener: FenceLine, lines: readonly FenceLine[], read: Reader): Unwrapped => {
  if (OTHER_LANGUAGES.has(opener.tag))
    return {
      ok: false,
      reason: `the fenced block is marked as "${opener.tag}", a TypeScript program is wanted`,
      hint: 'Send the program itself as TypeScript.',
      offset: opener.start,
    };
  const closers = lines.filter((line) => line.start >= opener.end && closes(line, opener));
  const closer =
    closers.slice(0, MAX_TRIES).find((line) => read(text.slice(opener.end, line.start)) !== undefined) ??
    closers.at(-1);
  if (!closer) return { ok: true, source: withoutTicksAtEnd(text.slice(opener.end), opener), fenced: true };
  const second = lines.find((line) => line.start >= closer.end);
  if (second)
    return {
      ok: false,
      reason: 'the text holds more than one fenced block, one program is wanted',
      hint: ONLY_PROGRAM,
      offset: second.start,
    };
  return { ok: true, source: text.slice(opener.end, closer.start), fenced: true };
};

/** The program in front of a block that holds nothing: its lines close a fence that was never opened. */
const beforeEmptyBlock = (
  text: string,
  opener: FenceLine,
  lines: readonly FenceLine[],
  read: Reader,
): Unwrapped | undefined => {
  const rest = lines.filter((line) => line.start >= opener.end);
  const closer = rest.length === 1 && closes(rest[0]!, opener) ? rest[0] : undefined;
  const isEmpty = text.slice(opener.end, closer?.start).trim() === '';
  if (!isEmpty || (rest.length > 0 && !closer)) return undefined;
  const source = text.slice(0, opener.start);
  // A block that is opened by a tag, or closed, may be meant: prose in front of it is no program.
  const isMeant = closer !== undefined || opener.tag !== '';
  return isMeant && read(source) === undefined ? undefined : { ok: true, source, fenced: true };
};

const withoutTicksAtEnd = (source: string, opener: FenceLine): string => {
  const trimmed = source.trimEnd();
  return trimmed.endsWith(opener.ticks) ? trimmed.slice(0, -opener.ticks.length) : source;
};

/** Ticks and program on one line. Blanks take the place of the ticks, so that columns stay. */
const inline = (text: string, start: number): Unwrapped => {
  const opening = /^`{3,}(?:(?:ts|typescript|js|javascript)(?=[ \t]))?/i.exec(text.slice(start))![0];
  const from = start + opening.length;
  let end = text.trimEnd().length;
  const isClosed = end >= from + 3 && text.startsWith('```', end - 3);
  while (isClosed && end > from && text[end - 1] === '`') end--;
  return {
    ok: true,
    source: `${' '.repeat(from)}${text.slice(from, isClosed ? end : text.length)}`,
    fenced: true,
  };
};

/**
 * Whether the first fence stands in prose. Three backticks in code are an empty template that tags the next one, which no
 * program means; where the text does not parse at all, what stands before must not leave a comment or a template open.
 */
const isOutsideOfCode = (text: string, opener: FenceLine, read: Reader): boolean => {
  const tree = read(text);
  const offset = opener.start + text.slice(opener.start).search(/[`~]/);
  if (tree) return opener.ticks.startsWith('`') && hasTemplateAt(tree, offset);
  const before = text.slice(0, opener.start);
  const isCommentOpen = before.lastIndexOf('/*') > before.lastIndexOf('*/');
  const ticks = before.replace(/\\./gs, '').split('`').length - 1;
  return !isCommentOpen && ticks % 2 === 0;
};

const hasTemplateAt = (tree: TreeNode, offset: number): boolean => {
  let found = false;
  walk(tree, (node) => {
    if (found || node.end <= offset) return false;
    // Whatever stands before, the second of the three opens the template that the first two tag.
    const tagged = node.type === 'TaggedTemplateExpression' ? nodeAt(node, 'quasi') : undefined;
    if (tagged?.start === offset + 2) found = true;
    return undefined;
  });
  return found;
};
