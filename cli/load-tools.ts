import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import type { ToolsService } from '../runtime/contract/service.js';
import { UsageError } from './usage-error.js';

/**
 * Registers the tools of one module: its default export is an array of definitions, or a function that returns one.
 *
 * @throws {UsageError} when the module is missing, fails to load, or does not have that form
 * @example
 * await loadTools(tools, 'examples/math-tools.js');
 */
export async function loadTools(tools: ToolsService, path: string): Promise<void> {
  const file = resolve(path);
  await stat(file).catch((cause: Error) => {
    throw new UsageError(`Cannot load tools module "${path}": ${cause.message}`, { cause });
  });
  const definitions = await definitionsOf(file).catch((cause: unknown) => {
    throw new UsageError(`Cannot load tools module "${path}": ${oneLine(cause)}`, { cause });
  });
  if (!Array.isArray(definitions)) {
    throw new UsageError(
      `Cannot use tools module "${path}": wanted a default export that is an array of tool definitions or a function returning one, received ${typeof definitions}`,
    );
  }
  for (const definition of definitions as ToolDefinition[]) {
    try {
      tools.register(definition);
    } catch (cause) {
      throw new UsageError(`Cannot register a tool of module "${path}": ${oneLine(cause)}`, { cause });
    }
  }
}

async function definitionsOf(file: string): Promise<unknown> {
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  return typeof module.default === 'function' ? await (module.default as () => unknown)() : module.default;
}

function oneLine(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.split('\n')[0] ?? '';
}
