export type {
  ApprovalAnswer,
  ApprovalOutcome,
  ApprovalRequest,
  ApprovalService,
} from './contract/approval.js';
export type { ToolBatchInput, ToolBatchResult, ToolCallBlock, ToolCallResult } from './contract/batch.js';
export type { CallOptions } from './contract/call-options.js';
export type {
  CodeBindingCall,
  CodeBindingFunction,
  CodeBindingNamespace,
  CodeRunCallNote,
  CodeRunFailure,
  CodeRunFailureKind,
  CodeRunRequest,
  CodeRunResult,
  CodeRunStats,
  CodeRuntime,
  PreparedProgram,
} from './contract/code-runtime.js';
export type {
  ContentBlock,
  ImageBlock,
  MessageSource,
  OtherBlock,
  TextBlock,
  UserMessage,
} from './contract/content.js';
export type {
  LocalizedText,
  PostToolDecision,
  PreToolDecision,
  ToolExecutionMode,
  ToolGuard,
} from './contract/decisions.js';
export type { ToolDefinition, ToolOutputDefinition, ToolResult, ToolSchema } from './contract/definition.js';
export type { DurableEvents, PtcDispatchLog, ToolEventName, ToolEvents } from './contract/events.js';
export type {
  QueuedToolCall,
  SourcePosition,
  StagedToolCall,
  ToolDispatch,
  ToolDispatchExecution,
  ToolExecution,
  ToolExecutionInput,
  ToolExecutionPipeline,
  ToolRunContext,
} from './contract/execution.js';
export type {
  RenderedPromptSection,
  ToolExecutor,
  ToolExecutorHost,
  ToolModelInput,
  ToolPromptContext,
  ToolPromptSection,
} from './contract/executor.js';
export type {
  ToolErrorInfo,
  ToolExecutionFailure,
  ToolExecutionResult,
  ToolExecutionSuccess,
  ToolFailure,
} from './contract/result.js';
export type {
  Agent,
  AgentSession,
  ModelSelection,
  ResolvedToolSet,
  ScopeKey,
  ToolActivationContext,
  ToolRegistrationOptions,
  ToolRestriction,
} from './contract/scope.js';
export type {
  Disposer,
  ListenerOptions,
  ScopedToolsService,
  SetExecutorOptions,
  ToolsService,
} from './contract/service.js';
export type {
  DiffCallView,
  DiffResultView,
  FileDiff,
  FileLocation,
  GenericCallView,
  GenericResultView,
  ReadFileLine,
  ReadResultView,
  SearchMatchesView,
  SearchPathsView,
  TerminalCallView,
  TerminalResultView,
  ToolCallKind,
  ToolCallView,
  ToolResultView,
  WebFetchView,
  WebSearchView,
  WebSource,
} from './contract/views.js';
export { clampTimeout, MAX_TIMER_DELAY_MS } from './core/deadline.js';
export { errorInfo, errorMessage } from './core/error-text.js';
export type { AbortCode, PtcErrorOptions } from './core/errors.js';
export {
  AbortError,
  CodeRunFailedError,
  JsonSchemaError,
  PtcError,
  ToolArgsError,
  ToolNotFoundError,
  ToolOutcomeUnknownError,
  ToolOutputError,
  ToolTimeoutError,
} from './core/errors.js';
export type { ToolCallId, ToolExecutionToken } from './core/ids.js';
export { newExecutionToken, toolCallId } from './core/ids.js';
export { isJsonValue, snapshotJsonValue } from './core/json.js';
export type { JsonValue } from './core/json-value.js';
export { TRANSPORT_NAME } from './core/transport-name.js';
export { ToolBatchExecutionError } from './executor/batch-error.js';
export type { NativeExecutorOptions } from './executor/native-executor.js';
export { nativeExecutor } from './executor/native-executor.js';
export type { SandboxEngine, SandboxOptions, SandboxPlacement } from './sandbox/options.js';
export type { EngineInfo } from './sandbox/peer-line.js';
export { SandboxUnavailableError } from './sandbox/peer-line.js';
export type { SandboxRuntime } from './sandbox/runtime-over.js';
export { sandboxRuntime } from './sandbox/sandbox-runtime.js';
export { assertObjectJsonSchema, assertSupportedJsonSchema } from './schema/assert-schema.js';
export { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from './schema/compile.js';
export type {
  ArrayValueSchemaSpec,
  BooleanValueSchemaSpec,
  IntegerValueSchemaSpec,
  JsonValueSchemaSpec,
  NullValueSchemaSpec,
  NumberValueSchemaSpec,
  ObjectValueSchemaSpec,
  OneOfValueSchemaSpec,
  ParameterPropertySpec,
  ParameterSchemaSpec,
  StringValueSchemaSpec,
  ValueSchemaAnnotations,
  ValueSchemaSpec,
} from './schema/dsl.js';
export type { InferArgs, InferValue } from './schema/infer.js';
export type {
  JsonSchemaNode,
  JsonSchemaScalar,
  JsonSchemaType,
  ObjectJsonSchema,
  SchemaDialect,
} from './schema/json-schema.js';
export type { SchemaValidator } from './schema/schema-validator.js';
export { checkSchema, schemaValidator, schemaWarnings } from './schema/schema-validator.js';
export { validateArgs } from './schema/validate-args.js';
export { validateJsonSchemaValue } from './schema/validate-value.js';
export type { PresentedCall } from './service/call-cards.js';
export { presentCall, presentResult } from './service/call-cards.js';
export type { CreateToolsOptions } from './service/create-tools.js';
export { createTools } from './service/create-tools.js';
export type { Presentation, PresentationExecutors } from './service/presentation.js';
export { presentations } from './service/presentation.js';
export { orderTools } from './service/tool-order.js';
export type { Presenters } from './tools/cards.js';
export { callCard, resultCard } from './tools/cards.js';
export type { ToolSpec } from './tools/define-tool.js';
export { defineTool } from './tools/define-tool.js';
export { fileDiffs } from './tools/file-diffs.js';
export { genericCard } from './tools/generic-card.js';
export { importTool } from './tools/import-tool.js';
export { TOOL_CALL_KINDS } from './tools/tool-call-kinds.js';
export { isToolCallView, isToolResultView } from './tools/view-shape.js';
