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
    const prefix = prefixOf(name);
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, [name]);
    else group.push(name);
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

const prefixes = new Map<string, string>();
/** More names than this are not remembered. */
const MOST_NAMES = 20_000;

/** How a name begins, where it is in a group by that. A budget is met by trying, so the same names come many times. */
function prefixOf(name: string): string {
  const known = prefixes.get(name);
  if (known !== undefined) return known;
  const prefix = PLAIN.test(name) ? (PREFIX.exec(name)?.[0] ?? '') : '';
  if (prefixes.size < MOST_NAMES) prefixes.set(name, prefix);
  return prefix;
}

function line(head: string, names: readonly string[], counted: boolean): string {
  const written = names.map((name) => (PLAIN.test(name) ? name : JSON.stringify(name)));
  return `${head} (${names.length})${counted ? '' : `: ${written.join(', ')}`}`;
}
