import { byText } from './keys.js';

/** Fewer tools than this are no group. */
const SMALLEST_GROUP = 3;
const PLAIN = /^[\w$./:-]+$/;
/** A server's separator first, then the signs that words of a name are joined with. */
const PREFIX = /^(?:.+__|[^./:_-]+(?:[./:-]|_))(?=.)/;

/**
 * Writes names in groups by how they begin: `github_ (3): list_issues, get_issue, close_issue`.
 *
 * @param counted whether only the groups and their sizes are written.
 */
export function groupedNames(names: readonly string[], counted: boolean): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const prefix = PLAIN.test(name) ? (PREFIX.exec(name)?.[0] ?? '') : '';
    groups.set(prefix, [...(groups.get(prefix) ?? []), name]);
  }
  const others = groups.get('') ?? [];
  const lines: string[] = [];
  for (const [prefix, members] of [...groups].sort(([a], [b]) => byText(a, b))) {
    if (prefix === '') continue;
    if (members.length < SMALLEST_GROUP) others.push(...members);
    else
      lines.push(
        line(
          prefix,
          members.map((name) => name.slice(prefix.length)),
          counted,
        ),
      );
  }
  if (others.length > 0) lines.push(line('others', [...others].sort(byText), counted));
  return lines.join('\n');
}

function line(head: string, names: readonly string[], counted: boolean): string {
  const written = names.map((name) => (PLAIN.test(name) ? name : JSON.stringify(name)));
  return `${head} (${names.length})${counted ? '' : `: ${written.join(', ')}`}`;
}
