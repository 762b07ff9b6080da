export type { JsonSchemaConverter } from '../foreign-tool/read-schema.js';
export type { AnsweredCall, ModelFormat, NameLimits } from '../model-format/format.js';
export { type ToolNames, toolNames } from '../model-format/tool-names.js';
export {
  AI_SDK_NAMES,
  type AiSdkAnswer,
  type AiSdkCall,
  type AiSdkMessage,
  type AiSdkModelTool,
  type AiSdkReply,
  type AiSdkResultPart,
  aiSdk,
} from './ai-sdk-format.js';
export type { AiSdkExecutionOptions, AiSdkOutput, AiSdkTool } from './ai-sdk-types.js';
export { type ImportAiSdkToolOptions, importAiSdkTool } from './import-ai-sdk-tool.js';
export { type RegisterAiSdkToolsOptions, registerAiSdkTools } from './register-ai-sdk-tools.js';
