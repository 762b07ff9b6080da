import type { PreparedProgram, SourcePosition } from '../../contract/code-runtime.js';
import { type Body, readBody } from './body.js';
import { applyEdits, type Edit } from './edits.js';
import { eraseTypes } from './erase.js';
import { unwrapFence } from './fence.js';
import { type Form, formOf } from './form.js';
import { type Lines, linesOf } from './lines.js';
import { mergedRefusal } from './merged.js';
import { parseJavaScript, parseStrictly, type SyntaxProblem } from './parse.js';
import { lineMapper, mapped, type PlacedCode } from './placed-code.js';
import type { PreparedRun, ReadyRun } from './prepared-run.js';
import { refuse, refuseConstruct, refuseText } from './refuse.js';
import { isSameTree } from './same-tree.js';
import { isTypeOnly, type Survey, surveyOf } from './survey.js';
import type { NamedMembers } from './tool-names.js';
import { transformBody } from './transform.js';
import { flatten, type PlacedNode } from './tree.js';

/**
 * Turns the model's raw text into one expression that an engine compiles, or into the failure that it is.
 *
 * Total and without side effects: nothing of the text runs.
 *
 * @param text - The `code` argument as the model sent it.
 * @param parameters - The names that the program gets: namespaces and error classes.
 * @param namespaces - What there is to call, for the texts of refusals.
 * @example
 * const run = prepareProgram('const n: number = 1; n + 1', ['tools', 'ToolCallError']);
 * if (run.ok) engine.compile(run.code, { columnOffset: run.columnOffset });
 */
export const prepareProgram = (
  text: string,
  parameters: readonly string[],
  namespaces: readonly NamedMembers[] = [],
): PreparedRun => {
  try {
    return prepare(text, parameters, namespaces);
  } catch {
    // Only the depth of a tree that still could be parsed gets here.
    return refuse(text, { reason: 'the program is nested too deeply to be read', offset: 0 });
  }
};

const prepare = (
  text: string,
  parameters: readonly string[],
  namespaces: readonly NamedMembers[],
): PreparedRun => {
  const unwrapped = unwrapFence(text, (stretch) => {
    const read = readBody(stretch);
    return read.ok ? read.body.program : undefined;
  });
  if (!unwrapped.ok) return refuse(text, unwrapped);
  const { source, fenced } = unwrapped;
  const read = readBody(source);
  if (!read.ok) return refuseText(source, read.problem);
  const { body } = read;
  const nodes = flatten(body.program, isTypeOnly);
  const survey = surveyOf(nodes);
  const refusal = survey.refusal ?? (survey.nonErasable ? mergedRefusal(nodes) : undefined);
  if (refusal) return refuseConstruct(source, refusal, namespaces);
  const form = formOf(body, survey, parameters);
  const head = `(function(${parameters.join(',')}){"use strict";return async function(){`;
  const lines = linesOf(source);
  const placed = placedCode({ body, nodes, survey, form, lines });
  if (!placed.ok) return refuse(source, placed);
  const ready: ReadyRun = {
    ok: true,
    code: `${head}${placed.code.text}\n}})`,
    columnOffset: -head.length,
    prepared: {
      ...typedParts(body, form, source),
      lineMap: lineMapper(lines.count, form.tail),
      form: [fenced ? 'fenced' : '', form.kind === 'function' || !fenced ? form.kind : '']
        .filter(Boolean)
        .join(' '),
    },
    source,
    toSource: placed.code.toSource,
    implicit: form.implicit,
    ...(placed.code.isLinear ? { linear: { lineShift: 0, firstLineColumnShift: 0 } } : {}),
    ...(form.uncalled === undefined ? {} : { uncalledFunction: form.uncalled }),
  };
  return ready;
};

type Placed = { ok: true; code: PlacedCode } | ({ ok: false } & SyntaxProblem);

interface Parts {
  readonly body: Body;
  readonly nodes: readonly PlacedNode[];
  readonly survey: Survey;
  readonly form: Form;
  readonly lines: Lines;
}

/** The program in JavaScript: as it is, with its types blanked, or rewritten where blanking would change it. */
const placedCode = (parts: Parts): Placed => {
  const { body, survey, form, lines } = parts;
  const erased = survey.nonErasable ? undefined : erasedText(parts);
  const edits = [...form.edits, ...argumentsEdits(survey)];
  if (erased !== undefined) return { ok: true, code: mapped(lines, applyEdits(erased, edits), form.tail) };
  const strict = parseStrictly(body.text, body.lead);
  if (!strict.ok) return { ok: false, ...strict.problem };
  const edited = applyEdits(body.text, edits);
  const done = transformBody(`${edited.text}${form.tail}`);
  if (done.ok) return { ok: true, code: mapped(lines, edited, form.tail, done) };
  const at: SourcePosition = mapped(lines, edited, form.tail).toSource(done.line, done.column) ?? {
    line: 1,
    column: 1,
  };
  return { ok: false, reason: done.reason, offset: lines.startOf(at.line) + at.column - 1 };
};

/** @returns `undefined` when the types cannot be cut out without changing the program. */
const erasedText = ({ body, nodes, form }: Parts): string | undefined => {
  const erased = eraseTypes(body.text, nodes, form.spared);
  if (erased === undefined) return body.text;
  const parsed = parseJavaScript(erased, body.lead);
  return parsed.ok && isSameTree(body.program, parsed.program, erased) ? erased : undefined;
};

const argumentsEdits = (survey: Survey): Edit[] =>
  survey.ownArguments.map(({ node, shorthand }) => ({
    start: node.start,
    end: node.end,
    text: shorthand ? 'arguments:undefined' : 'undefined',
  }));

/** The program as a checker of types reads it: still typed, with the call that makes its value. */
const typedParts = (
  body: Body,
  form: Form,
  source: string,
): Pick<PreparedProgram, 'typedText' | 'source' | 'columnShifts'> => {
  const original = body.text === source && form.kind !== 'function' ? {} : { source };
  if (form.kind !== 'function') return { typedText: body.text, ...original };
  const { text, shifts } = applyEdits(body.text, form.edits);
  return {
    typedText: `${text}${form.tail}`,
    ...original,
    ...(shifts.length === 0 ? {} : { columnShifts: shifts }),
  };
};
