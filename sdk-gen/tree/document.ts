import { isRecord, type JsonRecord, own } from './schema-reader.js';

/** Where a reference leads: a schema and the name it is kept under, or the reason why it leads nowhere. */
export type Resolved =
  | { readonly schema: unknown; readonly name: string | undefined }
  | { readonly reason: string };

/** One schema document: finds what a `$ref` points at. */
export class SchemaDocument {
  readonly #root: unknown;
  #anchors: Map<string, unknown> | undefined;

  constructor(root: unknown) {
    this.#root = root;
  }

  resolve(ref: unknown): Resolved {
    if (typeof ref !== 'string') return { reason: 'the reference is no text' };
    const hash = ref.indexOf('#');
    const base = hash === -1 ? ref : ref.slice(0, hash);
    const fragment = hash === -1 ? '' : ref.slice(hash + 1);
    const id = isRecord(this.#root) ? own(this.#root, '$id') : undefined;
    if (base !== '' && base !== id && base !== `${String(id)}#`) {
      const found = this.#anchor(base);
      if (found !== undefined && fragment === '') return { schema: found, name: undefined };
      return { reason: `${JSON.stringify(ref)} is outside this schema` };
    }
    if (fragment === '') return { schema: this.#root, name: undefined };
    if (!fragment.startsWith('/')) {
      const schema = this.#anchor(`#${fragment}`);
      return schema === undefined
        ? { reason: `${JSON.stringify(ref)} leads nowhere` }
        : { schema, name: fragment };
    }
    return this.#pointer(fragment, ref);
  }

  #pointer(fragment: string, ref: string): Resolved {
    let at: unknown = this.#root;
    let name: string | undefined;
    for (const raw of fragment.slice(1).split('/')) {
      const key = decode(raw);
      const next = Array.isArray(at) ? at[Number(key)] : isRecord(at) ? own(at, key) : undefined;
      if (next === undefined) return { reason: `${JSON.stringify(ref)} leads nowhere` };
      name = key;
      at = next;
    }
    return { schema: at, name };
  }

  #anchor(name: string): unknown {
    this.#anchors ??= collectAnchors(this.#root);
    return this.#anchors.get(name);
  }
}

function decode(raw: string): string {
  let text = raw;
  try {
    text = decodeURIComponent(raw);
  } catch {
    // A stray percent sign: the text is taken as it is.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function collectAnchors(root: unknown): Map<string, unknown> {
  const anchors = new Map<string, unknown>();
  const seen = new Set<unknown>();
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isRecord(value)) note(value, anchors);
    for (const child of Object.values(value)) stack.push(child);
  }
  return anchors;
}

function note(schema: JsonRecord, anchors: Map<string, unknown>): void {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = own(schema, keyword);
    if (typeof name === 'string' && !anchors.has(`#${name}`)) anchors.set(`#${name}`, schema);
  }
  const id = own(schema, '$id');
  if (typeof id === 'string' && !anchors.has(id)) anchors.set(id, schema);
}
