import type { CallFailures } from '../call-table-types.js';
import type { Kit, Space } from '../kit.js';

/** A rejection for a name that is no member, with the names that come closest. */
export function unknownMemberPart(kit: Kit): (space: Space, name: unknown, below: unknown) => object {
  const { create, charCodeAt: charCode, slice, stringify } = kit;
  const LONGEST = 48;
  const SUGGESTIONS = 3;
  const COMPARED = 200;
  const PAIRS = 16;

  // Letters and digits only, in lower case: models guess the words right and the joints wrong.
  const plain = (name: string) => {
    let text = '';
    for (let i = 0; i < name.length && text.length < LONGEST; i++) {
      const unit = charCode(name, i);
      const upper = unit >= 65 && unit <= 90;
      const keep = unit > 127 || (unit >= 48 && unit <= 57) || upper || (unit >= 97 && unit <= 122);
      if (keep) text += upper ? kit.fromCharCode(unit + 32) : name[i];
    }
    return text;
  };

  const distance = (a: string, b: string): number => {
    let before = create(null) as unknown as Record<number, number>;
    let row = create(null) as unknown as Record<number, number>;
    for (let j = 0; j <= b.length; j++) before[j] = j;
    for (let i = 1; i <= a.length; i++) {
      row[0] = i;
      for (let j = 1; j <= b.length; j++) {
        const change = (before[j - 1] as number) + (charCode(a, i - 1) === charCode(b, j - 1) ? 0 : 1);
        const add = (row[j - 1] as number) + 1;
        const drop = (before[j] as number) + 1;
        row[j] = change < add ? (change < drop ? change : drop) : add < drop ? add : drop;
      }
      const swap = before;
      before = row;
      row = swap;
    }
    return before[b.length] as number;
  };

  // A name that holds the other whole is as good as two slips away.
  const score = (a: string, b: string): number => {
    const far = distance(a, b);
    const holds = a !== '' && b !== '' && (kit.indexOf(a, b) >= 0 || kit.indexOf(b, a) >= 0);
    return holds && far > 2 ? 2 : far;
  };

  // To compare thousands of names letter by letter takes seconds: only those that share most pairs of letters are.
  const likely = (wanted: string, members: readonly string[]): ArrayLike<string> => {
    if (members.length <= COMPARED) return members;
    const pairs = create(null) as unknown as Record<number, string>;
    const step = wanted.length > PAIRS ? wanted.length / PAIRS : 1;
    let count = 0;
    for (let at = 0; at + 1 < wanted.length; at += step) {
      const start = at | 0;
      pairs[count++] = slice(wanted, start, start + 2);
    }
    const shared = create(null) as unknown as Record<number, number>;
    const having = create(null) as unknown as Record<number, number>;
    for (let m = 0; m < members.length; m++) {
      let some = 0;
      for (let p = 0; p < count; p++) if (kit.indexOf(members[m] as string, pairs[p] as string) >= 0) some++;
      shared[m] = some;
      having[some] = (having[some] ?? 0) + 1;
    }
    let least = count;
    for (let sum = having[least] ?? 0; least > 0 && sum < COMPARED; sum += having[least] ?? 0) least--;
    const found = create(null) as unknown as { [index: number]: string; length: number };
    found.length = 0;
    // Those that share more come first, so that the limit takes none of them.
    for (let some = count; some >= least && found.length < COMPARED; some--) {
      for (let m = 0; m < members.length && found.length < COMPARED; m++) {
        if (shared[m] === some) found[found.length++] = members[m] as string;
      }
    }
    return found;
  };

  const failures = () => kit.part<CallFailures>('callFailures');
  return (space, name, below) => {
    if (typeof name !== 'string') {
      const message =
        'Cannot call a member of "' +
        space.global +
        '" by name: wanted its name as a text, received ' +
        typeof name;
      return failures().refuse(space.index, '', message, 'INVALID_ARGS', below);
    }
    const wanted = plain(name);
    const best = create(null) as unknown as Record<number, string>;
    const scores = create(null) as unknown as Record<number, number>;
    let count = 0;
    const members = likely(wanted, space.members);
    for (let i = 0; i < members.length; i++) {
      const member = members[i] as string;
      const compared = plain(member);
      const far = score(wanted, compared);
      // Names that share hardly a letter are no suggestion.
      if (far * 4 >= (wanted.length > compared.length ? wanted.length : compared.length) * 3) continue;
      let at = count < SUGGESTIONS ? count : SUGGESTIONS;
      while (at > 0 && (scores[at - 1] as number) > far) at--;
      if (at >= SUGGESTIONS) continue;
      for (let j = SUGGESTIONS - 1; j > at; j--) {
        scores[j] = scores[j - 1] as number;
        best[j] = best[j - 1] as string;
      }
      scores[at] = far;
      best[at] = member;
      if (count < SUGGESTIONS) count++;
    }
    let closest = '';
    for (let i = 0; i < count; i++) closest += '' + (i === 0 ? '' : ', ') + stringify(best[i]);
    let ending = 'the closest names are ' + closest;
    if (closest === '')
      ending = 'no name is like it, Object.keys(' + space.global + ') gives those that exist';
    if (space.members.length === 0) ending = 'nothing can be called here';
    const message =
      'Unknown tool ' + stringify(slice(name, 0, 200)) + ' in "' + space.global + '": ' + ending;
    return failures().refuse(space.index, name, message, 'UNKNOWN_TOOL', below);
  };
}
