import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import { serverTools, type ToolInput, tool } from './tools.ts';

const SERVICES =
  'github gitlab jira slack linear notion stripe shopify hubspot zendesk asana trello dropbox gdrive gmail outlook teams zoom calendly figma'.split(
    ' ',
  );
const NOUNS =
  'issue comment label project user file team invoice order event board page channel webhook release'.split(
    ' ',
  );
const VERBS = ['list', 'get', 'create', 'update', 'remove'];
const schemas: readonly ToolInput[] = Object.values(serverTools).flat();

/** Up to 1 500 × n tools of twenty services, each with a real tool's schemas. */
export function manyTools(count: number): readonly ToolDefinition[] {
  return Array.from({ length: count }, (_, i) => {
    const service = SERVICES[i % SERVICES.length]!;
    const turn = Math.floor(i / SERVICES.length);
    const verb = VERBS[turn % VERBS.length]!;
    const noun = NOUNS[Math.floor(turn / VERBS.length) % NOUNS.length]!;
    const part = Math.floor(turn / (VERBS.length * NOUNS.length));
    const { inputSchema, outputSchema, description } = schemas[i % schemas.length]!;
    return tool({
      name: `${service}_${verb}_${noun}${part === 0 ? '' : `_${part}`}`,
      description: `Does ${verb} for one ${noun} of ${service}. ${String(description).slice(0, 150)}`,
      inputSchema,
      outputSchema,
    });
  });
}
