import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from './requirements.ts';

/** A title follows `it(`, `it.skipIf(…)(` or the end of a table: `])(`. */
const TITLE = /(?:\b(?:it|test)(?:\.\w+\([^)]*\))?|\]\s*,?\s*\))\(\s*(['"`])((?:(?!\1).)*)\1/gs;
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

  it('every requirement is named by the title of a test', () => {
    const unclaimed = [...requirements]
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
