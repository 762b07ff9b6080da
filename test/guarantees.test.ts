import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../docs');
/** A link to a test, with the title of one of its tests. */
const LINK = /\]\((\.\.\/test\/[\w./-]+) "([^"]+)"\)/g;

describe('docs/guarantees.md', () => {
  const text = readFileSync(join(FOLDER, 'guarantees.md'), 'utf8');

  it('every statement is linked to a test that exists, by a title that it has', () => {
    const links = [...text.matchAll(LINK)];
    const broken = links.filter(([, file = '', title = '']) => {
      const path = join(FOLDER, file);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
    expect(links.length).toBeGreaterThan(40);
  });

  it('no statement of the list stands without a test', () => {
    const statements = text
      .split('\n## ')
      .slice(1)
      .join('\n')
      .split(/\n(?=- )/)
      .filter((part) => part.startsWith('- '));
    const untested = statements.filter(
      (part) => !part.includes('](../test/') && !part.includes('(untested)'),
    );
    expect(untested).toEqual([]);
  });
});
