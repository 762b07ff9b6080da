import { existsSync, readFileSync } from 'node:fs';
import * as everything from 'ptc-runtime';
import { describe, expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};

/** The rooms that the package's root speaks for; adapters are reached by their own paths only. */
const rooms = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' || path === '.' || path.startsWith('./adapters/') || !existsSync(target.default)
    ? []
    : [{ path: path.replace('.', 'ptc-runtime') }],
);

describe('public names', () => {
  it.each(rooms)('R70: the package exports each value of $path under the same name', async ({ path }) => {
    const room: Record<string, unknown> = await import(path);
    expect(Object.keys(room)).not.toEqual([]);
    const different = Object.keys(room).filter(
      (name) => (everything as Record<string, unknown>)[name] !== room[name],
    );
    expect(different).toEqual([]);
  });

  it('P66, R70: the values that the contract names are exported', () => {
    const wanted = [
      'AbortError',
      'CodeRunFailedError',
      'JsonSchemaError',
      'PtcError',
      'ToolArgsError',
      'ToolBatchExecutionError',
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
      'nativeExecutor',
      'parameterSchemaSpecToJsonSchema',
      'ptcExecutor',
      'snapshotJsonValue',
      'validateArgs',
      'validateJsonSchemaValue',
      'valueSchemaSpecToJsonSchema',
    ];
    expect(wanted.filter((name) => !(name in everything))).toEqual([]);
  });
});
