import type { FileDiff } from '../contract/views.js';
import { type LineEdit, lineEdits } from './line-edits.js';

/**
 * What a diff card shows of a changed file: its hunks, each with lines of context, or the whole file when it is new.
 *
 * Equal texts have no hunk. Line ends are kept as they are.
 *
 * @param before the text before the change; `null` when there was no file
 * @param context lines that are shown around a change. @default 3
 * @example
 * presentResult: (args, result) => ({ card: 'diff', diffs: fileDiffs(args.path, before, after) })
 */
export function fileDiffs(
  path: string,
  before: string | null,
  after: string,
  context = 3,
): readonly FileDiff[] {
  if (before === null) return [{ path, oldText: null, newText: after }];
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  return hunks(lineEdits(oldLines, newLines), context).map((edits) => {
    const first = edits[0]!;
    const last = edits.at(-1)!;
    const lead = Math.min(context, first.from);
    return {
      path,
      oldText: oldLines.slice(first.from - lead, last.to + context).join(''),
      newText: newLines.slice(first.newFrom - lead, last.newTo + context).join(''),
    };
  });
}

/** Edits whose contexts touch share a hunk. */
function hunks(edits: readonly LineEdit[], context: number): readonly LineEdit[][] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group !== undefined && previous !== undefined && edit.from - previous.to <= 2 * context)
      group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
