import type { ToolExecutorHost } from '../contract/executor.js';
import type { PipelineHost } from '../pipeline/host.js';

/** What the mode of a call is read from. */
export type ModeHost = Pick<PipelineHost, 'executable' | 'visible'>;

/**
 * Lets an executor ask for the mode of its calls. A name that is not visible cannot be called at all, so it is as
 * exclusive as one that cannot be called directly: no more has to be known of it.
 */
export function modeHost(host: ToolExecutorHost): ModeHost {
  return {
    executable: (name, scope, toolSet) => host.executable(name, scope, toolSet),
    visible: () => true,
  };
}
