import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fileSpillStore } from '#dist/policies/file-spill-store.js';
import { memorySpillStore } from '#dist/policies/memory-spill-store.js';
import { retainItems, retainText } from '#dist/policies/retention.js';
import { type SpillOptions, spill } from '#dist/policies/spill.js';
import type { SpilledText } from '#dist/policies/spill-store.js';
import type { ContentBlock } from '#dist/runtime/contract/content.js';
import type { PostToolDecision } from '#dist/runtime/contract/decisions.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost, textOf } from './policy-host.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image = (data: string): ContentBlock => ({ type: 'image', data, mimeType: 'image/png' });
const bytes = (value: string): number => Buffer.byteLength(value);

function spillingHost(
  options: Partial<SpillOptions> = {},
  content: readonly ContentBlock[] = [text('x'.repeat(1000))],
) {
  const host = policyHost();
  const store = memorySpillStore();
  const saved: SpilledText[] = [];
  const warned: string[] = [];
  const watching = {
    save: (entry: SpilledText) => {
      saved.push(entry);
      return store.save(entry);
    },
  };
  for (const name of ['big', 'read']) {
    host.tools.register(makeTool(name, { output: { schema: { type: 'string' }, render: () => content } }));
  }
  const inner: { decision?: PostToolDecision } = {};
  const dispose = spill(host.tools, {
    store: watching,
    onWarning: (message) => void warned.push(message),
    ...options,
  });
  host.tools.on('tools/post-execute', async (_exec, _result, next) => inner.decision ?? next());
  return { ...host, store, saved, warned, inner, dispose };
}

describe('spill', () => {
  it('Q7: without a limit nothing is registered; a limit that is negative or fractional fails the load', async () => {
    const host = spillingHost();
    expect((await host.call('big')).content).toEqual([text('x'.repeat(1000))]);
    expect(host.saved).toEqual([]);
    const store = memorySpillStore();
    for (const wrong of [-1, 1.5, Number.NaN, '10' as never]) {
      expect(() => spill(host.tools, { store, maxInlineBytes: wrong })).toThrow('"maxInlineBytes"');
      expect(() => spill(host.tools, { store, maxInlineTokens: wrong })).toThrow('"maxInlineTokens"');
    }
    expect(() => spill(host.tools, { maxInlineBytes: 1 } as never)).toThrow('"store"');
    expect(() => spill(host.tools, { store, maxInlineBytes: 1, maxInlineTokens: 1 })).toThrow(
      '"maxInlineTokens"',
    );
  });

  it('Q8, Q9: what is larger than the cap is saved whole; head, tail, a blank line and a notice stand in its place', async () => {
    const whole = `${'a'.repeat(600)}${'z'.repeat(400)}`;
    const host = spillingHost({ maxInlineBytes: 300 }, [text(whole.slice(0, 500)), text(whole.slice(500))]);
    const result = await host.call('big');
    expect(host.saved).toEqual([
      {
        owner: 'session of agent',
        source: { toolName: 'big', callId: expect.stringMatching(/^call-/), label: 'result' },
        suggestedName: 'big.txt',
        content: whole,
      },
    ]);
    const shown = textOf(result);
    expect(result.content).toHaveLength(1);
    expect(bytes(shown)).toBeLessThanOrEqual(300);
    const parts =
      /^(a+)\n\[…\]\n(z+)\n\n\[(\d+) bytes left out\. The whole text is at (memory:1)\. (.*)\]$/.exec(shown)!;
    const [, head, tail, omitted, locator, hint] = parts as unknown as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    expect(head.length - tail.length).toBeOneOf([0, 1]);
    expect(Number(omitted)).toBe(1000 - head.length - tail.length);
    expect(host.store.read(locator)?.content).toBe(whole);
    expect(hint).toBe('The host keeps the rest as memory:1.');
    expect(result.value).toBe('big');
  });

  it('Q8: it bounds what inner listeners made, wherever they are registered, and leaves blocks and replaced values alone', async () => {
    const host = spillingHost({ maxInlineBytes: 200 }, [text('small')]);
    host.inner.decision = { kind: 'accept', content: [text('y'.repeat(500))] };
    expect(bytes(textOf(await host.call('big')))).toBeLessThanOrEqual(200);
    expect(host.saved).toHaveLength(1);
    host.inner.decision = { kind: 'block', feedback: [text('n'.repeat(500))] };
    expect(textOf(await host.call('big'))).toBe('n'.repeat(500));
    host.inner.decision = { kind: 'accept', value: 'v'.repeat(500) };
    expect((await host.call('big')).value).toBe('v'.repeat(500));
    expect(host.saved).toHaveLength(1);
  });

  it('Q8: at the cap, of the tool read, or with a block that is no text, everything stays', async () => {
    const at = spillingHost({ maxInlineBytes: 300 }, [text('é'.repeat(150))]);
    expect(textOf(await at.call('big'))).toBe('é'.repeat(150));
    const over = spillingHost({ maxInlineBytes: 299 }, [text('é'.repeat(150))]);
    expect(textOf(await over.call('big'))).toContain('left out');
    const host = spillingHost({ maxInlineBytes: 10 });
    expect(textOf(await host.call('read'))).toHaveLength(1000);
    const mixed = spillingHost({ maxInlineBytes: 10 }, [text('x'.repeat(100)), image('AAAA')]);
    expect((await mixed.call('big')).content).toHaveLength(2);
    expect([at, host, mixed].map(({ saved }) => saved)).toEqual([[], [], []]);
  });

  it('Q9: with little room the preview is empty, and where the notice alone is too large the text stays', async () => {
    const host = spillingHost({ maxInlineBytes: 95 });
    expect(textOf(await host.call('big'))).toBe(
      '[1000 bytes left out. The whole text is at memory:1. The host keeps the rest as memory:1.]',
    );
    const none = spillingHost({ maxInlineBytes: 50 });
    expect(textOf(await none.call('big'))).toBe('x'.repeat(1000));
    expect(none.warned[0]).toContain('the notice alone is larger than the limit');
  });

  it('Q9: for any text and any cap the replacement fits, its parts are parts of the text, and its count is exact', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\n'), minLength: 200, maxLength: 600 }),
        fc.integer({ min: 100, max: 700 }),
        async (whole, cap) => {
          const host = spillingHost({ maxInlineBytes: cap }, [text(whole)]);
          const shown = textOf(await host.call('big'));
          if (bytes(whole) <= cap) {
            expect(shown).toBe(whole);
            return;
          }
          expect(bytes(shown)).toBeLessThanOrEqual(cap);
          const preview = shown.slice(0, shown.lastIndexOf('[')).replace(/\n\n$/, '');
          const [head, tail] = preview === '' ? ['', ''] : (preview.split('\n[…]\n') as [string, string]);
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          expect(shown).toContain(`[${bytes(whole) - bytes(head) - bytes(tail)} bytes left out.`);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('Q10: without a session, without a store, or when it fails, the text stays and somebody is told; contexts are kept', async () => {
    const noSession = spillingHost({ maxInlineBytes: 100 });
    expect(textOf(await noSession.call('big', {}, { agent: { id: 'bare' } }))).toHaveLength(1000);
    expect(textOf(await noSession.call('big', {}, { agent: undefined }))).toHaveLength(1000);
    expect(noSession.warned.map((line) => line.split(': ')[1])).toEqual(
      Array(2).fill('its agent has no session'),
    );
    const noStore = spillingHost({ maxInlineBytes: 100, store: () => undefined });
    expect(textOf(await noStore.call('big'))).toHaveLength(1000);
    expect(noStore.warned[0]).toContain('there is no store');
    const broken = spillingHost({
      maxInlineBytes: 100,
      store: { save: () => Promise.reject(new Error('disk full')) },
    });
    expect(outcomeOf(await broken.call('big'))).toBe('ok');
    expect(broken.warned[0]).toContain('disk full');
    const kept = spillingHost({ maxInlineBytes: 200 });
    const context = { role: 'user', content: [text('c')], source: { kind: 'plugin', plugin: 'p' } } as const;
    kept.inner.decision = { kind: 'accept', additionalContexts: [context] };
    const result = await kept.call('big');
    expect(result.additionalContexts).toEqual([context]);
    expect(textOf(result)).toContain('left out');
  });

  it('Q8, Q11: a sub-call keeps its content and its value; its logged copy is bounded, that of read too', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => [
          ((await tools['big']!()) as string).length,
          ((await tools['read']!()) as string).length,
        ],
      },
    });
    for (const name of ['big', 'read']) {
      host.tools.register(makeTool(name, { execute: async () => name.padEnd(1000, '.') }));
    }
    const saved: SpilledText[] = [];
    spill(host.tools, {
      maxInlineBytes: 200,
      store: {
        save: (entry) => {
          saved.push(entry);
          return { locator: 'L', bytes: 1, retrievalHint: 'H' };
        },
      },
    });
    expect((await host.run('main')).value).toEqual({ logs: [], result: [1000, 1000] });
    expect(saved.map(({ source }) => source)).toEqual([
      { toolName: 'big', callId: 'outer:ptc:1', label: 'dispatch' },
      { toolName: 'read', callId: 'outer:ptc:2', label: 'dispatch' },
    ]);
    const logged = host.agent
      .of('tool/ptc-dispatch')
      .map(({ content }) => (content as { text: string }[])[0]!.text);
    for (const copy of logged) {
      expect(bytes(copy)).toBeLessThanOrEqual(200);
      expect(copy).toContain('The whole text is at L. H]');
    }
  });
});

describe('spill by tokens', () => {
  const options = (maxInlineTokens: number): Partial<SpillOptions> => ({
    maxInlineTokens,
    countTokens: (value) => Math.ceil(bytes(value) / 4),
    imageTokens: (block) => ('data' in block && block.data === 'unknown' ? undefined : 100),
  });

  it('Q12: text and images share the budget, images stay or go whole in their order, and the notice counts them', async () => {
    const content = [image('one'), text('x'.repeat(2000)), image('two'), image('three')];
    const host = spillingHost(options(400), content);
    const result = await host.call('big');
    expect(result.content.slice(1)).toEqual([image('one')]);
    const shown = (result.content[0] as { text: string }).text;
    expect(shown).toMatch(/\[\d+ bytes and 2 images left out\./);
    expect(Math.ceil(bytes(shown) / 4) + 100).toBeLessThanOrEqual(400);
    expect(Math.ceil(bytes(shown) / 4) + 100).toBeGreaterThan(280);
    expect(host.saved[0]?.content).toBe('x'.repeat(2000));
  });

  it('Q12: an image without a price, or another kind of block, leaves everything as it is', async () => {
    for (const block of [image('unknown'), { type: 'audio', data: 'AAAA' }]) {
      const host = spillingHost(options(100), [text('x'.repeat(2000)), block]);
      expect((await host.call('big')).content).toHaveLength(2);
      expect(host.saved).toEqual([]);
    }
  });

  it('Q12: a sub-call that shows images is bounded first, and what is left of its text is forwarded without any', async () => {
    const host = ptcHost({ plays: { main: ({ tools }) => tools['shot']!() } });
    host.tools.register(
      makeTool('shot', {
        output: { schema: {}, render: () => [text('x'.repeat(2000)), image('one'), image('two')] },
      }),
    );
    spill(host.tools, {
      store: memorySpillStore(),
      ...options(150),
      imageTokens: () => 200,
    } as SpillOptions);
    const result = await host.run('main');
    expect(result.additionalContexts).toHaveLength(1);
    const [context] = result.additionalContexts!;
    expect(context!.source).toEqual({ kind: 'plugin', plugin: 'tools-ptc' });
    expect(context!.content).toHaveLength(1);
    expect((context!.content[0] as { text: string }).text).toMatch(/bytes and 2 images left out/);
  });
});

describe('stores of texts', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const entry = (suggestedName: string, content = 'text'): SpilledText => ({
    owner: 'session/../1',
    source: { toolName: 't', callId: 'c', label: 'result' },
    suggestedName,
    content,
  });
  const mode = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

  it('Q13: files are private, in a folder of their session, with a random and a harmless name', async () => {
    const store = fileSpillStore();
    const first = await store.save(entry('../../etc/pass wd.txt', 'héllo'));
    folders.push(dirname(dirname(first.locator)));
    const second = await store.save(entry('.hidden'));
    expect(basename(first.locator)).toMatch(/^[0-9a-f]{16}-_.*etc_pass_wd\.txt$/);
    expect(basename(second.locator)).toMatch(/^[0-9a-f]{16}-hidden$/);
    expect(basename(dirname(first.locator))).toMatch(/^session-[0-9a-f]{16}$/);
    expect(dirname(first.locator)).toBe(dirname(second.locator));
    expect([
      mode(first.locator),
      mode(dirname(first.locator)),
      mode(dirname(dirname(first.locator))),
    ]).toEqual(['600', '700', '700']);
    expect(readFileSync(first.locator, 'utf8')).toBe('héllo');
    expect(first).toMatchObject({ bytes: 6, retrievalHint: `Read the file ${first.locator} for the rest.` });
  });

  it('Q13: a configured root is used, and a link in the place of a session is refused', async () => {
    const root = join(mkdtempSync(join(tmpdir(), 'ptc-test-')), 'deep', 'root');
    folders.push(dirname(dirname(root)));
    const store = fileSpillStore({ root });
    const { locator } = await store.save(entry('a.txt'));
    expect(locator.startsWith(`${root}/session-`)).toBe(true);
    const session = dirname(locator);
    rmSync(session, { recursive: true });
    symlinkSync(tmpdir(), session);
    await expect(store.save(entry('b.txt'))).rejects.toThrow('a folder of its own');
    expect(() => fileSpillStore({ root: '' })).toThrow('"root"');
  });

  it('Q13: a root that cannot be made fails that save, and the next one tries again', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'ptc-test-'));
    folders.push(parent);
    const root = join(parent, 'taken');
    writeFileSync(root, '');
    const store = fileSpillStore({ root });
    await expect(store.save(entry('a.txt'))).rejects.toThrow();
    rmSync(root);
    expect((await store.save(entry('a.txt'))).locator).toContain(root);
  });

  it('Q9: the store in memory is bounded, the oldest texts go first', () => {
    const store = memorySpillStore({ maxBytes: 10 });
    store.save(entry('a', '12345'));
    store.save(entry('b', '12345'));
    store.save(entry('c', '1'));
    expect(['memory:1', 'memory:2', 'memory:3'].map((locator) => store.read(locator)?.content)).toEqual([
      undefined,
      '12345',
      '1',
    ]);
    expect(() => store.save(entry('d', '12345678901'))).toThrow('at most 10 bytes');
  });
});

describe('retention', () => {
  it('Q14: of items the head stays, and only what the budget left out is truncation', () => {
    expect(retainItems([1, 2, 3], 3)).toEqual({ items: [1, 2, 3], omitted: 0, truncated: false });
    expect(retainItems([1, 2, 3], 2)).toEqual({ items: [1, 2], omitted: 1, truncated: true });
    expect(retainItems([5, 1, 1], 5, (cost) => cost)).toEqual({ items: [5], omitted: 2, truncated: true });
    expect(retainItems([], 0)).toEqual({ items: [], omitted: 0, truncated: false });
  });

  it('Q14: a text keeps head, tail or both, cut between characters, with an exact count of the bytes left out', () => {
    expect(retainText('abcdef', 3, 'head')).toMatchObject({ head: 'abc', tail: '', omittedBytes: 3 });
    expect(retainText('abcdef', 3, 'tail')).toMatchObject({ head: '', tail: 'def', omittedBytes: 3 });
    expect(retainText('abcdef', 3, 'headTail')).toMatchObject({ head: 'ab', tail: 'f', omittedBytes: 3 });
    expect(retainText('é€😀', 8, 'headTail')).toMatchObject({ head: 'é', tail: '😀', omittedBytes: 3 });
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.nat({ max: 40 }),
        fc.constantFrom('head', 'tail', 'headTail'),
        (whole, max, part) => {
          const { head, tail, omittedBytes, truncated } = retainText(whole, max, part);
          expect(truncated).toBe(bytes(whole) > max);
          expect(omittedBytes).toBe(bytes(whole) - bytes(head) - bytes(tail));
          expect(bytes(head) + bytes(tail)).toBeLessThanOrEqual(Math.max(max, truncated ? 0 : bytes(whole)));
          expect(head + tail).not.toContain('\uFFFD');
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        },
      ),
    );
  });
});
