import type * as ptc from 'ptc-runtime';
import { describe, expect, it } from 'vitest';

/** True where both are one type, `readonly` and `?` included. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : { wanted: B; received: A };

/** Compiles only where every claim is true. */
function claim<_T extends true>(): void {}

/** The members of an object type that may be left out. */
type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Required<T> = Exclude<keyof T, Optional<T>>;
/** The members that may be assigned. */
type Writable<T> = {
  [K in keyof T]-?: Same<Pick<T, K>, Readonly<Pick<T, K>>> extends true ? never : K;
}[keyof T];

/** `Wanted` members are there, and of those the ones in `Opt` may be left out and no other; there may be more. */
type Fields<T, Wanted extends string, Opt extends string = never> = [
  Exclude<Wanted | Opt, keyof T>,
  Exclude<Required<T>, Wanted>,
  Exclude<Wanted, Required<T>>,
] extends [never, never, never]
  ? true
  : {
      missing: Exclude<Wanted | Opt, keyof T>;
      unexpected: Exclude<Required<T>, Wanted>;
      optional: Exclude<Wanted, Required<T>>;
    };

/** Never called. */
function scopes(service: ptc.ToolsService, agent: ptc.Agent) {
  service.scoped({ id: 'preset' });
  service.scoped({});
  service.scoped({ name: 'inner', parent: agent });
  service.scoped(agent);
  // @ts-expect-error a scope is an object: its identity is what counts
  service.scoped('preset');
  // @ts-expect-error a parent is a scope too
  service.scoped({ parent: 'preset' });
}

/** Never called: what the compiler accepts is the claim. */
function tools() {
  claim<Fields<ptc.ToolSchema, 'name' | 'description' | 'parameters'>>();
  claim<
    Fields<
      ptc.ToolDefinition,
      'name' | 'description' | 'parameters' | 'output' | 'execute',
      | 'projectContent'
      | 'finalizeContent'
      | 'timeoutMs'
      | 'isConcurrencySafe'
      | 'presentCall'
      | 'presentResult'
    >
  >();
  claim<Same<Parameters<ptc.ToolDefinition['execute']>, [args: unknown, exec: ptc.ToolRunContext]>>();
  claim<Same<ReturnType<ptc.ToolDefinition['execute']>, Promise<unknown>>>();
  claim<Fields<ptc.ToolOutputDefinition, 'schema' | 'render', 'dialect' | 'presentationMeta'>>();
  claim<Same<NonNullable<ptc.ToolOutputDefinition['dialect']>, 'subset' | 'draft-07' | '2020-12'>>();
  claim<Fields<ptc.ToolResult, 'content' | 'isError', 'meta'>>();
  claim<Fields<ptc.ToolRestriction, never, 'allow' | 'deny'>>();
  claim<Same<NonNullable<ptc.ToolRestriction['allow']>, readonly string[]>>();
  claim<
    Fields<
      ptc.ToolRegistrationOptions,
      never,
      'when' | 'maxParallel' | 'source' | 'kind' | 'readOnly' | 'idempotent' | 'destructive'
    >
  >();
  claim<Fields<ptc.ToolActivationContext, 'modelSelection' | 'signal', 'agent'>>();
  claim<Fields<ptc.ToolActivationContext['modelSelection'], 'provider' | 'model', 'reasoningEffort'>>();
  claim<Fields<ptc.ResolvedToolSet, 'dispose' | 'view'>>();
  claim<Same<ReturnType<ptc.ResolvedToolSet['view']>, ReadonlyMap<string, ptc.ToolDefinition>>>();
  claim<
    Fields<
      ptc.ToolsService,
      | 'register'
      | 'restrict'
      | 'guard'
      | 'setExecutor'
      | 'setApproval'
      | 'scoped'
      | 'get'
      | 'executable'
      | 'definitions'
      | 'schemas'
      | 'registration'
      | 'resolve'
      | 'describe'
      | 'execute'
      | 'checkGuards'
      | 'on'
      | 'pipeline'
    >
  >();
  claim<'dispose' extends keyof ReturnType<ptc.ToolsService['scoped']> ? true : false>();
  claim<Same<ReturnType<ptc.ToolsService['register']>, () => void>>();
  claim<Same<ReturnType<ptc.ToolsService['resolve']>, Promise<ptc.ResolvedToolSet>>>();
  claim<Same<ReturnType<ptc.ToolsService['schemas']>, ptc.ToolSchema[]>>();
  claim<Same<ReturnType<ptc.ToolsService['checkGuards']>, string | undefined>>();
  // An identity with or without a parent is a scope.
  const preset = { id: 'preset' };
  preset satisfies ptc.ScopeKey;
  ({ id: 'agent', parent: { id: 'preset' } }) satisfies ptc.Agent;
}

function calls() {
  claim<
    Fields<
      ptc.ToolExecutionInput,
      'callId' | 'name' | 'arguments' | 'signal',
      'rootCallId' | 'schema' | 'agent' | 'toolSet' | 'dispatch' | 'parent'
    >
  >();
  claim<Same<Writable<ptc.ToolExecutionInput>, never>>();
  claim<Same<ptc.ToolExecutionInput['signal'], AbortSignal>>();
  claim<Fields<NonNullable<ptc.ToolExecutionInput['dispatch']>, 'direct', 'definition'>>();
  claim<Same<NonNullable<ptc.ToolExecutionInput['dispatch']>['direct'], 'any' | 'transport-only'>>();
  claim<ptc.ToolExecution extends ptc.ToolExecutionInput ? true : false>();
  claim<Same<ptc.ToolExecution['rootCallId'], ptc.ToolCallId>>();
  claim<Same<ptc.ToolExecution['token'], ptc.ToolExecutionToken>>();
  claim<Same<Writable<ptc.ToolExecution>, never>>();
  claim<Same<Writable<ptc.ToolDispatchExecution>, 'signal'>>();
  claim<ptc.ToolRunContext extends ptc.ToolExecution ? true : false>();
  claim<Same<Parameters<ptc.ToolRunContext['deferContext']>, [context: ptc.UserMessage]>>();
  claim<Same<Parameters<ptc.ToolRunContext['concludeTurn']>, []>>();
  claim<ptc.ToolExecutionToken extends symbol ? true : false>();
  claim<string extends ptc.ToolCallId ? false : ptc.ToolCallId extends string ? true : false>();
  claim<Same<ptc.ToolExecutionResult, ptc.ToolExecutionSuccess | ptc.ToolExecutionFailure>>();
  claim<
    Fields<
      ptc.ToolExecutionSuccess,
      'isError' | 'value' | 'content',
      'meta' | 'additionalContexts' | 'concludesTurn' | 'error'
    >
  >();
  claim<
    Fields<
      ptc.ToolExecutionFailure,
      'isError' | 'error' | 'content',
      'meta' | 'additionalContexts' | 'value' | 'concludesTurn'
    >
  >();
  claim<Same<NonNullable<ptc.ToolExecutionSuccess['concludesTurn']>, true>>();
  claim<Same<Writable<ptc.ToolExecutionSuccess> | Writable<ptc.ToolExecutionFailure>, never>>();
  claim<Fields<ptc.ToolFailure, 'message', 'info'>>();
  claim<Fields<ptc.ToolErrorInfo, 'name' | 'code', 'reason'>>();
  claim<Same<ptc.PreToolDecision['kind'], 'allow' | 'deny' | 'cancel' | 'ask'>>();
  claim<Fields<Extract<ptc.PreToolDecision, { kind: 'deny' }>, 'kind' | 'reason', 'info'>>();
  claim<Fields<Extract<ptc.PreToolDecision, { kind: 'ask' }>, 'kind', 'reason' | 'displayReason'>>();
  claim<Same<ptc.PostToolDecision['kind'], 'accept' | 'block'>>();
  claim<
    Fields<Extract<ptc.PostToolDecision, { kind: 'block' }>, 'kind' | 'feedback', 'additionalContexts'>
  >();
  ({ kind: 'accept' }) satisfies ptc.PostToolDecision;
  ({ kind: 'accept', value: null }) satisfies ptc.PostToolDecision;
  // @ts-expect-error content and value exclude each other
  ({ kind: 'accept', value: null, content: [] }) satisfies ptc.PostToolDecision;
  claim<Same<ptc.ToolGuard, (execution: Readonly<ptc.ToolExecution>) => string | undefined>>();
  claim<Same<ptc.ToolExecutionMode['kind'], 'parallel' | 'exclusive'>>();
  claim<Fields<ptc.ToolExecutionPipeline, 'execute' | 'stage'>>();
  claim<Same<Parameters<ptc.ToolExecutionPipeline['execute']>, [input: ptc.ToolExecutionInput]>>();
  claim<Same<ReturnType<ptc.ToolExecutionPipeline['execute']>, Promise<ptc.ToolExecutionResult>>>();
  claim<Fields<ptc.UserMessage, 'role' | 'content' | 'source', 'meta'>>();
  ({ type: 'text', text: 'a' }) satisfies ptc.ContentBlock;
  ({ type: 'image', data: 'AA==', mimeType: 'image/png' }) satisfies ptc.ContentBlock;
  ({ type: 'audio', seconds: 3 }) satisfies ptc.ContentBlock;
  ({ kind: 'user' }) satisfies ptc.UserMessage['source'];
  ({ kind: 'plugin', plugin: 'p' }) satisfies ptc.UserMessage['source'];
}

function batches() {
  claim<Fields<ptc.ToolCallBlock, 'callId' | 'name' | 'arguments'>>();
  claim<Same<ptc.ToolCallBlock['arguments'], string>>();
  claim<
    Fields<ptc.ToolBatchInput, 'calls' | 'signal', 'maxParallelToolCalls' | 'agent' | 'toolSet' | 'log'>
  >();
  claim<Fields<NonNullable<ptc.ToolBatchInput['log']>, 'turn' | 'step'>>();
  claim<Fields<ptc.ToolCallResult, 'callId' | 'result'>>();
  claim<Fields<ptc.ToolBatchResult, 'results' | 'additionalContexts' | 'concluded'>>();
  claim<Fields<ptc.ToolExecutor, 'describe' | 'execute', 'sections'>>();
  claim<Fields<ptc.ToolModelInput, 'schemas' | 'knownNames', 'sections'>>();
  claim<Fields<ptc.ToolPromptSection, 'id' | 'order' | 'render'>>();
  claim<Fields<ptc.PtcDispatchLog, 'exec' | 'subCallId' | 'name' | 'isError' | 'content', 'agent'>>();
  claim<
    Fields<
      Pick<ptc.ToolBatchExecutionError, 'results' | 'additionalContexts'>,
      'results' | 'additionalContexts'
    >
  >();
  claim<Same<ptc.ToolBatchExecutionError['results'], readonly ptc.ToolCallResult[]>>();
  claim<Same<ptc.ToolBatchExecutionError['additionalContexts'], readonly ptc.UserMessage[]>>();
  claim<Same<ptc.ToolBatchExecutionError['cause'], unknown>>();
  claim<
    Same<
      keyof ptc.ToolEvents,
      | 'tools/change'
      | 'tools/pre-execute'
      | 'tools/execute'
      | 'tools/post-execute'
      | 'tools/ptc-dispatch-log'
      | 'tools/result'
    >
  >();
  claim<Same<ptc.ToolEvents['tools/change'], () => void>>();
  claim<Same<ReturnType<ptc.ToolEvents['tools/post-execute']>, Promise<ptc.PostToolDecision>>>();
  claim<Same<Parameters<ptc.ToolEvents['tools/execute']>[0], ptc.ToolDispatchExecution>>();
  claim<Fields<ptc.Agent, 'id', 'parent' | 'session'>>();
  claim<Fields<NonNullable<ptc.Agent['session']>, 'id' | 'append', 'flush' | 'events'>>();
  claim<Fields<ptc.DurableEvents['tool/call'], 'turn' | 'step' | 'callId' | 'name' | 'arguments'>>();
  claim<
    Fields<
      ptc.DurableEvents['tool/result'],
      'turn' | 'step' | 'callId' | 'content' | 'isError' | 'callSeq',
      'error' | 'meta'
    >
  >();
  claim<
    Fields<
      ptc.DurableEvents['tool/ptc-dispatch-start'],
      'rootCallId' | 'parentCallId' | 'subCallId' | 'name' | 'arguments',
      'position'
    >
  >();
  claim<
    Fields<
      ptc.DurableEvents['tool/ptc-dispatch'],
      'rootCallId' | 'parentCallId' | 'subCallId' | 'name' | 'isError' | 'content',
      'error' | 'meta' | 'position'
    >
  >();
}

function programs() {
  claim<
    Fields<
      ptc.CodeRuntime,
      'language' | 'isolation' | 'run' | 'dispose',
      'executionInstructions' | 'maxTimeoutMs'
    >
  >();
  claim<Fields<ptc.CodeRunRequest, 'program' | 'bindings', 'signal' | 'timeoutMs' | 'beforeStart'>>();
  claim<Fields<ptc.CodeBindingNamespace, 'global' | 'functions', 'errorClass'>>();
  claim<Fields<NonNullable<ptc.CodeBindingNamespace['errorClass']>, 'name' | 'memberNameProperty'>>();
  claim<Fields<ptc.CodeRunResult, 'logs' | 'stats', 'value' | 'error'>>();
  claim<
    Fields<
      ptc.CodeRunFailure,
      'kind' | 'message',
      'position' | 'frame' | 'hint' | 'code' | 'budget' | 'limit' | 'used' | 'calls'
    >
  >();
  claim<Fields<NonNullable<ptc.CodeRunFailure['position']>, 'line' | 'column'>>();
  claim<Same<NonNullable<ptc.CodeRunFailure['budget']>, 'compute' | 'wall'>>();
  claim<Fields<NonNullable<ptc.CodeRunFailure['calls']>, 'completed' | 'inFlight' | 'notStarted'>>();
  claim<
    Same<
      ptc.CodeRunFailureKind,
      | 'exception'
      | 'syntax'
      | 'timeout'
      | 'abort'
      | 'memory-limit'
      | 'sandbox-died'
      | 'invalid-output'
      | 'output-limit'
      | 'protocol'
      | 'sandbox-unavailable'
      | 'deadlock'
      | 'rejected'
      | 'type-check'
      | 'suspended'
      | 'replay-divergence'
    >
  >();
  claim<Fields<ptc.PreparedProgram, 'typedText' | 'lineMap' | 'form', 'source' | 'columnShifts'>>();
  claim<
    Fields<
      ptc.ApprovalRequest,
      'agent' | 'toolName' | 'callId' | 'signal',
      'reason' | 'displayReason' | 'position'
    >
  >();
  claim<Same<ptc.ApprovalOutcome, 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable' | 'deferred'>>();
  claim<Fields<ptc.CallOptions, never, 'timeoutMs' | 'signal'>>();
}

function schemas() {
  claim<
    Same<
      ptc.ValueSchemaSpec,
      | ptc.StringValueSchemaSpec
      | ptc.NumberValueSchemaSpec
      | ptc.IntegerValueSchemaSpec
      | ptc.BooleanValueSchemaSpec
      | ptc.NullValueSchemaSpec
      | ptc.ArrayValueSchemaSpec
      | ptc.ObjectValueSchemaSpec
      | ptc.JsonValueSchemaSpec
      | ptc.OneOfValueSchemaSpec
    >
  >();
  ({ type: 'string', required: true }) satisfies ptc.ParameterPropertySpec;
  // @ts-expect-error only true is a mark
  ({ type: 'string', required: false }) satisfies ptc.ParameterPropertySpec;
  // @ts-expect-error a parameter has a text for its name
  ({ [Symbol.iterator]: { type: 'string' } }) satisfies ptc.ParameterSchemaSpec;
  claim<Same<ptc.JsonSchemaScalar, string | number | boolean | null>>();
  claim<
    Same<ptc.JsonSchemaType, 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'>
  >();
  claim<ptc.ObjectJsonSchema extends ptc.JsonSchemaNode & { type: 'object' } ? true : false>();
  claim<
    Exclude<
      | 'type'
      | 'oneOf'
      | 'properties'
      | 'required'
      | 'additionalProperties'
      | 'items'
      | 'enum'
      | 'const'
      | 'description'
      | 'title'
      | 'default'
      | 'examples',
      keyof ptc.JsonSchemaNode
    > extends never
      ? true
      : false
  >();
  claim<Same<ptc.JsonSchemaError['violations'], readonly string[]>>();
  claim<Same<ptc.InferValue<{ type: 'string'; enum: ['a', 'b'] }>, 'a' | 'b'>>();
  claim<
    Same<
      ptc.InferArgs<{ a: { type: 'number'; required: true }; b: { type: 'null' } }>,
      { a: number; b?: null }
    >
  >();
}

function cards() {
  claim<Same<ptc.ToolCallView['card'], 'generic' | 'terminal' | 'diff'>>();
  claim<Same<ptc.ToolResultView['card'], 'generic' | 'terminal' | 'diff' | 'search' | 'read' | 'web'>>();
  claim<
    Same<ptc.ToolCallKind, 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other'>
  >();
  claim<Fields<ptc.FileLocation, 'path', 'line'>>();
  claim<Fields<ptc.FileDiff, 'path' | 'oldText' | 'newText'>>();
  claim<Fields<ptc.ReadFileLine, 'number' | 'text'>>();
  claim<Fields<ptc.WebSource, 'url', 'title' | 'snippet' | 'publishedAt'>>();
}

describe('the types of the contract', () => {
  it.each([
    ['R1, R34, R40, R47: tools and their registry', tools],
    ['P1, P29, P59, P67, P70: calls, their views, decisions and results', calls],
    ['N1, N17, N25, R70, C42: batches, executors and durable events', batches],
    ['M1, M2, M3, Q20: programs, runs and approvals', programs],
    ['I1, I2, I7, V1, V2: schemas', schemas],
    ['U14: cards', cards],
    ['R21: scopes, also written in place,', scopes],
  ])('%s have the fields that are written down, and demand no others', (_, claims) => {
    expect(claims).toBeTypeOf('function');
  });
});
