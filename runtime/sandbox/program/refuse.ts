import { codeFrame } from './code-frame.js';
import { endOfContent, linesOf } from './lines.js';
import { otherThanProgram } from './other-text.js';
import type { RefusedRun } from './prepared-run.js';
import type { Refusal } from './survey.js';
import { type NamedMembers, toolsSentence } from './tool-names.js';

interface Problem {
  readonly reason: string;
  readonly offset: number;
  readonly hint?: string | undefined;
}

/** A failure of kind `syntax` at a place of the text. */
export const refuse = (source: string, { reason, offset, hint }: Problem): RefusedRun => {
  const position = linesOf(source).positionOf(Math.min(offset, endOfContent(source)));
  return {
    ok: false,
    failure: {
      kind: 'syntax',
      message: `SyntaxError: ${reason}`,
      position,
      frame: codeFrame(source, position),
      ...(hint === undefined ? {} : { hint }),
    },
  };
};

/** A failure for a text that does not parse. */
export const refuseText = (source: string, problem: Problem): RefusedRun =>
  refuse(source, { ...problem, hint: otherThanProgram(source, problem.offset) ?? problem.hint });

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
    case 'merged':
      return 'Declare it once, with all its members.';
    case 'none':
      return undefined;
  }
};
