import { readFileSync } from 'node:fs';
import type { PreparedProgram } from '#dist/runtime/contract/code-runtime.js';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/type-check/${name}`, import.meta.url), 'utf8');

/** A program of the fixtures. */
export interface FixtureProgram {
  readonly id: string;
  readonly text: string;
  /** Of a wrong one, where its fault is, if its head says so. */
  readonly line?: number;
}

/** The programs of a fixture file: `//# ID what` starts one, or `//# ID line N what`. */
export function programsOf(...names: readonly string[]): readonly FixtureProgram[] {
  return names.flatMap((name) =>
    fixture(name)
      .split(/^\/\/# /m)
      .slice(1)
      .map((part) => {
        const [, id, line] = /^(\S+)(?: line (\d+))?/.exec(part)!;
        const text = part.slice(part.indexOf('\n') + 1);
        return { id: id!, text, ...(line === undefined ? {} : { line: Number(line) }) };
      }),
  );
}

interface ServerTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

/** A definition that is only ever described. */
export function definition({
  name,
  description = '',
  inputSchema,
  outputSchema,
}: ServerTool): ToolDefinition {
  return {
    name,
    description,
    parameters: inputSchema,
    output: { schema: outputSchema ?? {}, render: () => [] },
    execute: async () => null,
  } as unknown as ToolDefinition;
}

/** The tools of five real servers. */
export const realTools: readonly ToolDefinition[] = Object.values(
  JSON.parse(fixture('tools.json')) as Record<string, ServerTool[]>,
)
  .flat()
  .map(definition);

/** A bare body as the sandbox prepares it. */
export function prepared(typedText: string): PreparedProgram {
  const lineMap = typedText.split('\n').map((_, i) => i + 1);
  return { typedText, lineMap, form: 'body' };
}
