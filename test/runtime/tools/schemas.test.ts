import { describe, expect, it } from 'vitest';
import { toolSchema } from '#dist/runtime/tools/schemas.js';
import { makeTool } from '../../support/make-tool.ts';

describe('toolSchema', () => {
  it('R47: it has exactly name, description and parameters, whatever else the definition has', () => {
    const definition = makeTool('full', {
      timeoutMs: 5,
      isConcurrencySafe: () => true,
      projectContent: () => undefined,
      finalizeContent: () => undefined,
      presentCall: () => undefined,
      presentResult: () => undefined,
    });
    expect(toolSchema(Object.assign(definition, { title: 'Full', secret: 'x' }))).toStrictEqual({
      name: 'full',
      description: 'What full does.',
      parameters: { type: 'object', properties: {} },
    });
  });

  it('R49: its parameters are a deep clone', () => {
    const path = { type: 'string' as const, enum: ['a'] };
    const definition = makeTool('echo', { parameters: { type: 'object', properties: { path } } });
    const first = toolSchema(definition);
    const properties = first.parameters.properties as { path: { enum: string[] } };
    properties.path.enum.push('b');
    Object.assign(first, { name: 'changed' });
    expect(path.enum).toEqual(['a']);
    expect(toolSchema(definition)).toStrictEqual({
      name: 'echo',
      description: 'What echo does.',
      parameters: { type: 'object', properties: { path: { type: 'string', enum: ['a'] } } },
    });
  });

  it('R49, E12: parameters of 5 000 levels are cloned without using the stack', () => {
    let parameters: object = { type: 'string' };
    for (let level = 0; level < 5_000; level += 1) parameters = { oneOf: [parameters, { type: 'null' }] };
    let clone = toolSchema(makeTool('deep', { parameters })).parameters;
    let original = parameters as typeof clone;
    let levels = 0;
    let shared = 0;
    while (clone.oneOf !== undefined) {
      if (clone === original) shared += 1;
      clone = clone.oneOf[0]!;
      original = original.oneOf![0]!;
      levels += 1;
    }
    expect({ levels, shared }).toEqual({ levels: 5_000, shared: 0 });
    expect(clone).toStrictEqual({ type: 'string' });
  });

  it('R49: an own property named __proto__ survives', () => {
    const parameters = { type: 'object' as const, properties: JSON.parse('{"__proto__":{"type":"string"}}') };
    const { properties } = toolSchema(makeTool('odd', { parameters })).parameters;
    expect(Object.keys(properties ?? {})).toEqual(['__proto__']);
  });

  it.each([
    ['NaN', { type: 'object', default: Number.NaN }],
    ['a function', { type: 'object', default: () => {} }],
    ['undefined', { type: 'object', default: undefined }],
    ['no object at all', undefined],
  ])('R11: parameters with %s fail the projection, which names the tool', (_, parameters) => {
    const project = () => toolSchema(makeTool('odd one', { parameters } as object));
    expect(project).toThrow(TypeError);
    expect(project).toThrow('Cannot project tool "odd one": its parameters want lossless JSON');
  });

  it('R11: a getter that throws fails the projection with its error as cause', () => {
    const boom = new Error('lazy schema is broken');
    const parameters = Object.defineProperty({}, 'properties', {
      enumerable: true,
      get() {
        throw boom;
      },
    });
    expect(() => toolSchema(makeTool('lazy', { parameters }))).toThrow(
      expect.objectContaining({ cause: boom }),
    );
  });
});
