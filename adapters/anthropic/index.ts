export type { AnsweredCall, ModelFormat, NameLimits } from '../model-format/format.js';
export { type ToolNames, toolNames } from '../model-format/tool-names.js';
export {
  ANTHROPIC_NAMES,
  type AnthropicAnswer,
  type AnthropicPart,
  type AnthropicReply,
  type AnthropicTool,
  anthropicMessages,
} from './anthropic-format.js';
