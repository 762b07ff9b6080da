import type { ContentBlock } from './content.js';

/** What a call does, for icons and rules. @default 'other' */
export type ToolCallKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other';

/** A place that a call reads or changes; `line` counts from 1. */
export interface FileLocation {
  readonly path: string;
  readonly line?: number;
}

/** A change to one file; `oldText: null` means that the file is new. */
export interface FileDiff {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

/** One line of a file; `number` counts from 1 in the file. */
export interface ReadFileLine {
  readonly number: number;
  readonly text: string;
}

/** A page on the web. */
export interface WebSource {
  readonly url: string;
  readonly title?: string;
  readonly snippet?: string;
  readonly publishedAt?: string;
}

/** The default card of a pending call. `rawInput`: a string is shown verbatim, an object as pretty JSON. */
export interface GenericCallView {
  readonly card: 'generic';
  readonly title: string;
  readonly kind?: ToolCallKind;
  readonly rawInput?: unknown;
  readonly content?: readonly ContentBlock[];
  readonly locations?: readonly FileLocation[];
}

/** A pending command. A relative `cwd` is resolved by the UI. */
export interface TerminalCallView {
  readonly card: 'terminal';
  readonly title: string;
  readonly description?: string;
  readonly cwd?: string;
}

/** A pending change. */
export interface DiffCallView {
  readonly card: 'diff';
  readonly title: string;
  readonly diffs: readonly FileDiff[];
  readonly locations?: readonly FileLocation[];
}

/** The card of a pending call; `card` tells them apart. */
export type ToolCallView = GenericCallView | TerminalCallView | DiffCallView;

/** The default card of a finished call. */
export interface GenericResultView {
  readonly card: 'generic';
  readonly title?: string;
  readonly content?: readonly ContentBlock[];
}

/** A finished command: an exit code or a signal, never both. */
export type TerminalResultView = {
  readonly card: 'terminal';
  readonly title?: string;
  readonly output?: string;
} & (
  | { readonly exitCode?: number; readonly signal?: never }
  | { readonly signal?: string; readonly exitCode?: never }
);

/** A finished change: the applied hunks. */
export interface DiffResultView {
  readonly card: 'diff';
  readonly title?: string;
  readonly diffs: readonly FileDiff[];
}

/** Matches by file. `total` equals the kept count when not `truncated`. */
export interface SearchMatchesView {
  readonly card: 'search';
  readonly shape: 'matches';
  readonly title?: string;
  readonly files: readonly {
    readonly path: string;
    readonly matches: readonly { readonly lineNumber: number; readonly line: string }[];
  }[];
  readonly truncated: boolean;
  readonly total: number;
}

/** Paths found. `total` equals the kept count when not `truncated`. */
export interface SearchPathsView {
  readonly card: 'search';
  readonly shape: 'paths';
  readonly title?: string;
  readonly paths: readonly string[];
  readonly truncated: boolean;
  readonly total: number;
}

/** A part of a file. `offset` is the requested first line (from 1), kept when `lines` is empty. */
export interface ReadResultView {
  readonly card: 'read';
  readonly title?: string;
  readonly path: string;
  readonly offset: number;
  readonly lines: readonly ReadFileLine[];
  readonly totalLines: number;
  /** A hint from the file extension. */
  readonly lang?: string;
  /** The text without the tool's envelope, for UIs without a read card. */
  readonly content?: string;
}

/** Results of a search on the web. */
export interface WebSearchView {
  readonly card: 'web';
  readonly kind: 'search';
  readonly title?: string;
  readonly sources: readonly WebSource[];
  readonly answer?: string;
  readonly truncated: boolean;
}

/** A fetched page. */
export interface WebFetchView {
  readonly card: 'web';
  readonly kind: 'fetch';
  readonly title?: string;
  readonly url: string;
  readonly statusCode: number;
  readonly truncated: boolean;
}

/** The card of a finished call: `card`, then `shape` for search and `kind` for web, tell them apart. */
export type ToolResultView =
  | GenericResultView
  | TerminalResultView
  | DiffResultView
  | SearchMatchesView
  | SearchPathsView
  | ReadResultView
  | WebSearchView
  | WebFetchView;
