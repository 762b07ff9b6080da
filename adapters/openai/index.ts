export type { AnsweredCall, ModelFormat, NameLimits } from '../model-format/format.js';
export { type ToolNames, toolNames } from '../model-format/tool-names.js';
export {
  type OpenAIChatAnswer,
  type OpenAIChatReply,
  type OpenAIChatTool,
  openaiChat,
} from './chat-format.js';
export { OPENAI_NAMES } from './openai-names.js';
export {
  type OpenAIResponsesAnswer,
  type OpenAIResponsesReply,
  type OpenAIResponsesTool,
  openaiResponses,
  type ResponsesPart,
} from './responses-format.js';
