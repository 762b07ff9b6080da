export type { JsonSchemaConverter } from '../foreign-tool/read-schema.js';
export type {
  StandardInput,
  StandardIssue,
  StandardOutput,
  StandardResult,
  StandardSchema,
} from '../foreign-tool/standard-schema.js';
export { type StandardToolSpec, standardTool } from './standard-tool.js';
