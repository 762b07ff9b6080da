import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEngines } from './bare-engine.ts';
import { engines, GuestHost, type GuestRun } from './guest-host.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/language');
const samples = readFileSync(join(FOLDER, 'samples.txt'), 'utf8')
  .split('\n----\n')
  .map((sample) => sample.trim());
/** Lists every object that can be reached, with its prototype, its keys and each property's descriptor. */
const world = readFileSync(join(FOLDER, 'world.js'), 'utf8');

const REMOVED = ['WebAssembly', 'SharedArrayBuffer', 'Atomics'];
const ADDED = [
  'setTimeout setInterval clearTimeout clearInterval queueMicrotask AbortController AbortSignal TextEncoder',
  'TextDecoder atob btoa structuredClone URL URLSearchParams performance crypto',
].flatMap((line) => line.split(' '));

function endOf({ failure, hasValue, value }: GuestRun): string {
  if (failure === undefined) return `value ${hasValue ? JSON.stringify(value) : 'undefined'}`;
  return failure.kind === 'syntax' ? 'syntax' : `${failure.kind} ${failure.message.split('\n')[0]}`;
}

describe.each(engines)('the language, %s', (engine) => {
  let host: GuestHost;
  const bare = bareEngines[engine];
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  it('M16: every object, prototype and descriptor of a fresh world is the bare engine’s, but for what is listed', async () => {
    const { value } = await host.run(world);
    const ours = new Set(value as string[]);
    const engines = new Set(JSON.parse((await bare(world)).slice('value '.length)) as string[]);
    const isListed = (line: string) =>
      line.startsWith('globalThis keys ') ||
      ['console', ...REMOVED, ...ADDED].some((name) =>
        new RegExp(`^globalThis\\.${name}(?![\\w$])`).test(line),
      );
    expect([...engines].filter((line) => !ours.has(line) && !isListed(line))).toEqual([]);
    expect([...ours].filter((line) => !engines.has(line) && !isListed(line))).toEqual([]);
    expect(ours.size).toBeGreaterThan(2500);

    // Symbols come last.
    const namesOf = (lines: Set<string>) =>
      [...lines]
        .find((line) => line.startsWith('globalThis keys '))!
        .slice('globalThis keys '.length)
        .split(',')
        .filter((name) => name !== 'console' && !name.startsWith('['));
    const kept = namesOf(engines).filter((name) => !REMOVED.includes(name));
    expect(namesOf(ours)).toEqual([...kept, ...ADDED]);
  });

  it('M11: a program means what the same text means as a strict body in the bare engine: values, errors, order of jobs', async () => {
    const differences: string[][] = [];
    for (const sample of samples) {
      const [wanted, got] = [await bare(sample), endOf(await host.run(sample))];
      // A missing name is told alike on both engines.
      const alike = wanted.replace(/^(exception ReferenceError: )'(\w+)' is/, '$1$2 is');
      if (got !== alike) differences.push([sample, alike, got]);
    }
    expect(differences).toEqual([]);
    expect(samples.length).toBeGreaterThan(300);
  });

  it('M11: sloppy code runs where a program asks for it, by an indirect eval or the constructor of functions', async () => {
    const program = `return [(0, eval)('(function () { return this === globalThis })()'), new Function('with ({ x: 1 }) return x')(), (0, eval)('010'), typeof this]`;
    expect((await host.run(program)).value).toEqual([true, 1, 8, 'undefined']);
  });

  it('M11: what the newest editions add to patterns is for the engine to judge', async () => {
    const patterns = ['/(?i:a)b/', '/(?<y>a)|(?<y>b)/', '/(?-i:a)(?<z>b)\\k<z>/i'];
    for (const pattern of patterns) {
      const program = `return ${pattern}.source`;
      expect([pattern, endOf(await host.run(program))]).toEqual([pattern, await bare(program)]);
    }
    const { failure } = await host.run('const n = 1;\nreturn /(/.test(n)');
    expect(failure).toMatchObject({ kind: 'syntax', position: { line: 2, column: 8 } });
  });
});
