/** Any JSON object of a document. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

/** A parsed OpenAPI document of version 3.0 or 3.1, with the references that lead elsewhere in it. */
export interface OpenApiDocument {
  readonly root: OpenApiNode;
  /** Schemas are those of OpenAPI 3.0, not JSON Schema. */
  readonly is30: boolean;
}

const LONGEST_REFERENCE_CHAIN = 100;

/**
 * Takes a parsed document.
 *
 * @throws {TypeError} when it is no OpenAPI document of version 3.0 or 3.1
 * @example
 * openDocument({ openapi: '3.1.0', info: {}, paths: {} }).is30 // false
 */
export function openDocument(document: unknown): OpenApiDocument {
  const version = isNode(document) ? document['openapi'] : undefined;
  const known = typeof version === 'string' ? /^3\.([01])(\.|$)/.exec(version) : null;
  if (!isNode(document) || known === null) {
    throw new TypeError(
      `Cannot import an OpenAPI document: "openapi" wants a version 3.0 or 3.1, received ${JSON.stringify(version)}`,
    );
  }
  return { root: document, is30: known[1] === '0' };
}

/**
 * Follows references until an object that is none.
 *
 * @returns the object, or `undefined` when a reference leads nowhere, elsewhere or in a circle
 */
export function followed(document: OpenApiDocument, value: unknown): OpenApiNode | undefined {
  let found = value;
  for (let length = 0; length < LONGEST_REFERENCE_CHAIN; length += 1) {
    if (!isNode(found)) return undefined;
    if (typeof found['$ref'] !== 'string') return found;
    found = pointed(document.root, found['$ref']);
  }
  return undefined;
}

/** What a local reference such as `#/components/schemas/Pet` names; `undefined` for any other. */
export function pointed(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Whether a value is a JSON object. */
export function isNode(value: unknown): value is OpenApiNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; an empty list for anything else. */
export function nodes(value: unknown): readonly OpenApiNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The members of an object; none for anything else. */
export function members(value: unknown): readonly (readonly [string, unknown])[] {
  return isNode(value) ? Object.entries(value) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
