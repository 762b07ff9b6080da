import { afterAll, describe, expect, it } from 'vitest';
import { createTools, ptcExecutor, sandboxRuntime } from '#dist/index.js';
import { expectedLanguageLevel } from '#dist/runtime/sandbox/expected-language.js';
import { languageOf } from '#dist/runtime/sandbox/language.js';

/** Something of each part, as a program would use it. */
const USES: Readonly<Record<string, string>> = {
  'es2017.sharedmemory': 'new SharedArrayBuffer(8)',
  intl: 'new Intl.NumberFormat("en").format(1)',
  'es2022.regexp': 'new RegExp("a", "d").exec("a").indices[0]',
  'es2023.array': '[2, 1].toSorted()',
  'es2023.collection': 'new WeakMap().set(Symbol("a"), 1)',
  'es2024.arraybuffer': 'new ArrayBuffer(8).transfer(4)',
  'es2024.collection': 'Map.groupBy([1], String).size',
  'es2024.object': 'Object.groupBy([1], String)',
  'es2024.promise': 'Promise.withResolvers().resolve(1)',
  'es2024.regexp': 'new RegExp("[a--b]", "v").test("a")',
  'es2024.string': '"a".isWellFormed()',
  'es2025.collection': 'new Set([1]).isSubsetOf(new Set())',
  'es2025.float16': 'new Float16Array(1)',
  'es2025.iterator': '[1].values().map(String).toArray()',
  'es2025.promise': 'Promise.try(() => 1)',
  'es2025.regexp': 'RegExp.escape("a.b")',
  'esnext.array': 'Array.fromAsync([1])',
  'esnext.collection': 'new Map().getOrInsert(1, 2)',
  'esnext.date': 'new Date().toTemporalInstant()',
  'esnext.disposable': 'new DisposableStack()[Symbol.dispose]()',
  'esnext.error': 'Error.isError(1)',
  'esnext.temporal': 'Temporal.Now.instant()',
  'esnext.typedarrays': 'Uint8Array.fromBase64("AAAA").toHex()',
};

describe('the language level', () => {
  it('C23: the level is the newest edition without a gap, and Intl is named where it is missing', () => {
    expect(languageOf('').level).toBe('ES2025');
    expect(languageOf('6').level).toBe('ES2023');
    expect(languageOf('6').missing).toEqual(['es2024.collection']);
    expect(languageOf('0').level).toBe('ES2025');
    expect(languageOf('1,20').level).toBe('ES2025 without Intl');
    expect(languageOf('11,4').level).toBe('ES2022');
    expect(languageOf('999,nonsense')).toEqual({ level: 'ES2025', missing: [] });
  });

  it('C23: before a sandbox is there, the level of V8 is that of its version', () => {
    const of = (v8: string) => expectedLanguageLevel('isolated-vm', v8);
    expect(of('11.3.244.8-node.33')).toBe('ES2023');
    expect(of('12.4.254.21-node.33')).toBe('ES2024');
    expect(of('13.6.233.10-node.28')).toBe('ES2025');
    expect(of('14.0.1')).toBe('ES2025');
    expect(expectedLanguageLevel('auto')).toBe(expectedLanguageLevel('isolated-vm'));
  });
});

describe.each(['isolated-vm', 'quickjs'] as const)('the language that %s speaks', (engine) => {
  const runtime = sandboxRuntime({ engine });
  afterAll(() => runtime.dispose());

  it('W10: what the sandbox says that it lacks is what a program does not find', async () => {
    const expected = runtime.languageLevel;
    expect(runtime.missingLibraries).toBeUndefined();
    await runtime.warm();
    // What is told before a sandbox is there turns out to be so.
    expect(runtime.languageLevel).toBe(expected);
    const lacking: string[] = [];
    for (const [part, use] of Object.entries(USES)) {
      const { error } = await runtime.run({ program: `${use};`, bindings: [] });
      if (error !== undefined) lacking.push(part);
    }
    expect(lacking).toEqual(Object.keys(USES).filter((part) => runtime.missingLibraries?.includes(part)));
  });

  it('C23: the text that a model reads names it', () => {
    const tools = createTools();
    tools.setExecutor(ptcExecutor({ runtime }));
    const textOf = () => tools.describe().sections?.find(({ id }) => id === 'ptc/sdk')?.text;
    expect(textOf()).toContain(`Write TypeScript or JavaScript (${runtime.languageLevel}); `);
    tools.setExecutor(ptcExecutor({ runtime, sdk: { languageLevel: 'ES5' } }));
    expect(textOf()).toContain('Write TypeScript or JavaScript (ES5); ');
  });
});
