import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import type {
  FileDiff,
  FileLocation,
  ReadFileLine,
  ToolCallKind,
  ToolCallView,
  ToolResultView,
  WebSource,
} from '#dist/runtime/contract/views.js';
import { callCard, resultCard } from '#dist/runtime/tools/cards.js';
import { genericCard } from '#dist/runtime/tools/generic-card.js';
import { TOOL_CALL_KINDS } from '#dist/runtime/tools/tool-call-kinds.js';
import { isToolCallView, isToolResultView } from '#dist/runtime/tools/view-shape.js';

const content = [{ type: 'text', text: 'what the model read' }];
const result = { content, isError: false };

const callViews: readonly ToolCallView[] = [
  { card: 'generic', title: 'Deploy' },
  {
    card: 'generic',
    title: 'Read a.ts',
    kind: 'read',
    rawInput: { path: 'a.ts' },
    content,
    locations: [{ path: 'a.ts', line: 1 }, { path: 'b.ts' }],
  },
  { card: 'terminal', title: 'npm test', description: 'runs the tests', cwd: 'packages/a' },
  { card: 'diff', title: 'Edit a.ts', diffs: [{ path: 'a.ts', oldText: null, newText: '' }], locations: [] },
];

const resultViews: readonly ToolResultView[] = [
  { card: 'generic' },
  { card: 'generic', title: 'Deployed', content },
  { card: 'terminal', output: 'ok', exitCode: 0 },
  { card: 'terminal', title: 'npm test', signal: 'SIGKILL' },
  { card: 'diff', diffs: [{ path: 'a.ts', oldText: 'same', newText: 'same' }] },
  {
    card: 'search',
    shape: 'matches',
    files: [{ path: 'a.ts', matches: [{ lineNumber: 1, line: 'const a' }] }],
    truncated: false,
    total: 1,
  },
  { card: 'search', shape: 'paths', paths: ['a.ts'], truncated: true, total: 9 },
  { card: 'read', path: 'a.ts', offset: 40, lines: [], totalLines: 12 },
  {
    card: 'read',
    path: 'a.ts',
    offset: 2,
    lines: [{ number: 2, text: 'b' }],
    totalLines: 3,
    lang: 'ts',
    content: 'b',
  },
  {
    card: 'web',
    kind: 'search',
    sources: [{ url: 'https://example.org', title: 't', snippet: 's', publishedAt: '2026-01-01' }],
    answer: 'yes',
    truncated: false,
  },
  { card: 'web', kind: 'fetch', url: 'https://example.org', statusCode: 200, truncated: false },
];

describe('views', () => {
  it('U2: the kinds of calls are closed, and other is the default of a card that names none', () => {
    const kinds: readonly ToolCallKind[] = [
      'read',
      'edit',
      'delete',
      'move',
      'search',
      'execute',
      'fetch',
      'other',
    ];
    expect(TOOL_CALL_KINDS).toEqual(kinds);
    expect(Object.isFrozen(TOOL_CALL_KINDS)).toBe(true);
    for (const kind of kinds) expect(isToolCallView({ card: 'generic', title: 'x', kind })).toBe(true);
    expect(isToolCallView({ card: 'generic', title: 'x', kind: 'write' })).toBe(false);
    // @ts-expect-error a kind outside the list
    const wrong: ToolCallKind = 'write';
    expect(TOOL_CALL_KINDS).not.toContain(wrong);
  });

  it('U3: locations, diffs, lines and sources have their fields', () => {
    const location: FileLocation = { path: 'a.ts', line: 1 };
    const diff: FileDiff = { path: 'a.ts', oldText: null, newText: 'x' };
    const line: ReadFileLine = { number: 1, text: 'x' };
    const source: WebSource = { url: 'https://example.org' };
    const read = { card: 'read', path: 'a', offset: 1, totalLines: 1 };
    expect(isToolCallView({ card: 'diff', title: 'x', diffs: [diff], locations: [location] })).toBe(true);
    expect(isToolResultView({ ...read, lines: [line] })).toBe(true);
    expect(isToolResultView({ card: 'web', kind: 'search', sources: [source], truncated: false })).toBe(true);
    expect(
      isToolCallView({ card: 'diff', title: 'x', diffs: [diff], locations: [{ ...location, line: 0 }] }),
    ).toBe(false);
    expect(isToolCallView({ card: 'diff', title: 'x', diffs: [{ ...diff, oldText: undefined }] })).toBe(
      false,
    );
    expect(isToolResultView({ ...read, lines: [{ ...line, number: 0 }] })).toBe(false);
    expect(
      isToolResultView({ card: 'web', kind: 'search', sources: [{ title: 't' }], truncated: false }),
    ).toBe(false);
  });

  it('U4, U6, U7: a pending card is generic, terminal or diff, told apart by card', () => {
    for (const view of callViews) expect(isToolCallView(view)).toBe(true);
    for (const card of ['search', 'read', 'web', 'toString', undefined]) {
      expect(isToolCallView({ card, title: 'x', diffs: [] })).toBe(false);
    }
    for (const view of [
      { card: 'generic' },
      { card: 'terminal', title: 7 },
      { card: 'diff', title: 'x' },
      null,
      'x',
    ]) {
      expect(isToolCallView(view)).toBe(false);
    }
    // @ts-expect-error a search has no pending card
    const wrong: ToolCallView = { card: 'search', title: 'x' };
    expect(isToolCallView(wrong)).toBe(false);
  });

  it('U5, U6, U8: a finished card is told apart by card, then by shape or kind, and has every field it needs', () => {
    for (const view of resultViews) expect(isToolResultView(view)).toBe(true);
    const optional = new Set(['title', 'content', 'output', 'exitCode', 'signal', 'answer', 'lang']);
    for (const view of resultViews) {
      for (const key of Object.keys(view).filter((name) => !optional.has(name))) {
        const { [key as never]: _, ...partial } = view;
        expect([view.card, key, isToolResultView(partial)]).toEqual([view.card, key, false]);
      }
    }
    for (const view of [
      { card: 'search', shape: 'files' },
      { card: 'web', kind: 'read' },
      { card: 'x' },
      null,
      1,
    ]) {
      expect(isToolResultView(view)).toBe(false);
    }
    const found = { card: 'search', shape: 'paths', paths: [], truncated: false, total: 0 } as const;
    // @ts-expect-error a search card carries no text of its own
    const wrong: ToolResultView = { ...found, content };
    expect(wrong.card).toBe('search');
  });

  it('U5, U12: a terminal has an exit code or a signal, never both', () => {
    expect(isToolResultView({ card: 'terminal', exitCode: 0, signal: 'SIGKILL' })).toBe(false);
    expect(isToolResultView({ card: 'terminal', exitCode: 0, signal: undefined })).toBe(true);
    expect(isToolResultView({ card: 'terminal', exitCode: 0.5 })).toBe(false);
    // @ts-expect-error both at once
    const wrong: ToolResultView = { card: 'terminal', exitCode: 0, signal: 'SIGKILL' };
    expect(isToolResultView(wrong)).toBe(false);
  });
});

describe('cards', () => {
  const broken: readonly unknown[] = [
    () => {
      throw new Error('old arguments');
    },
    () => undefined,
    () => null,
    () => ({ card: 'hologram', title: 'x' }),
    async () => ({ card: 'generic', title: 'x' }),
    () =>
      Object.defineProperty({ title: 'x' }, 'card', {
        get() {
          throw new Error('hostile');
        },
      }),
    undefined,
  ];

  it('U1, U11: without a usable presenter a call has the generic card, with its name and raw arguments', () => {
    const args = { target: 'staging' };
    const expected = { card: 'generic', title: 'deploy', rawInput: args };
    expect(callCard(undefined, 'deploy', args)).toStrictEqual(expected);
    for (const presentCall of broken) {
      const card = callCard({ presentCall } as Partial<ToolDefinition>, 'deploy', args);
      expect(card).toStrictEqual(expected);
      expect((card as { rawInput: unknown }).rawInput).toBe(args);
    }
  });

  it('U1: without a usable presenter a result keeps the title of its call and shows the raw content', () => {
    const presentCall = () => ({ card: 'generic' as const, title: 'Deploy to staging' });
    for (const presentResult of broken) {
      const presenters = { presentCall, presentResult } as Partial<ToolDefinition>;
      expect(resultCard(presenters, 'deploy', {}, result)).toStrictEqual({
        card: 'generic',
        title: 'Deploy to staging',
        content,
      });
    }
    expect(resultCard(undefined, 'deploy', {}, result)).toStrictEqual({
      card: 'generic',
      title: 'deploy',
      content,
    });
  });

  it('U1, U9: a presenter depends on what it is given only, and its card is taken as it is', () => {
    const given: unknown[] = [];
    const view = { card: 'generic' as const, title: 'x', rawInput: 'verbatim' };
    const finished = { card: 'diff' as const, diffs: [] };
    const presenters = {
      presentCall: (...args: unknown[]) => {
        given.push(args);
        return view;
      },
      presentResult: (...args: unknown[]) => {
        given.push(args);
        return finished;
      },
    };
    expect(callCard(presenters, 'x', 'not an object')).toBe(view);
    expect(callCard(presenters, 'x', 'not an object')).toBe(view);
    expect(resultCard(presenters, 'x', 7, result)).toBe(finished);
    expect(given).toEqual([['not an object'], ['not an object'], [7, result]]);
  });
});

describe('genericCard', () => {
  it('U12: a terminal becomes a fenced console block with its exit status', () => {
    const shown = (view: Partial<ToolResultView>) =>
      genericCard({ card: 'terminal', ...view } as ToolResultView, result).content;
    expect(shown({ output: 'ok\n', exitCode: 0 })).toEqual([
      { type: 'text', text: '```console\nok\n```\nexit code 0' },
    ]);
    expect(shown({ output: 'half', signal: 'SIGKILL' })).toEqual([
      { type: 'text', text: '```console\nhalf\n```\nended by signal SIGKILL' },
    ]);
    expect(shown({ output: '' })).toEqual([{ type: 'text', text: '```console\n```' }]);
    expect(shown({ output: 'a ```` b' })).toEqual([{ type: 'text', text: '`````console\na ```` b\n`````' }]);
    expect(shown({})).toBe(content);
  });

  it('U13, U14: diffs, searches and pages show the content that the model read', () => {
    for (const view of resultViews.filter(({ card }) => ['diff', 'search', 'web'].includes(card))) {
      expect(genericCard(view, result)).toStrictEqual({ card: 'generic', content });
    }
  });

  it('U14: a card says whether its list was cut, whatever is shown of it', () => {
    const lists = resultViews.filter(({ card }) => card === 'search' || card === 'web');
    expect(lists.map((view) => (view as { truncated: boolean }).truncated)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    for (const view of lists) {
      expect(isToolResultView({ ...view, truncated: undefined })).toBe(false);
      if (view.card === 'search') expect(isToolResultView({ ...view, total: undefined })).toBe(false);
    }
  });

  it('U15: a read shows its text without the envelope, with the title it has', () => {
    const view: ToolResultView = {
      card: 'read',
      title: 'a.ts',
      path: 'a.ts',
      offset: 1,
      lines: [],
      totalLines: 0,
      content: 'bare',
    };
    expect(genericCard(view, result)).toStrictEqual({
      card: 'generic',
      title: 'a.ts',
      content: [{ type: 'text', text: 'bare' }],
    });
    const { content: _, ...without } = view;
    expect(genericCard(without, result).content).toBe(content);
  });

  it('U11: a generic card shows its own content, else what the model read', () => {
    expect(genericCard({ card: 'generic', content: [] }, result).content).toEqual([]);
    expect(genericCard({ card: 'generic' }, result).content).toBe(content);
  });
});
