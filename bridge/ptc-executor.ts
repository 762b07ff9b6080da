import type { ToolBatchInput, ToolBatchResult } from '../runtime/contract/batch.js';
import type { CodeRuntime } from '../runtime/contract/code-runtime.js';
import type { ToolDefinition } from '../runtime/contract/definition.js';
import type { ToolDispatch } from '../runtime/contract/execution.js';
import type {
  ToolExecutor,
  ToolExecutorHost,
  ToolModelInput,
  ToolPromptSection,
} from '../runtime/contract/executor.js';
import { modelInput } from '../runtime/executor/model-input.js';
import { runBatch } from '../runtime/executor/run-batch.js';
import { directCallRule } from '../sdk-gen/instructions.js';
import { runCodeSchema } from '../sdk-gen/run-code-schema.js';
import type { SdkOptions } from '../sdk-gen/sdk-options.js';
import { sdkText } from '../sdk-gen/sdk-text.js';
import { type PtcExecutorOptions, resolvePtcOptions } from './ptc-options.js';
import { runCodeDefinition } from './run-code.js';

/** The rule comes before whatever is said of single tools, which has no order of its own, and the SDK after it. */
const RULE_ORDER = -100;
const SDK_ORDER = 100;

/**
 * Makes an executor that lets a model reach the tools through programs: it sends one `run_code` call whose code calls
 * them, and each of those calls goes through the same pipeline as a direct one.
 *
 * @throws {TypeError} when an option is unknown or has no meaning
 * @example
 * tools.setExecutor(ptcExecutor({ runtime: sandboxRuntime() }));
 */
export function ptcExecutor(options: PtcExecutorOptions): ToolExecutor {
  const resolved = resolvePtcOptions(options);
  const { runtime, presents, maxParallelToolCalls, sdk } = resolved;
  const dispatches = new WeakMap<ToolExecutorHost, ToolDispatch>();

  const dispatchFor = (host: ToolExecutorHost): ToolDispatch => {
    const known = dispatches.get(host);
    if (known !== undefined) return known;
    const direct = presents === 'both' ? 'any' : 'transport-only';
    const dispatch = Object.freeze({ definition: runCodeDefinition(resolved, host), direct } as const);
    dispatches.set(host, dispatch);
    return dispatch;
  };

  const rule: ToolPromptSection = {
    id: 'ptc/direct-calls',
    order: RULE_ORDER,
    render: () => directCallRule,
  };
  const sdkSection: ToolPromptSection = {
    id: 'ptc/sdk',
    order: SDK_ORDER,
    render: ({ tools }) => sdkText(tools, withLevel(sdk, runtime)).text,
  };

  return {
    sections: presents === 'both' ? [sdkSection] : [rule, sdkSection],
    describe(tools: readonly ToolDefinition[]): ToolModelInput {
      const transport = runCodeSchema(mounted(runtime));
      const native = presents === 'both' ? modelInput(tools) : { schemas: [], knownNames: [] };
      return {
        schemas: [transport, ...native.schemas],
        knownNames: [transport.name, ...native.knownNames],
      };
    },
    execute(input: ToolBatchInput, host: ToolExecutorHost): Promise<ToolBatchResult> {
      return runBatch(input, host, { maxParallel: maxParallelToolCalls, dispatch: dispatchFor(host) });
    },
  };
}

/** The text names the level of the engine that is mounted, unless its host says otherwise. */
function withLevel(sdk: SdkOptions, runtime: CodeRuntime | undefined): SdkOptions {
  const level = sdk.languageLevel ?? runtime?.languageLevel;
  return level === undefined ? sdk : { ...sdk, languageLevel: level };
}

function mounted(runtime: CodeRuntime | undefined): CodeRuntime {
  if (runtime === undefined) throw new Error('Cannot describe run_code: no code runtime is mounted');
  return runtime;
}
