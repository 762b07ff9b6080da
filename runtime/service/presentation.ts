import type { ToolExecutor } from '../contract/executor.js';
import type { Disposer, ToolsService } from '../contract/service.js';
import { oneOf } from '../core/options.js';

/** How tools are shown to a model: called one by one, through programs, or either way. */
export type Presentation = 'native' | 'ptc' | 'both';

const PRESENTATIONS: readonly Presentation[] = ['native', 'ptc', 'both'];

/** Makes the executor of each presentation; called when it is declared. */
export type PresentationExecutors = { readonly [P in Presentation]: () => ToolExecutor };

/**
 * Makes the function by which a host declares how a scope's tools are presented.
 *
 * Declared on an unscoped service it is the deployment's default, on a scoped one that scope's; the nearest scope wins.
 * A scope has one declaration at a time. Its disposer restores what was there before, so the scope follows the default
 * again.
 *
 * @returns a function that throws {TypeError} for an unknown presentation and {Error} for a second declaration.
 * @example
 * const present = presentations({ native, ptc, both });
 * present(tools, 'ptc');
 * const restore = present(tools.scoped(reviewer), 'native');
 */
export function presentations(
  executors: PresentationExecutors,
): (tools: ToolsService, presentation: Presentation) => Disposer {
  return (tools, presentation) => {
    const make = executors[oneOf('presentation', presentation, PRESENTATIONS)];
    return tools.setExecutor(make(), { declare: true });
  };
}
