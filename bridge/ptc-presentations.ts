import type { Disposer, ToolsService } from '../runtime/contract/service.js';
import { nativeExecutor } from '../runtime/executor/native-executor.js';
import { type Presentation, presentations } from '../runtime/service/presentation.js';
import { ptcExecutor } from './ptc-executor.js';
import { type PtcExecutorOptions, resolvePtcOptions } from './ptc-options.js';

/**
 * Makes the function by which a host declares whether a scope's tools are called one by one (`native`), through programs
 * (`ptc`), or either way (`both`), over one code runtime. See `presentations` for the rules of a declaration.
 *
 * @throws {TypeError} when an option is unknown or has no meaning
 * @example
 * const present = ptcPresentations({ runtime: sandboxRuntime() });
 * present(tools, 'ptc');
 * const restore = present(tools.scoped(reviewer), 'native');
 */
export function ptcPresentations(
  options: Omit<PtcExecutorOptions, 'presents'>,
): (tools: ToolsService, presentation: Presentation) => Disposer {
  const { maxParallelToolCalls } = resolvePtcOptions(options);
  return presentations({
    native: () => nativeExecutor({ maxParallelToolCalls }),
    ptc: () => ptcExecutor({ ...options, presents: 'ptc' }),
    both: () => ptcExecutor({ ...options, presents: 'both' }),
  });
}
