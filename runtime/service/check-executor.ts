import type { ToolExecutor, ToolPromptSection } from '../contract/executor.js';
import { received } from '../core/option-error.js';

/**
 * Refuses what is no executor: only `describe` and `execute` are needed.
 *
 * @throws {TypeError} when one of the two is missing.
 * @example
 * assertExecutor(nativeExecutor());
 */
export function assertExecutor(executor: ToolExecutor): void {
  if (typeof executor !== 'object' || executor === null) {
    throw new TypeError(`Cannot set an executor: wanted an object, received ${received(executor)}`);
  }
  for (const member of ['describe', 'execute'] as const) {
    if (typeof executor[member] !== 'function') {
      throw new TypeError(
        `Cannot set an executor: "${member}" wants a function, received ${received(executor[member])}`,
      );
    }
  }
}

/**
 * The prompt sections of an executor as they are now, lowest order first; equal orders keep their places.
 *
 * @throws {TypeError} when a section is malformed or two share an id.
 * @example
 * sectionsOf(executor).map(({ id }) => id)
 */
export function sectionsOf(executor: ToolExecutor): readonly ToolPromptSection[] {
  const { sections = [] } = executor;
  if (!Array.isArray(sections)) throw refusal('"sections" wants an array', sections);
  const ids = new Set<string>();
  for (const section of sections as readonly Partial<ToolPromptSection>[]) {
    if (typeof section?.id !== 'string' || section.id === '') {
      throw refusal('a section\'s "id" wants a non-empty string', section?.id);
    }
    if (ids.has(section.id)) throw refusal('a section wants an id of its own', section.id);
    if (!Number.isFinite(section.order)) {
      throw refusal(`the "order" of section "${section.id}" wants a finite number`, section.order);
    }
    if (typeof section.render !== 'function') {
      throw refusal(`"render" of section "${section.id}" wants a function`, section.render);
    }
    ids.add(section.id);
  }
  return [...(sections as readonly ToolPromptSection[])].sort((a, b) => a.order - b.order);
}

function refusal(wanted: string, value: unknown): TypeError {
  return new TypeError(`Cannot set an executor: ${wanted}, received ${received(value)}`);
}
