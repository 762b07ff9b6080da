import type { JsonValue } from '../../core/json-value.js';
import type { Edition } from './edition.js';
import type { InPlaceNode } from './in-place.js';
import type { RawSchema } from './subschemas.js';

/** A schema in the vocabulary that the engine enforces. */
export type ReadSchema = boolean | { [key: string]: unknown };

/** Something that is referred to: it becomes a definition of its own. */
export interface SchemaPart extends InPlaceNode<SchemaPart> {
  readonly refersTo: Set<SchemaPart>;
  readonly name: string;
  readonly schema: RawSchema;
  readonly base: string;
}

/** What is known while one schema object is read. */
export interface ReadPlace {
  readonly path: string;
  readonly base: string;
  /** The part that this schema belongs to without going deeper into the value; else `undefined`. */
  readonly part: SchemaPart | undefined;
  readonly depth: number;
}

/** What the readers of single keywords need of the reader of the document. */
export interface ReadContext {
  readonly edition: Edition;
  problem(path: string, text: string): void;
  warn(path: string, text: string): void;
  /** Reads a schema that applies to the same value as the one that holds it. */
  beside(value: JsonValue, place: ReadPlace, path: string): ReadSchema;
  /** Reads a schema that applies to a part of the value. */
  below(value: JsonValue, place: ReadPlace, path: string): ReadSchema;
}

/** One schema object being read: its keywords go to `read`, what has to hold besides goes to `and`. */
export interface Reading {
  readonly raw: RawSchema;
  readonly place: ReadPlace;
  readonly read: { [key: string]: unknown };
  readonly and: ReadSchema[];
}
