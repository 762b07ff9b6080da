import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { AgentSession } from '../../runtime/contract/scope.js';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { flag, knownOptions, nonEmptyString } from '../../runtime/core/options.js';
import { readLines } from './read-lines.js';

/** What can be set of `jsonlSession`. */
export interface JsonlSessionOptions {
  /** The session's id. @default the file's name without `.jsonl` */
  readonly id?: string;
  /** Waits for the disk with every event instead of with every `flush`. @default false */
  readonly fsync?: boolean;
}

/** One event as it stands in the file. */
export interface LoggedEvent {
  /** Counts from 1 in the order of the file. */
  readonly seq: number;
  readonly type: string;
  /** When it was appended, ISO 8601. */
  readonly at: string;
  readonly payload: JsonValue;
}

/** A session whose events are lines of a file. */
export interface JsonlSession extends AgentSession {
  flush(): Promise<void>;
  events(type: string): Iterable<JsonValue>;
  /** Every event of every type, oldest first. */
  entries(): Iterable<LoggedEvent>;
  /** How many bytes of an unfinished last line were dropped when the file was opened. */
  readonly droppedBytes: number;
  /** Flushes and closes; a later append throws. Twice is harmless. */
  close(): void;
}

/**
 * Opens a session log: one JSON object a line, only ever appended to. The file and its folders are made where they are
 * missing, readable by their owner alone.
 *
 * Each event is one write, so a crash can only cost the last line. A last line that is cut short is dropped when the file
 * is opened again, and numbering goes on after the last whole one. One process writes a file at a time.
 *
 * @param path - the file
 * @throws {TypeError} when an option has no meaning
 * @throws {Error} when the file cannot be opened, or a line before the last is no event: a log is never repaired silently
 * @example
 * const session = jsonlSession('logs/agent-1.jsonl');
 * const agent = { id: 'agent-1', session };
 */
export function jsonlSession(path: string, options: JsonlSessionOptions = {}): JsonlSession {
  knownOptions('jsonlSession', options, ['id', 'fsync']);
  const id = nonEmptyString('id', options.id ?? basename(path, '.jsonl'));
  const isSynced = flag('fsync', options.fsync ?? false);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a+', 0o600);
  let seq = 0;
  let droppedBytes = 0;
  let end = 0;
  try {
    const whole = readLines(path, (line, number) => {
      seq = parseEvent(path, line, number).seq;
    });
    ({ droppedBytes, end } = whole);
    if (droppedBytes > 0) ftruncateSync(file, end);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  let isClosed = false;

  const append = (type: string, payload: JsonValue): { seq: number } => {
    if (isClosed) throw new Error(`Cannot append to session "${id}": it is closed`);
    const event: LoggedEvent = { seq: seq + 1, type, at: new Date().toISOString(), payload };
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      if (isSynced) fsyncSync(file);
    } catch (error) {
      // What was half written must not become the beginning of the next line.
      ftruncateSync(file, end);
      throw error;
    }
    end += bytes.length;
    seq += 1;
    return { seq };
  };
  function* entries(): Generator<LoggedEvent> {
    const lines: LoggedEvent[] = [];
    readLines(path, (line, number) => lines.push(parseEvent(path, line, number)));
    yield* lines;
  }
  return {
    id,
    droppedBytes,
    append,
    entries,
    *events(type) {
      for (const event of entries()) if (event.type === type) yield event.payload;
    },
    async flush() {
      if (!isClosed) fsyncSync(file);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      fsyncSync(file);
      closeSync(file);
    },
  };
}

function parseEvent(path: string, line: string, number: number): LoggedEvent {
  try {
    const event = JSON.parse(line) as LoggedEvent;
    if (Number.isSafeInteger(event?.seq) && typeof event.type === 'string') return event;
  } catch {
    // Reported below, with its place.
  }
  throw new Error(
    `Cannot read session log "${path}": wanted a JSON event on line ${number}, received "${line.slice(0, 60)}"`,
  );
}
