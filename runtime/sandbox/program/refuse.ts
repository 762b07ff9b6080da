import { codeFrame } from './code-frame.js';
import { endOfContent, linesOf } from './lines.js';
import type { RefusedRun } from './prepared-run.js';
import { looksLikeShell, SHELL_HINT } from './shell.js';
import type { Refusal } from './survey.js';
import { type NamedMembers, toolsSentence } from './tool-names.js';

/** A failure of kind `syntax` at a place of the text. */
export const refuse = (
  source: string,
  problem: { readonly reason: string; readonly offset: number; readonly hint?: string | undefined },
): RefusedRun => {
  const position = linesOf(source).positionOf(Math.min(problem.offset, endOfContent(source)));
  const hint = looksLikeShell(source) ? SHELL_HINT : (problem.hint ?? brokenBreaks(source));
  return {
    ok: false,
    failure: {
      kind: 'syntax',
      message: `SyntaxError: ${problem.reason}`,
      position,
      frame: codeFrame(source, position),
      ...(hint === undefined ? {} : { hint }),
    },
  };
};

/** A failure for a construct that parses and is not available. */
export const refuseConstruct = (
  source: string,
  refusal: Refusal,
  namespaces: readonly NamedMembers[],
): RefusedRun =>
  refuse(source, { reason: refusal.reason, offset: refusal.offset, hint: insteadOf(refusal, namespaces) });

const insteadOf = (refusal: Refusal, namespaces: readonly NamedMembers[]): string | undefined => {
  switch (refusal.instead) {
    case 'modules':
      return `A program cannot load modules. ${toolsSentence(namespaces)}`;
    case 'return':
      return 'A program is no module: write its statements at the top level and `return` the value.';
    case 'decorators':
      return 'Apply the function by hand, e.g. `const Marked = mark(class { … });`.';
    case 'accessors':
      return 'Write a field, or a getter and a setter.';
    case 'using':
      return 'Write try … finally.';
    case 'none':
      return undefined;
  }
};

/** A program whose line breaks arrived escaped is one long line with backslashes in it. */
const brokenBreaks = (source: string): string | undefined =>
  !/[\r\n]/.test(source.trim()) && /\\n/.test(source)
    ? 'Send line breaks as line breaks, not as the two characters \\ and n.'
    : undefined;
