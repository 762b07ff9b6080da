import { stem } from './words.js';

/** Words that tools and people use for one thing. The first word names the family. */
const FAMILIES: readonly string[] = [
  // What is done.
  'get read fetch retrieve load show view obtain display describe print inspect peek cat see',
  'list enumerate browse index catalog overview ls',
  'search find query lookup look filter match grep locate seek discover scan',
  'create add make new insert generate build register append provision compose initialize init',
  'update edit modify change set patch alter adjust replace revise rewrite amend configure tweak',
  'delete remove drop erase destroy clear purge discard trash unset wipe rm uninstall',
  'send post publish deliver submit notify dispatch emit broadcast forward reply share',
  'move transfer relocate migrate shift rename mv reorder',
  'copy clone duplicate replicate fork mirror cp backup',
  'run execute invoke start launch trigger perform evaluate eval',
  'stop cancel abort end terminate kill halt close shutdown suspend pause disable',
  'upload import attach ingest push',
  'download export extract dump',
  'write save store persist record put',
  'check verify validate test examine diagnose confirm ensure monitor watch',
  'compare diff contrast',
  'merge combine join union concat aggregate',
  'count number total sum tally statistics stats',
  'convert transform translate',
  'navigate goto go visit open browse',
  'zip gzip compress archive pack',
  'sum add plus calculate compute',
  'assign allocate grant allow permit authorize invite',
  'revoke deny unassign block ban forbid',
  // What it is done to.
  'folder directory dir',
  'repository repo',
  'picture image photo screenshot',
  'email mail inbox',
  'message msg chat',
  'user person people member account',
  'document doc file',
  'issue ticket bug task todo',
  'web website url link page browser',
  'event meeting appointment calendar',
  'database db table sql',
  'environment env variable',
];

const members = FAMILIES.map((line) => [...new Set(line.split(' ').map(stem))]);
const families = new Map<string, number[]>();
members.forEach((words, family) => {
  for (const word of words) families.set(word, [...(families.get(word) ?? []), family]);
});

/** The words that can stand for a stemmed word, without itself. */
export function relatives(word: string): readonly string[] {
  const related = (families.get(word) ?? []).flatMap((family) => members[family]!);
  return [...new Set(related)].filter((other) => other !== word);
}
