import type { JsonSchemaNode } from '../../runtime/schema/json-schema.js';
import { TOOL_CALL_KINDS } from '../../runtime/tools/tool-call-kinds.js';
import { PRESET_NAMES } from '../presets.js';

const oneOrMore = (item: object): object => ({
  anyOf: [item, { type: 'array', items: item, minItems: 1 }],
});
const text = { type: 'string', minLength: 1 };

const condition = {
  type: 'object',
  additionalProperties: false,
  required: ['at'],
  minProperties: 2,
  maxProperties: 2,
  properties: {
    at: { ...text, description: 'JSON path of the argument, e.g. $.path, files[*].name, $..url' },
    equals: { description: 'The literal value' },
    glob: { type: 'string', description: 'Text in which * stands for any text' },
    path: { ...text, description: 'Path in which * stays within a folder and ** spans folders' },
    regex: { ...text, description: 'Regular expression without slashes, with the flag u' },
  },
};

/** JSON Schema of one rule, from code or from a file. */
export const RULE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['decision'],
  properties: {
    name: { ...text, description: 'For errors, reasons and the audit' },
    decision: { enum: ['allow', 'ask', 'deny'] },
    tool: { ...oneOrMore(text), description: 'Registered names; * stands for any text' },
    source: { ...oneOrMore(text), description: 'Names of servers; * stands for any text' },
    kind: oneOrMore({ enum: [...TOOL_CALL_KINDS] }),
    readOnly: { type: 'boolean', description: 'true: declared so; false: not declared so' },
    destructive: { type: 'boolean' },
    idempotent: { type: 'boolean' },
    arguments: { type: 'array', minItems: 1, items: condition },
    reason: text,
    displayReason: {
      type: 'object',
      required: ['en'],
      additionalProperties: { type: 'string' },
      properties: { en: { type: 'string' } },
    },
  },
} as unknown as JsonSchemaNode;

/** JSON Schema of a rules file; the package ships it as `policies/rules.schema.json`. */
export const RULES_FILE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Rules about tool calls',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    preset: { enum: [...PRESET_NAMES], description: 'Rules behind those of this file' },
    otherwise: { enum: ['allow', 'ask', 'deny'], description: 'For calls that no rule matches' },
    root: { ...text, description: 'What relative paths start from' },
    rules: {
      type: 'array',
      items: RULE_SCHEMA,
      description: 'A matching deny is final; of the others the first that matches decides',
    },
  },
} as unknown as JsonSchemaNode;
