import { errorMessage } from '../../core/error-text.js';
import { isFrozenSnapshot, isJsonValue, snapshotJsonValue } from '../../core/json.js';
import type { JsonValue } from '../../core/json-value.js';
import { received } from '../../core/option-error.js';
import { ROOT } from '../path.js';
import { declaredEdition, type Edition, isKnownEdition } from './edition.js';
import { compileReadSchema } from './engine.js';
import { findMismatches } from './interpreter.js';
import type { Mismatch } from './mismatch.js';
import type { ReadSchema } from './read-context.js';
import { SchemaReader } from './reader.js';
import { isRecord } from './subschemas.js';

/** At most so many lines, of at most so many characters. */
export const MAX_DIAGNOSTICS = 20;
export const MAX_DIAGNOSTIC_LENGTH = 500;

/** A schema of a published dialect: read once, compiled when the first value comes. */
export interface FullSchema {
  /** What is wrong with the schema itself; then no value is valid. */
  readonly problems: readonly string[];
  /** What an author may want to know of a schema that works. */
  readonly warnings: readonly string[];
  /** Finds mismatches: at most {@link MAX_DIAGNOSTICS} lines. Total. */
  validate(value: unknown, label: string): string[];
}

interface Read {
  readonly schema: ReadSchema;
  /** There is an `unevaluated…` keyword, whose meaning the engine does not get right. */
  readonly tracksEvaluated: boolean;
}

/**
 * Reads a schema by the rules of an edition. Total: a schema that makes no sense comes back with its problems.
 *
 * @example
 * readFullSchema({ minimum: 2 }, edition).validate(1, '') // ['arguments: wanted a number at least 2, received 1']
 */
export function readFullSchema(schema: unknown, edition: Edition): FullSchema {
  const problems: string[] = [];
  const warnings: string[] = [];
  let read: Read = { schema: true, tracksEvaluated: false };
  const declared = declaredEdition(schema);
  if (declared !== undefined && !isKnownEdition(declared)) {
    warnings.push(`schema: "$schema" is not a known edition: "${declared}" is read as ${edition.name}`);
  }
  const document = detached(schema);
  if (document === undefined) problems.push('schema: must be lossless JSON');
  else if (typeof document === 'boolean') read = { schema: document, tracksEvaluated: false };
  else if (!isRecord(document)) {
    problems.push(`schema: must be a schema object, true or false, received ${received(document)}`);
  } else {
    const reader = new SchemaReader(document, edition);
    read = { schema: reader.read(), tracksEvaluated: reader.tracksEvaluated };
    problems.push(...reader.problems.slice(0, MAX_DIAGNOSTICS));
    warnings.push(...reader.warnings.slice(0, MAX_DIAGNOSTICS));
  }
  return { problems, warnings, validate: makeValidate(read, problems) };
}

function detached(schema: unknown): JsonValue | undefined {
  try {
    return snapshotJsonValue(schema);
  } catch {
    return undefined;
  }
}

function makeValidate(reader: Read, problems: readonly string[]): FullSchema['validate'] {
  let matches: ((value: unknown) => unknown) | undefined;
  return (value, label) => {
    if (problems.length > 0) return [...problems];
    const root = label || ROOT;
    try {
      if (!isFrozenSnapshot(value) && !isJsonValue(value)) return [`${root}: wanted lossless JSON`];
      if (!reader.tracksEvaluated) {
        matches ??= compileReadSchema(reader.schema);
        if (matches(value)) return [];
      }
      const lines = capped(findMismatches(reader.schema, value as JsonValue, label));
      return lines.length > 0 || reader.tracksEvaluated ? lines : [`${root}: does not match its schema`];
    } catch (error) {
      const reason = error instanceof RangeError ? 'nested too deeply' : errorMessage(error);
      return [`${root}: cannot be validated: ${reason}`];
    }
  };
}

function capped(mismatches: readonly Mismatch[]): string[] {
  const all = [...new Set(mismatches.map(({ path, text }) => line(path, text)))];
  if (all.length <= MAX_DIAGNOSTICS) return all;
  return [...all.slice(0, MAX_DIAGNOSTICS - 1), `… and ${all.length - MAX_DIAGNOSTICS + 1} more`];
}

function line(path: string, text: string): string {
  const full = `${path || ROOT}: ${text}`;
  return full.length > MAX_DIAGNOSTIC_LENGTH ? `${full.slice(0, MAX_DIAGNOSTIC_LENGTH - 1)}…` : full;
}
