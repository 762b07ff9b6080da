import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTypeChecker, type TypeCheckReport } from '#dist/bridge/index.js';
import { findChecker } from '#dist/bridge/type-check/find-checker.js';
import { LIBRARY_PARTS } from '#dist/bridge/type-check/libraries.js';
import { sandboxRuntime } from '#dist/runtime/index.js';
import { prepared, realTools } from './programs.ts';

const found = findChecker(undefined);
const libraryFolder = 'libraryFolder' in found ? found.libraryFolder : dirname('');

/** What a library of the checker is made of, down to those that are made of nothing. */
function partsOf(name: string): string[] {
  if (name === 'es2016') return [name];
  const text = readFileSync(join(libraryFolder, `lib.${name}.d.ts`), 'utf8');
  const named = [...text.matchAll(/^\/\/\/ <reference lib="(.*)" \/>/gm)].map((match) => match[1]!);
  return /^(?:declare|interface|type) /m.test(text) ? [name] : named.flatMap(partsOf);
}

const NEWER = [
  'const byLength = Object.groupBy(["a", "bb"], (text) => text.length);\nreturn Object.keys(byLength);',
  'return new Set([1]).union(new Set([2])).size;',
  'return [1, 2].values().map((n) => n * 2).toArray();',
  'return Iterator.from([1]).toArray();',
];

describe('the libraries that a program is checked against', () => {
  const reports: TypeCheckReport[] = [];
  const checker = createTypeChecker({ deadlineMs: 20_000, onReport: (report) => reports.push(report) });
  afterAll(() => checker.dispose());
  let sent = 0;
  const check = (text: string, missingLibraries: readonly string[] | undefined) => {
    sent += 1;
    return checker.check(prepared(`${text} // ${sent}`), { tools: realTools, missingLibraries });
  };

  it('C70: together they are all that the checker has', () => {
    expect([...LIBRARY_PARTS].sort()).toEqual([...new Set(partsOf('esnext'))].sort());
  });

  it('C70: what an engine lacks is refused before anything runs, and passes on an engine that has it', async () => {
    const lacking = ['es2024.object', 'es2025.collection', 'es2025.iterator', 'esnext.collection'];
    for (const text of NEWER) {
      expect((await check(text, lacking))?.kind, text).toBe('type-check');
      expect(await check(text, []), text).toBeUndefined();
    }
    expect((await check(NEWER[0]!, lacking))?.message).toContain(
      "line 1, column 25: This engine has no 'groupBy' on Object: it is newer than the language level",
    );
    expect((await check(NEWER[2]!, lacking))?.message).toContain(
      "This engine's iterators have no 'map': make an array first, [...iterator]",
    );
    expect((await check(NEWER[3]!, lacking))?.message).toContain(
      "There is no value 'Iterator' here, only a type of that name",
    );
  });

  it.each([
    'return Object.groupBy ? Object.groupBy([1], String) : {};',
    'try { return Object.groupBy([1], String); } catch { return {}; }',
    'return Object.groupBy?.([1], String);',
    'if (typeof Iterator === "undefined") return 1;',
    'Object.groupBy ??= (items, by) => ({ [by(items[0])]: items });\nreturn Object.groupBy([1], String);',
  ])('C70: a program that asks first, or catches, is not refused: %j', async (text) => {
    expect(await check(text, ['es2024.object', 'es2025.iterator'])).toBeUndefined();
  });

  it('C70: of an engine that does not say what it has, what is newer is only a warning', async () => {
    for (const text of NEWER) {
      expect(await check(text, undefined)).toBeUndefined();
      expect(reports.at(-1)).toMatchObject({ status: 'checked', total: 0, warnings: [expect.anything()] });
    }
  });

  it('C70: Intl is refused where the engine has none, unless the program asks for it', async () => {
    const text = 'const n = 1;\nreturn new Intl.NumberFormat("de").format(n);';
    expect(await check(text, [])).toBeUndefined();
    expect(await check(text, ['intl'])).toMatchObject({
      position: { line: 2, column: 12 },
      message: expect.stringContaining('There is no Intl in this engine: format by hand'),
    });
    const careful = 'return typeof Intl === "undefined" ? "1" : new Intl.NumberFormat("de").format(1);';
    expect(await check(careful, ['intl'])).toBeUndefined();
  });

  it('C70: a library that the host names holds for every engine', async () => {
    const modern = createTypeChecker({ deadlineMs: 20_000, library: 'esnext' });
    try {
      const run = { tools: realTools, missingLibraries: ['es2024.object'] };
      expect(await modern.check(prepared(NEWER[0]!), run)).toBeUndefined();
    } finally {
      await modern.dispose();
    }
  });

  it.each(['isolated-vm', 'quickjs'] as const)(
    'C70, W10: on %s exactly the programs pass that run',
    async (engine) => {
      const runtime = sandboxRuntime({ engine });
      try {
        await runtime.warm();
        for (const text of NEWER) {
          const failure = await check(text, runtime.missingLibraries);
          const { error } = await runtime.run({ program: text, bindings: [] });
          expect({ text, passes: failure === undefined }).toEqual({ text, passes: error === undefined });
        }
      } finally {
        await runtime.dispose();
      }
    },
  );
});
