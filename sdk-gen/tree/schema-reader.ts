/** A JSON object of unknown content. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Tells whether a value can be read as a schema object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own property: a keyword is never inherited. */
export function own(schema: JsonRecord, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** Whether a schema has at least one of some keywords. */
export function hasAny(schema: JsonRecord, keywords: ReadonlySet<string>): boolean {
  for (const key in schema) if (keywords.has(key) && Object.hasOwn(schema, key)) return true;
  return false;
}

/** The strings of an array-valued keyword; anything else is left out. */
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Any value as short JSON text for a comment. */
export function shortJson(value: unknown, limit: number): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    return '…';
  }
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}

const UNEVEN = /[^\S ]| {2}/;

/** A description as one line, or nothing. */
export function oneLine(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = (UNEVEN.test(value) ? value.replace(/\s+/g, ' ') : value).trim();
  return text === '' ? undefined : text;
}
