import type { ToolDefinition } from '../runtime/contract/definition.js';
import { isRecord, type JsonRecord } from './tree/schema-reader.js';

/** Parts of a schema beyond these are not looked at: such a tool is among the largest anyway. */
const MOST_PARTS = 2000;
/** Tokens of a member without its types: brackets, options, the promise. */
const MEMBER = 12;
/** Tokens of a key with the signs around it. */
const KEY = 2;
const LETTERS = 5;

const sizes = new WeakMap<ToolDefinition, number>();

/**
 * Guesses how many tokens a tool's signature takes without documentation, from its schemas as they are: a tool that will
 * not be shown need not be read. The same for the same definition; never throws.
 */
export function roughSize(tool: ToolDefinition): number {
  const known = sizes.get(tool);
  if (known !== undefined) return known;
  const size = MEMBER + tool.name.length / LETTERS + sizeOf([tool.parameters, tool.output?.schema]);
  sizes.set(tool, size);
  return size;
}

function sizeOf(schemas: readonly unknown[]): number {
  const open: unknown[] = [...schemas];
  let size = 0;
  try {
    for (let parts = 0; open.length > 0 && parts < MOST_PARTS; parts += 1) {
      const schema = open.pop();
      if (Array.isArray(schema)) open.push(...schema.slice(0, MOST_PARTS));
      if (!isRecord(schema)) continue;
      for (const keyword of Object.keys(schema)) size += collect(schema, keyword, open);
    }
  } catch {
    // A getter or a proxy that throws.
  }
  return size;
}

/** The size of one keyword by itself; what it holds is left to be counted. */
function collect(schema: JsonRecord, keyword: string, open: unknown[]): number {
  switch (keyword) {
    case 'type':
    case '$ref':
      return 1;
    case 'const':
    case 'enum':
      return literalSize(schema[keyword]);
    case 'properties':
    case '$defs':
    case 'definitions':
    case 'patternProperties': {
      const value = schema[keyword];
      if (!isRecord(value)) return 0;
      let size = 0;
      for (const key of Object.keys(value)) {
        size += KEY + key.length / LETTERS;
        open.push(value[key]);
      }
      return size;
    }
    case 'items':
    case 'prefixItems':
    case 'additionalProperties':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      open.push(schema[keyword]);
      return 1;
    default:
      return 0;
  }
}

function literalSize(value: unknown): number {
  if (!Array.isArray(value)) return typeof value === 'string' ? 1 + value.length / LETTERS : 1;
  let size = 0;
  for (const item of value) size += 1 + (typeof item === 'string' ? item.length / LETTERS : 1);
  return size;
}
