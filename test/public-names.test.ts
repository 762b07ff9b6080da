import * as everything from 'ptc-runtime';
import * as runtime from 'ptc-runtime/runtime';
import { describe, expect, it } from 'vitest';

describe('public names', () => {
  it('R63, R69: the package exports each value of its runtime under the same name', () => {
    const missing = Object.keys(runtime).filter((name) => !(name in everything));
    expect(missing).toEqual([]);
    const different = Object.entries(runtime).filter(
      ([name, value]) => (everything as Record<string, unknown>)[name] !== value,
    );
    expect(different).toEqual([]);
  });

  it('P66: the names of the contract that are values are there', () => {
    const wanted = [
      'AbortError',
      'CodeRunFailedError',
      'JsonSchemaError',
      'PtcError',
      'ToolArgsError',
      'ToolNotFoundError',
      'ToolOutcomeUnknownError',
      'ToolOutputError',
      'ToolTimeoutError',
      'assertObjectJsonSchema',
      'assertSupportedJsonSchema',
      'clampTimeout',
      'createTools',
      'defineTool',
      'isJsonValue',
      'parameterSchemaSpecToJsonSchema',
      'snapshotJsonValue',
      'validateArgs',
      'validateJsonSchemaValue',
      'valueSchemaSpecToJsonSchema',
    ];
    expect(wanted.filter((name) => !(name in everything))).toEqual([]);
  });
});
