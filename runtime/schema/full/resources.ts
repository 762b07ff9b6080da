import type { JsonValue } from '../../core/json-value.js';
import { memberPath } from '../path.js';
import type { Edition } from './edition.js';
import { isRecord, ownMember, type RawSchema, subschemas } from './subschemas.js';

/** Where references without an address of their own are relative to. */
const LOCAL_BASE = 'schema://local/';

/** Where a schema object sits: its path for messages, and what its references are relative to. */
export interface SchemaPlace {
  readonly path: string;
  readonly base: string;
}

/** What a reference names. */
export interface RefTarget extends SchemaPlace {
  readonly schema: RawSchema | boolean;
  /** A definition that the reference does not name exactly, but that is the only one of its name. */
  readonly isGuess?: true;
}

/**
 * The names by which the parts of one document can be referred to: `$id`s, anchors and pointers.
 *
 * @example
 * new SchemaResources(document, edition).resolve('#/$defs/row', base)?.path // 'schema.$defs.row'
 */
export class SchemaResources {
  readonly #edition: Edition;
  readonly #roots = new Map<string, RawSchema>();
  readonly #anchors = new Map<string, RawSchema>();
  readonly #places = new Map<RawSchema, SchemaPlace>();
  readonly #definitions = new Map<string, RawSchema[]>();
  readonly #dynamicAnchors = new Map<string, number>();

  constructor(document: RawSchema, edition: Edition) {
    this.#edition = edition;
    this.#roots.set(LOCAL_BASE, document);
    this.#index(document, { path: 'schema', base: LOCAL_BASE });
  }

  placeOf(schema: RawSchema): SchemaPlace {
    return this.#places.get(schema) ?? { path: 'schema', base: LOCAL_BASE };
  }

  /** How many places a dynamic reference of this name could mean. */
  dynamicAnchors(name: string): number {
    return this.#dynamicAnchors.get(name) ?? 0;
  }

  /** @returns `undefined` when the reference names nothing in this document */
  resolve(ref: string, base: string): RefTarget | undefined {
    const { address, fragment } = splitRef(ref, base);
    const root = this.#roots.get(address);
    if (root === undefined) return undefined;
    if (fragment === '') return this.#target(root);
    if (!fragment.startsWith('/')) {
      const anchor = this.#anchors.get(`${address}#${fragment}`);
      return anchor && this.#target(anchor);
    }
    return this.#follow(root, fragment) ?? this.#guess(fragment);
  }

  #index(document: RawSchema, place: SchemaPlace): void {
    const open: (readonly [RawSchema, SchemaPlace])[] = [[document, place]];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      const [schema, outer] = entry;
      if (this.#places.has(schema)) continue;
      const here = { path: outer.path, base: this.#baseOf(schema, outer.base) };
      this.#places.set(schema, here);
      for (const [path, child] of subschemas(schema, here.path))
        open.push([child, { path, base: here.base }]);
      for (const key of ['$defs', 'definitions']) {
        const definitions = ownMember(schema, key);
        if (!isRecord(definitions)) continue;
        for (const [name, child] of Object.entries(definitions)) {
          if (isRecord(child)) this.#definitions.set(name, [...(this.#definitions.get(name) ?? []), child]);
        }
      }
    }
  }

  #baseOf(schema: RawSchema, outer: string): string {
    const { idKeyword, isRefAlone, isModern } = this.#edition;
    if (isRefAlone && Object.hasOwn(schema, '$ref')) return outer;
    let base = outer;
    const id = ownMember(schema, idKeyword);
    if (typeof id === 'string') {
      const { address, fragment } = splitRef(id, outer);
      // Before `$anchor` there was an id that is only a fragment.
      if (!id.startsWith('#')) {
        base = address;
        if (!this.#roots.has(base)) this.#roots.set(base, schema);
      }
      if (!isModern && fragment !== '') this.#anchors.set(`${base}#${fragment}`, schema);
    }
    if (!isModern) return base;
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const name = ownMember(schema, key);
      if (typeof name !== 'string') continue;
      if (!this.#anchors.has(`${base}#${name}`)) this.#anchors.set(`${base}#${name}`, schema);
      if (key === '$dynamicAnchor') this.#dynamicAnchors.set(name, this.dynamicAnchors(name) + 1);
    }
    if (ownMember(schema, '$recursiveAnchor') === true) {
      this.#dynamicAnchors.set('', this.dynamicAnchors('') + 1);
    }
    return base;
  }

  #follow(root: RawSchema, pointer: string): RefTarget | undefined {
    let at: JsonValue | undefined = root;
    let place = this.placeOf(root);
    for (const token of pointer.slice(1).split('/')) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (isRecord(at)) at = ownMember(at, key);
      else if (Array.isArray(at))
        at = /^(?:0|[1-9]\d*)$/.test(key) ? (at[Number(key)] as JsonValue) : undefined;
      else return undefined;
      place = { path: memberPath(place.path, key), base: place.base };
      if (isRecord(at)) place = this.#places.get(at) ?? place;
    }
    if (typeof at === 'boolean') return { schema: at, ...place };
    if (!isRecord(at)) return undefined;
    // What no keyword calls a schema becomes one by being referred to.
    if (!this.#places.has(at)) this.#index(at, place);
    return this.#target(at);
  }

  /** Generators nest definitions and still write the reference relative to the root. */
  #guess(pointer: string): RefTarget | undefined {
    const name = /^\/(?:\$defs|definitions)\/([^/]+)$/.exec(pointer)?.[1];
    const found = name === undefined ? [] : (this.#definitions.get(name) ?? []);
    return found.length === 1 ? { ...this.#target(found[0]!), isGuess: true } : undefined;
  }

  #target(schema: RawSchema): RefTarget {
    return { schema, ...this.placeOf(schema) };
  }
}

function splitRef(ref: string, base: string): { address: string; fragment: string } {
  const at = ref.indexOf('#');
  const fragment = at < 0 ? '' : unescapeFragment(ref.slice(at + 1));
  const address = at < 0 ? ref : ref.slice(0, at);
  if (address === '') return { address: base, fragment };
  try {
    return { address: new URL(address, base).href, fragment };
  } catch {
    return { address, fragment };
  }
}

function unescapeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
