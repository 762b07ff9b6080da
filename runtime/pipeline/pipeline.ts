import type { ToolExecutionPipeline } from '../contract/execution.js';
import type { PipelineHost } from './host.js';
import { openCall } from './open-call.js';
import { StagedCall } from './staged-call.js';

/**
 * Makes the one way from a call to a result. It holds no state of its own.
 *
 * @example
 * const pipeline = createPipeline(host);
 * const result = await pipeline.execute({ callId, name: 'add', arguments: { a: 1, b: 2 }, signal });
 */
export function createPipeline(host: PipelineHost): ToolExecutionPipeline {
  return {
    async execute(input) {
      const call = new StagedCall(openCall(host, input));
      const prepared = call.start();
      if (prepared === true || (prepared !== false && (await prepared))) await call.dispatch();
      return call.end();
    },
    stage: (input) => new StagedCall(openCall(host, input)),
  };
}
