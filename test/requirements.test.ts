import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from './requirements.ts';

/** Sections whose every id must be named by the title of a test. */
const CLAIMED_SECTIONS: readonly string[] = [
  '1',
  '2',
  '3',
  '4',
  '5.1',
  '5.3',
  '5.4',
  '5.5',
  '5.6',
  '5.7',
  '5.8',
  '6',
  '7',
  '8',
  '11',
];

/** Ids of other sections that must be claimed too. */
const CLAIMED_IDS: readonly string[] = [
  'P64',
  'P65',
  'P66',
  'R65',
  'Q6',
  'E17',
  'E18',
  'E19',
  'E20',
  'E21',
  'E22',
  'E23',
  'E24',
  'E25',
  'E26',
  'E27',
  'E28',
  'E29',
  'E30',
  'E31',
  'E32',
  'E33',
  'E34',
  'E35',
  'E66',
  'E67',
  'E68',
  'E69',
  'E70',
  'E71',
  'E72',
  'E73',
  'E74',
  'E75',
  'E76',
  'E77',
  'E78',
  'E79',
  'E80',
  'E81',
  'E82',
  'E83',
  'E84',
  'E85',
  'E86',
  'E87',
  'E88',
  'E89',
  'E90',
  'E91',
  'E92',
  'E93',
  'E94',
  'E95',
  'E119',
  'E125',
  'E126',
  'E127',
  'E96',
  'E97',
  'E98',
  'E99',
  'E100',
  'E101',
  'E102',
  'E104',
  'E105',
  'E106',
  'E109',
  'E110',
  'E111',
  'E112',
  'E114',
  'E115',
  'E128',
];

const TITLE = /\b(?:it|test)(?:\.\w+\([^)]*\))?\(\s*(['"`])((?:(?!\1).)*)\1/gs;
const ID = /\b[A-Z]\d{1,3}\b/g;

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : testFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function claimedIds(): Map<string, string> {
  const claimed = new Map<string, string>();
  for (const file of testFiles('test')) {
    for (const match of readFileSync(file, 'utf8').matchAll(TITLE)) {
      for (const [id] of (match[2] ?? '').matchAll(ID)) claimed.set(id, file);
    }
  }
  return claimed;
}

describe('requirements', () => {
  const claimed = claimedIds();

  it('every required id is named by the title of a test', () => {
    const inSection = (section: string) =>
      CLAIMED_SECTIONS.some((wanted) => section === wanted || section.startsWith(`${wanted}.`));
    const unclaimed = [...requirements]
      .filter(([id, { section }]) => inSection(section) || CLAIMED_IDS.includes(id))
      .filter(([id]) => !claimed.has(id))
      .map(([id, { claim }]) => `${id}: ${claim}`);
    expect(unclaimed).toEqual([]);
  });

  it('no test names an id that does not exist', () => {
    const letters = new Set([...requirements.keys()].map((id) => id[0]));
    const unknown = [...claimed].filter(([id]) => letters.has(id[0]) && !requirements.has(id));
    expect(unknown).toEqual([]);
  });
});
