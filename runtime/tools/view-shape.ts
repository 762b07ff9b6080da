import type { ToolCallView, ToolResultView } from '../contract/views.js';
import { TOOL_CALL_KINDS } from './tool-call-kinds.js';

// A presenter is a tool author's code: what it returns is looked at before a UI relies on it.

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const ordinal: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1;

function maybe(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function record(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));
}

const title = maybe(text);
const content = maybe(listOf(record({ type: text })));
const kind = maybe((value) => (TOOL_CALL_KINDS as readonly unknown[]).includes(value));
const locations = maybe(listOf(record({ path: text, line: maybe(ordinal) })));
const diffs = listOf(
  record({ path: text, oldText: (value) => value === null || text(value), newText: text }),
);
const files = listOf(record({ path: text, matches: listOf(record({ lineNumber: ordinal, line: text })) }));
const lines = listOf(record({ number: ordinal, text }));
const sources = listOf(record({ url: text, title, snippet: maybe(text), publishedAt: maybe(text) }));

/** By `card`. */
const CALL_VIEWS: ReadonlyMap<unknown, Check> = new Map([
  ['generic', record({ title: text, kind, content, locations })],
  ['terminal', record({ title: text, description: maybe(text), cwd: maybe(text) })],
  ['diff', record({ title: text, diffs, locations })],
]);

/** By `card`, then by `shape` for search and by `kind` for web. */
const RESULT_VIEWS: ReadonlyMap<unknown, Check> = new Map([
  ['generic', record({ title, content })],
  [
    'terminal',
    record({ title, output: maybe(text), exitCode: maybe(Number.isSafeInteger), signal: maybe(text) }),
  ],
  ['diff', record({ title, diffs })],
  ['search/matches', record({ title, files, truncated: flag, total: count })],
  ['search/paths', record({ title, paths: listOf(text), truncated: flag, total: count })],
  [
    'read',
    record({
      title,
      path: text,
      offset: ordinal,
      lines,
      totalLines: count,
      lang: maybe(text),
      content: maybe(text),
    }),
  ],
  ['web/search', record({ title, sources, answer: maybe(text), truncated: flag })],
  ['web/fetch', record({ title, url: text, statusCode: count, truncated: flag })],
]);

/**
 * Whether a value is a card of a pending call, with every field of the right kind.
 *
 * @throws whatever a getter of the value throws
 * @example
 * isToolCallView({ card: 'generic', title: 'Read a.ts', kind: 'read' }) // true
 */
export function isToolCallView(value: unknown): value is ToolCallView {
  return CALL_VIEWS.get((value as Partial<ToolCallView> | null | undefined)?.card)?.(value) === true;
}

/**
 * Whether a value is a card of a finished call. An exit code and a signal exclude each other.
 *
 * @throws whatever a getter of the value throws
 * @example
 * isToolResultView({ card: 'terminal', exitCode: 0, signal: 'SIGKILL' }) // false
 */
export function isToolResultView(value: unknown): value is ToolResultView {
  const view = (value ?? {}) as {
    card?: unknown;
    shape?: unknown;
    kind?: unknown;
    exitCode?: unknown;
    signal?: unknown;
  };
  const { card } = view;
  const name =
    card === 'search' ? `search/${String(view.shape)}` : card === 'web' ? `web/${String(view.kind)}` : card;
  if (RESULT_VIEWS.get(name)?.(value) !== true) return false;
  return card !== 'terminal' || view.exitCode === undefined || view.signal === undefined;
}
