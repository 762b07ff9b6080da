import { readFile } from 'node:fs/promises';
import type { JsonValue } from '../../runtime/core/json-value.js';
import { schemaValidator } from '../../runtime/schema/schema-validator.js';
import type { PresetName } from '../presets.js';
import { checkRules } from './check-rules.js';
import type { Rule, RuleDecision } from './rule.js';
import { RULES_FILE_SCHEMA } from './rules-file-schema.js';

/** What a rules file says; it is what the rules policy takes. */
export interface RulesFile {
  readonly preset?: PresetName;
  readonly otherwise?: RuleDecision;
  readonly root?: string;
  readonly rules: readonly Rule[];
}

/**
 * Reads rules from JSON text and checks them; the schema is `policies/rules.schema.json` of the package.
 *
 * @param label names the text in errors
 * @throws {TypeError} that names the label and, where one is at fault, the rule
 * @example
 * rules(tools, parseRules('{ "rules": [{ "decision": "allow", "tool": "read_*" }] }', 'inline'));
 */
export function parseRules(text: string, label: string): RulesFile {
  let file: JsonValue;
  try {
    file = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new TypeError(`Cannot read rules of "${label}": ${(cause as Error).message}`, { cause });
  }
  const rules = (file as { readonly rules?: unknown } | null)?.rules ?? [];
  try {
    if (Array.isArray(rules)) checkRules(rules as Rule[]);
    const violations = schemaValidator(RULES_FILE_SCHEMA, '2020-12')(file, 'file');
    if (violations.length > 0) throw new TypeError(violations.join('; '));
  } catch (cause) {
    throw new TypeError(`Cannot use rules of "${label}": ${(cause as Error).message}`, { cause });
  }
  const { $schema: _, ...said } = file as { readonly [key: string]: JsonValue };
  return { ...(said as Partial<RulesFile>), rules: rules as Rule[] };
}

/**
 * The same from a file.
 *
 * @throws {TypeError} when the file cannot be read, or see {@link parseRules}
 * @example
 * rules(tools, await readRules('rules.json'));
 */
export async function readRules(path: string): Promise<RulesFile> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new TypeError(`Cannot read rules of "${path}": ${cause.message}`, { cause });
  });
  return parseRules(text, path);
}
