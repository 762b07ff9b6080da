import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  ToolDispatchExecution,
  ToolExecution,
  ToolRunContext,
} from '#dist/runtime/contract/execution.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';
import {
  parameterSchemaSpecToJsonSchema,
  valueSchemaSpecToJsonSchema,
} from '#dist/runtime/schema/compile.js';
import type { ParameterSchemaSpec, ValueSchemaSpec } from '#dist/runtime/schema/dsl.js';
import type { InferArgs, InferValue } from '#dist/runtime/schema/infer.js';
import { validateJsonSchemaValue } from '#dist/runtime/schema/validate-value.js';
import { defineTool } from '#dist/runtime/tools/define-tool.js';

// What these tests claim of types is checked by `npm run types`; here they only have to run.

/** Keeps the literal types of what it is given. */
const params = <const P extends ParameterSchemaSpec>(spec: P) => spec;
const value = <const S extends ValueSchemaSpec>(spec: S) => spec;

type Nest<S, Levels extends number, Count extends unknown[] = []> = Count['length'] extends Levels
  ? S
  : Nest<{ type: 'array'; items: S }, Levels, [...Count, unknown]>;
type Peel<T, Levels extends number, Count extends unknown[] = []> = Count['length'] extends Levels
  ? T
  : T extends (infer Item)[]
    ? Peel<Item, Levels, [...Count, unknown]>
    : 'no array';

describe('inference', () => {
  it('I1: required keys are mandatory, all others optional; keys are strings; the result is flat', () => {
    const spec = params({
      path: { type: 'string', required: true },
      line: { type: 'integer' },
      deep: {
        type: 'object',
        additionalProperties: false,
        properties: { on: { type: 'boolean', required: true }, note: { type: 'string' } },
      },
    });
    expectTypeOf<InferArgs<typeof spec>>().toEqualTypeOf<{
      path: string;
      line?: number;
      deep?: { on: boolean; note?: string };
    }>();
    expectTypeOf<keyof InferArgs<typeof spec>>().toEqualTypeOf<'path' | 'line' | 'deep'>();
    expectTypeOf<InferArgs<Record<never, never>>>().toEqualTypeOf<Record<never, never>>();
    expectTypeOf<InferArgs<ParameterSchemaSpec>>().toEqualTypeOf<Record<string, JsonValue>>();
    expectTypeOf<JsonValue>().toExtend<InferValue<ValueSchemaSpec>>();
    expectTypeOf<InferValue<ValueSchemaSpec>>().toExtend<JsonValue>();
    expect(Object.keys(spec)).toEqual(['path', 'line', 'deep']);
  });

  it('I2: const beats enum beats the broad type', () => {
    expectTypeOf<
      InferValue<{ type: 'string'; enum: readonly ['a', 'b']; const: 'a' }>
    >().toEqualTypeOf<'a'>();
    expectTypeOf<InferValue<{ type: 'string'; enum: readonly ['a', 'b'] }>>().toEqualTypeOf<'a' | 'b'>();
    expectTypeOf<InferValue<{ type: 'string' }>>().toEqualTypeOf<string>();
    expectTypeOf<InferValue<{ type: 'number' }>>().toEqualTypeOf<number>();
    expectTypeOf<InferValue<{ type: 'integer' }>>().toEqualTypeOf<number>();
    expectTypeOf<InferValue<{ type: 'integer'; const: 3 }>>().toEqualTypeOf<3>();
    expectTypeOf<InferValue<{ type: 'boolean'; enum: readonly [true] }>>().toEqualTypeOf<true>();
    expectTypeOf<InferValue<{ type: 'null' }>>().toEqualTypeOf<null>();
    expectTypeOf<InferValue<{ type: 'null'; const: null }>>().toEqualTypeOf<null>();
    expectTypeOf<InferValue<{ type: 'json' }>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<InferValue<{ type: 'array' }>>().toEqualTypeOf<JsonValue[]>();
    expectTypeOf<InferValue<{ type: 'array'; items: { type: 'string' } }>>().toEqualTypeOf<string[]>();
    expect(validateJsonSchemaValue(valueSchemaSpecToJsonSchema({ type: 'integer', const: 3 }), 3)).toEqual(
      [],
    );
  });

  it('I3: an open object is its shape and a record of JSON, a closed one its shape alone', () => {
    type Properties = { a: { type: 'string'; required: true }; b: { type: 'number' } };
    type Open = InferValue<{ type: 'object'; additionalProperties: true; properties: Properties }>;
    type Closed = InferValue<{ type: 'object'; additionalProperties: false; properties: Properties }>;
    expectTypeOf<Closed>().toEqualTypeOf<{ a: string; b?: number }>();
    expectTypeOf<Open['a']>().toEqualTypeOf<string>();
    expectTypeOf<Open['anything']>().toEqualTypeOf<JsonValue>();
    expectTypeOf<{ a: string } & Record<string, JsonValue>>().toExtend<Open>();
    expectTypeOf<InferValue<{ type: 'object'; additionalProperties: true }>>().toEqualTypeOf<
      Record<string, JsonValue>
    >();
    expectTypeOf<InferValue<{ type: 'object'; additionalProperties: false }>>().toEqualTypeOf<
      Record<string, never>
    >();
    expect(valueSchemaSpecToJsonSchema({ type: 'object', additionalProperties: true })).toHaveProperty(
      'additionalProperties',
      true,
    );
  });

  it('I4: oneOf is the union of its branches', () => {
    const spec = value({
      oneOf: [
        { type: 'null' },
        {
          type: 'object',
          additionalProperties: false,
          properties: { kind: { type: 'string', const: 'a', required: true } },
        },
        {
          oneOf: [
            { type: 'integer', enum: [1, 2] },
            { type: 'array', items: { type: 'boolean' } },
          ],
        },
      ],
    });
    expectTypeOf<InferValue<typeof spec>>().toEqualTypeOf<null | { kind: 'a' } | 1 | 2 | boolean[]>();
    expect(validateJsonSchemaValue(valueSchemaSpecToJsonSchema(spec), { kind: 'a' })).toEqual([]);
  });

  it('I5, I10, E35: types are exact for 16 levels and JSON below; validation walks the whole schema', () => {
    type Fifty = Nest<{ type: 'string' }, 50>;
    expectTypeOf<Peel<InferValue<Fifty>, 16>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Peel<InferValue<Nest<{ type: 'string' }, 16>>, 16>>().toEqualTypeOf<string>();
    expectTypeOf<Peel<InferValue<Nest<{ type: 'string' }, 17>>, 16>>().toEqualTypeOf<JsonValue>();
    type Unions = InferValue<{ oneOf: readonly [Nest<{ type: 'string' }, 15>, { type: 'null' }] }>;
    expectTypeOf<Peel<Exclude<Unions, null>, 15>>().toEqualTypeOf<string>();
    type TooDeep = InferValue<{ oneOf: readonly [Nest<{ type: 'string' }, 16>, { type: 'null' }] }>;
    expectTypeOf<Peel<Exclude<TooDeep, null>, 15>>().toEqualTypeOf<JsonValue>();

    let spec: ValueSchemaSpec = { type: 'string' };
    let deep: unknown = 1;
    for (let level = 0; level < 50; level += 1) {
      spec = { type: 'array', items: spec };
      deep = [deep];
    }
    expect(validateJsonSchemaValue(valueSchemaSpecToJsonSchema(spec), deep)).toEqual([
      `value${'[0]'.repeat(50)}: wanted a string, received 1`,
    ]);
  });

  it('I6: literals in line keep their types', () => {
    const tool = defineTool({
      name: 'pick',
      description: 'Picks one',
      parameters: {
        mode: { type: 'string', enum: ['fast', 'safe'], required: true },
        v: { type: 'integer', const: 2 },
      },
      output: {
        schema: { type: 'string', enum: ['done', 'failed'] },
        render: (args, outcome) => {
          expectTypeOf(args).toEqualTypeOf<{ mode: 'fast' | 'safe'; v?: 2 }>();
          expectTypeOf(outcome).toEqualTypeOf<'done' | 'failed'>();
          return [];
        },
      },
      execute: async ({ mode }) => (mode === 'fast' ? 'done' : 'failed'),
    });
    expect(tool.parameters.required).toEqual(['mode']);
  });

  it('I7: what the compiler of schemas would refuse, the compiler of types refuses first', () => {
    // @ts-expect-error an object has to say whether it is open
    expect(() => valueSchemaSpecToJsonSchema({ type: 'object' })).toThrow('additionalProperties');
    // @ts-expect-error one branch is no choice
    expect(() => valueSchemaSpecToJsonSchema({ oneOf: [{ type: 'string' }] })).toThrow('oneOf');
    // @ts-expect-error a number is not one of the strings
    expect(() => valueSchemaSpecToJsonSchema({ type: 'string', enum: ['a', 1] })).toThrow('enum');
    // @ts-expect-error a string is no integer
    expect(() => valueSchemaSpecToJsonSchema({ type: 'integer', const: '1' })).toThrow('const');
    // @ts-expect-error required is true or absent
    expect(() => parameterSchemaSpecToJsonSchema({ a: { type: 'string', required: false } })).toThrow(
      'required',
    );
    // @ts-expect-error keys are strings
    expect(() => parameterSchemaSpecToJsonSchema({ [Symbol('a')]: { type: 'string' } })).toThrow('record');
    // @ts-expect-error there is no such kind
    expect(() => valueSchemaSpecToJsonSchema({ type: 'date' })).toThrow('type');
    const output = { schema: { type: 'null' }, render: () => [] } as const;
    const rest = { name: 'x', description: 'x', output, execute: async () => null } as const;
    // @ts-expect-error in a tool too: an object has to say whether it is open
    expect(() => defineTool({ ...rest, parameters: { a: { type: 'object' } } })).toThrow(
      'additionalProperties',
    );
    // @ts-expect-error in a tool too: required is true or absent
    expect(() => defineTool({ ...rest, parameters: { a: { type: 'string', required: false } } })).toThrow(
      'required',
    );
    // @ts-expect-error in a tool too: keys are strings
    expect(() => defineTool({ ...rest, parameters: { [Symbol('a')]: { type: 'string' } } })).toThrow(
      'record',
    );
  });

  it('I8: the body returns exactly what the output schema says', () => {
    const rest = { name: 'x', description: 'x', parameters: {} } as const;
    const count = {
      type: 'object',
      additionalProperties: false,
      properties: { n: { type: 'integer', required: true } },
    } as const;
    const tools = [
      defineTool({
        ...rest,
        output: {
          schema: count,
          render: (_, outcome) => [{ type: 'text', text: outcome.n.toFixed() }],
          presentationMeta: (_, outcome) => outcome.n,
        },
        execute: async () => ({ n: 1 }),
      }),
      // @ts-expect-error the body returns a string where a record is wanted
      defineTool({ ...rest, output: { schema: count, render: () => [] }, execute: async () => 'n' }),
      // @ts-expect-error a property is missing
      defineTool({ ...rest, output: { schema: count, render: () => [] }, execute: async () => ({}) }),
      defineTool({
        ...rest,
        output: {
          schema: count,
          // @ts-expect-error the renderer cannot widen what the schema says
          render: (_, outcome: { n: string }) => [{ type: 'text', text: outcome.n }],
        },
        execute: async () => ({ n: 1 }),
      }),
      // @ts-expect-error a promise is wanted
      defineTool({ ...rest, output: { schema: count, render: () => [] }, execute: () => ({ n: 1 }) }),
    ];
    expect(new Set(tools.map(({ output }) => JSON.stringify(output.schema))).size).toBe(1);
  });

  it('I9: a signal is there and read-only in every view but the one around dispatch, where it cannot be removed', () => {
    expectTypeOf<ToolRunContext['signal']>().toEqualTypeOf<AbortSignal>();
    expectTypeOf<ToolExecution['signal']>().toEqualTypeOf<AbortSignal>();
    const { signal } = new AbortController();
    const views = { run: { signal } as ToolRunContext, around: { signal } as ToolDispatchExecution };
    // @ts-expect-error read-only for the body
    views.run.signal = signal;
    views.around.signal = signal;
    // @ts-expect-error never removed
    views.around.signal = undefined;
    // @ts-expect-error never removed
    expect(delete views.around.signal).toBe(true);
  });
});
