import type { ToolSchema } from '../runtime/contract/definition.js';
import { TRANSPORT_NAME } from '../runtime/core/transport-name.js';
import type { JsonSchemaNode } from '../runtime/schema/json-schema.js';

/** The parts of a mounted runtime that the model-facing schema depends on. */
export interface RunCodeSchemaInput {
  readonly language: string;
  readonly executionInstructions?: string | undefined;
  /** The largest per-run deadline in milliseconds; absent = the runtime takes none. */
  readonly maxTimeoutMs?: number | undefined;
}

interface LanguageTexts {
  readonly tool: string;
  readonly code: string;
}

const LANGUAGES: ReadonlyMap<string, LanguageTexts> = new Map([
  [
    'typescript',
    {
      tool: 'Runs a TypeScript program that calls tools as `await tools.name(args)`. Both `code` and `description` are required. Prefer one program that does several calls and returns a short answer over many programs with one call each.',
      code: 'The program: the body of an async TypeScript function. `await` and `return` work at the top; what is returned or written to `console` comes back.',
    },
  ],
]);

/**
 * The schema of `run_code` as the model reads it, for the language of the mounted runtime.
 *
 * @throws {TypeError} when the language is not one of those that have texts.
 * @example
 * runCodeSchema({ language: 'typescript' }).name // 'run_code'
 */
export function runCodeSchema(runtime: RunCodeSchemaInput): ToolSchema {
  const texts = LANGUAGES.get(runtime.language);
  if (texts === undefined) {
    const known = [...LANGUAGES.keys()].map((name) => JSON.stringify(name)).join(', ');
    throw new TypeError(
      `Cannot describe run_code for language ${JSON.stringify(runtime.language)}: wanted one of ${known}`,
    );
  }
  const extra = runtime.executionInstructions?.trim() ?? '';
  return {
    name: TRANSPORT_NAME,
    description: extra === '' ? texts.tool : `${texts.tool}\n\n${extra}`,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: texts.code },
        description: {
          type: 'string',
          description: 'What the program does, in a few words that a user reads, e.g. "Count open issues".',
        },
        ...timeoutProperty(runtime.maxTimeoutMs),
      },
      required: ['code', 'description'],
    },
  };
}

function timeoutProperty(maxTimeoutMs: number | undefined): Record<string, JsonSchemaNode> {
  if (maxTimeoutMs === undefined) return {};
  const description = `A deadline for this run in milliseconds, at most ${maxTimeoutMs}.`;
  return { timeoutMs: { type: 'number', description } };
}
