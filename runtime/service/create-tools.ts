import type { ApprovalService } from '../contract/approval.js';
import type { ToolExecutorHost } from '../contract/executor.js';
import type { ScopeKey } from '../contract/scope.js';
import type {
  ListenerOptions,
  ScopedToolsService,
  SetExecutorOptions,
  ToolsService,
} from '../contract/service.js';
import { optionError } from '../core/option-error.js';
import { flag, functionOption, knownOptions } from '../core/options.js';
import { assertBatchObject } from '../executor/check-batch.js';
import type { PipelineHost } from '../pipeline/host.js';
import { createPipeline } from '../pipeline/pipeline.js';
import { importWarnings } from '../tools/import-tool.js';
import { createRegistry } from '../tools/registry.js';
import { toolSchema } from '../tools/schemas.js';
import { assertScopeKey } from '../tools/scope-chain.js';
import { announceChange } from './announce-change.js';
import { createApprovers } from './approvers.js';
import { describeTools } from './describe-tools.js';
import { shapeDispatchLog } from './dispatch-log.js';
import { createEventTable } from './event-table.js';
import { createExecutorSlots } from './executor-slots.js';
import { createScopeEffects } from './scope-effects.js';
import { orderTools } from './tool-order.js';
import { createWarn, type Warn } from './warnings.js';

/** What a deployment decides about its tools. */
export interface CreateToolsOptions {
  /** Answers `ask` decisions where no scope has its own approver. Without any, `ask` denies. */
  readonly approval?: ApprovalService;
  /** Told of what goes wrong beside a result. @default a process warning named `PtcWarning` */
  readonly onWarning?: (message: string, cause?: unknown) => void;
  /** Names whose schemas `describe` puts first. A name that the viewed scope does not know fails `describe`. */
  readonly toolOrder?: readonly string[];
}

/**
 * Makes the one registry of a deployment, with its pipeline and the slots for executors.
 *
 * Nothing is selected yet: `execute` rejects until `setExecutor` was called.
 *
 * @throws {TypeError} when an option is malformed.
 * @example
 * const tools = createTools();
 * tools.register(readFile);
 * tools.setExecutor(nativeExecutor());
 */
export function createTools(options: CreateToolsOptions = {}): ToolsService {
  knownOptions('createTools', options, ['approval', 'onWarning', 'toolOrder']);
  const { approval, onWarning, toolOrder } = options;
  if (onWarning !== undefined) functionOption('onWarning', onWarning);
  const order = toolOrder === undefined ? undefined : nameList('toolOrder', toolOrder);

  const warn: Warn = createWarn(onWarning);
  const approvers = createApprovers(approval);
  const events = createEventTable();
  const slots = createExecutorSlots();
  const effects = createScopeEffects();
  const registry = createRegistry((undo) => announceChange(events.everyone('tools/change'), warn, undo));

  const executable: ToolExecutorHost['executable'] = (name, scope, toolSet) =>
    registry.executable(name, scope, toolSet)?.definition;
  const definitions: ToolExecutorHost['definitions'] = (scope, toolSet) =>
    registry.list(scope, toolSet).map(({ definition }) => definition);
  const registration: ToolExecutorHost['registration'] = (name, scope) => registry.find(name, scope)?.options;

  const pipelineHost: PipelineHost = {
    executable,
    visible: (name, scope, toolSet) => registry.find(name, scope, toolSet) !== undefined,
    listeners: events.listeners,
    checkGuards: registry.checkGuards,
    approval: approvers.select,
    warn,
  };
  const pipeline = createPipeline(pipelineHost);
  const executorHost: ToolExecutorHost = Object.freeze({
    pipeline,
    executable,
    definitions,
    registration,
    dispatchLog: (dispatch) => shapeDispatchLog(events, warn, dispatch),
    warn,
  } satisfies ToolExecutorHost);

  const describe: ToolsService['describe'] = (scope, toolSet) => {
    const provider = slots.select(scope);
    // Without a set only unconditional tools can be called, so no others are shown to a model.
    const callable = registry.list(scope, toolSet).filter(({ when }) => toolSet !== undefined || !when);
    const described = describeTools(
      provider,
      callable.map(({ definition }) => definition),
      scope,
      () => slots.select(scope) === provider,
    );
    return order === undefined ? described : orderTools(described, order);
  };

  const viewFrom = (scope: ScopeKey | undefined): ToolsService => ({
    register: (definition, registrationOptions) => {
      const dispose = effects.track(scope, registry.register(scope, definition, registrationOptions));
      for (const line of importWarnings(definition)) warn(line);
      return dispose;
    },
    restrict: (filter) => effects.track(scope, registry.restrict(scope, filter)),
    guard: (check) => effects.track(scope, registry.guard(scope, check)),
    setExecutor: (executor, executorOptions) =>
      effects.track(
        scope,
        isDeclared(executorOptions) ? slots.declare(scope, executor) : slots.set(scope, executor),
      ),
    setApproval: (approver) => effects.track(scope, approvers.set(scope, approver)),
    on: (event, listener, listenerOptions) =>
      effects.track(scope, events.on(event, listener, scope, ...listenerFlags(listenerOptions))),
    scoped,
    get: (name, viewed, toolSet) => registry.find(name, viewed, toolSet)?.definition,
    executable,
    definitions,
    schemas: (viewed, toolSet) =>
      registry
        .list(viewed, toolSet)
        .map(({ name, definition }) =>
          toolSchema({ name, description: definition.description, parameters: definition.parameters }),
        ),
    registration,
    resolve: registry.resolve,
    describe,
    execute: async (batch) => {
      assertBatchObject(batch);
      return slots.select(batch.agent).executor.execute(batch, executorHost);
    },
    checkGuards: registry.checkGuards,
    pipeline,
  });

  function scoped(scope: ScopeKey): ScopedToolsService {
    assertScopeKey(scope);
    return { ...viewFrom(scope), dispose: () => effects.disposeAll(scope) };
  }

  return viewFrom(undefined);
}

function listenerFlags(options: ListenerOptions = {}): [prepend: boolean, repeats: boolean] {
  const { prepend = false, repeats = false } = knownOptions('on', options, ['prepend', 'repeats']);
  return [flag('prepend', prepend), flag('repeats', repeats)];
}

function isDeclared(options: SetExecutorOptions = {}): boolean {
  const { declare = false } = knownOptions('setExecutor', options, ['declare']);
  return flag('declare', declare);
}

function nameList(option: string, names: readonly string[]): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return [...names];
  throw optionError(option, 'an array of names', names);
}
