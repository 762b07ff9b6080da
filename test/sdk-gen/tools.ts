import { readdirSync, readFileSync } from 'node:fs';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';

/** What a test says of a tool. */
export interface ToolInput {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** A definition that is only ever described, never run. */
export function tool({ name, description = '', inputSchema, outputSchema }: ToolInput): ToolDefinition {
  return {
    name,
    description,
    parameters: inputSchema ?? { type: 'object', properties: {} },
    output: { schema: outputSchema ?? {}, dialect: '2020-12', render: () => [] },
    execute: async () => null,
  } as unknown as ToolDefinition;
}

const fixture = (path: string): string =>
  readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');

/** The tools of five real servers, by server. */
export const serverTools = JSON.parse(fixture('type-check/tools.json')) as Record<string, ToolInput[]>;

/** The same as definitions, all servers together. */
export const realTools: readonly ToolDefinition[] = Object.values(serverTools).flat().map(tool);

/** A case of a public bug report. */
export interface Case {
  readonly id: string;
  readonly kind: string;
  readonly tools: readonly ToolInput[];
  readonly valid: readonly unknown[];
  readonly typeRejects: readonly unknown[];
  readonly tsReference: string | undefined;
}

/** Every schema and names case. */
export const cases: readonly Case[] = readdirSync(new URL('../fixtures/cases/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(fixture(`cases/${file}`)))
  .filter(({ $case: { kind } }) => kind === 'schema' || kind === 'names')
  .map((json) => {
    const fromServers = (json.servers ?? []).flatMap((server: { name: string; tools: string[] }) =>
      server.tools.map((name) => ({ name: `${server.name}__${name}` })),
    );
    return {
      id: json.$case.case,
      kind: json.$case.kind,
      tools: json.tools ?? (json.tool === undefined ? fromServers : [json.tool]),
      valid: json.valid ?? [],
      typeRejects: json.typeRejects ?? [],
      tsReference: json.tsReference,
    };
  });
