import type { ToolsService } from '../runtime/contract/service.js';
import { received } from '../runtime/core/option-error.js';

/**
 * Checks what a policy was called with beside its options.
 *
 * @param extra what came behind the last argument that the policy has: an option that nobody would read
 * @throws {TypeError} when `tools` is no tools service, or something came that the policy does not take
 * @example
 * attachedTo('checkpoint', tools, extra);
 */
export function attachedTo(policy: string, tools: ToolsService, extra: readonly unknown[] = []): void {
  if (typeof tools !== 'object' || tools === null || typeof tools.on !== 'function') {
    throw new TypeError(
      `Cannot use policy "${policy}": wanted a tools service made by createTools, received ${received(tools)}`,
    );
  }
  if (extra.length > 0) {
    throw new TypeError(
      `Cannot use policy "${policy}": wanted the tools service alone, received ${received(extra[0])} too`,
    );
  }
}
