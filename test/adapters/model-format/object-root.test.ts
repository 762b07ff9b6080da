import { describe, expect, it } from 'vitest';
import { objectRoot } from '#dist/adapters/model-format/object-root.js';

const rooted = (schema: unknown) => objectRoot(schema as Parameters<typeof objectRoot>[0]);

describe('the root of a parameter schema', () => {
  it('an object without alternatives stays the object that it is', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(rooted(schema)).toBe(schema);
  });

  it.each([true, false, null, 'text', 3, [], {}, { type: 'string' }])('%j becomes an object', (schema) => {
    expect(rooted(schema)).toEqual({ type: 'object', properties: {} });
  });

  it('alternatives become optional properties, and what all branches share stays required', () => {
    const id = { type: 'number' };
    const schema = {
      type: 'object',
      description: 'By id or by name',
      properties: { limit: { type: 'integer' } },
      required: ['limit'],
      anyOf: [
        { properties: { key: id }, required: ['key'] },
        { properties: { key: { type: 'string' } }, required: ['key'] },
      ],
      allOf: [{ properties: { site: { type: 'string' } }, required: ['site'] }],
      if: { properties: { limit: { const: 0 } } },
      then: { properties: { all: { type: 'boolean' } }, required: ['all'] },
    };
    expect(rooted(schema)).toEqual({
      type: 'object',
      description: 'By id or by name',
      properties: {
        limit: { type: 'integer' },
        key: { anyOf: [id, { type: 'string' }] },
        site: { type: 'string' },
        all: { type: 'boolean' },
      },
      required: ['limit', 'site'],
    });
  });

  it('a root that refers to a definition shows its properties, and a circle ends', () => {
    const $defs = {
      'a/b': { type: 'object', properties: { x: { $ref: '#/$defs/a~1b' } }, allOf: [{ $ref: '#' }] },
    };
    expect(rooted({ $ref: '#/$defs/a~1b', $defs })).toEqual({
      type: 'object',
      $defs,
      properties: { x: { $ref: '#/$defs/a~1b' } },
    });
  });
});
