import type { ToolDefinition } from '../contract/definition.js';
import type { RenderedPromptSection, ToolModelInput, ToolPromptContext } from '../contract/executor.js';
import type { ScopeKey } from '../contract/scope.js';
import { errorMessage } from '../core/error-text.js';
import { received } from '../core/option-error.js';
import type { Provider } from './executor-slots.js';

/**
 * What the model gets of the selected executor: its schemas, the names it knows, and its prompt sections, rendered.
 *
 * `sections` is there only when the executor has any; a section that renders `undefined` has nothing to say. The executor
 * itself is never part of it.
 *
 * @param isSelected whether the provider still is what the viewing scope selects
 * @throws {Error} when the provider goes away meanwhile or a section cannot be rendered.
 * @throws {TypeError} when the executor describes itself in another shape.
 * @example
 * describeTools(slots.select(agent), tools, agent, () => true).schemas
 */
export function describeTools(
  provider: Provider,
  tools: readonly ToolDefinition[],
  scope: ScopeKey | undefined,
  isSelected: () => boolean,
): ToolModelInput {
  const described = provider.executor.describe(tools);
  if (!Array.isArray(described?.schemas) || !Array.isArray(described.knownNames)) {
    throw new TypeError(
      `Cannot describe tools: the executor wants to return { schemas, knownNames }, received ${received(described)}`,
    );
  }
  const { schemas, knownNames } = described;
  if (provider.sections.length === 0) return { schemas, knownNames };
  const context = { scope, tools };
  const sections: RenderedPromptSection[] = [];
  for (const section of provider.sections) {
    if (!isSelected()) {
      throw new Error(`Cannot render prompt section "${section.id}": its executor is no longer selected`);
    }
    const text = render(section, context);
    if (text !== undefined) sections.push({ id: section.id, order: section.order, text });
  }
  return { schemas, knownNames, sections };
}

function render(section: Provider['sections'][number], context: ToolPromptContext): string | undefined {
  let text: unknown;
  try {
    text = section.render(context);
  } catch (cause) {
    throw new Error(`Cannot render prompt section "${section.id}": ${errorMessage(cause)}`, { cause });
  }
  if (text === undefined || typeof text === 'string') return text;
  throw new TypeError(
    `Cannot render prompt section "${section.id}": wanted a text, received ${received(text)}`,
  );
}
