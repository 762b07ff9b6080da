import type { ToolDefinition } from '../runtime/contract/definition.js';
import { sdkInstructions } from './instructions.js';
import type { SdkOptions, SdkText } from './sdk-options.js';
import { declareTools } from './text/declarations.js';
import type { DocDetail } from './text/doc-comment.js';
import { byText } from './text/keys.js';
import { toolTree } from './tree/tool-tree.js';

const DETAILS: Readonly<Record<string, DocDetail>> = { full: 'full', brief: 'brief', signatures: 'none' };

const JSON_ALIAS =
  'type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };';
const ERROR_CLASS =
  'declare class ToolCallError extends Error { readonly name: "ToolCallError"; readonly toolName: string; readonly code?: string }';
const CALL_OPTIONS = 'interface CallOptions { timeoutMs?: number; signal?: AbortSignal }';

/**
 * The SDK section: fixed instructions, then the tools as TypeScript declarations.
 *
 * Sorted by name and byte-identical for the same tools in any order. Never throws for a tool's schema.
 *
 * @param tools the tools a program may call; the transport itself is left out by the caller.
 */
export function sdkText(tools: readonly ToolDefinition[], options: SdkOptions = {}): SdkText {
  const detail = DETAILS[options.detail ?? 'full']!;
  const trees = tools.map(toolTree).sort((a, b) => byText(a.name, b.name));
  const { types, members } = declareTools(trees.map((tree) => ({ tree, detail })));
  const body =
    members.length === 0 ? ['declare const tools: {};'] : ['declare const tools: {', ...members, '};'];
  const block = ['```ts', JSON_ALIAS, ...types, ERROR_CLASS, ...body, CALL_OPTIONS, '```'].join('\n');
  const nothing = members.length === 0 ? '\n\nThere are no tools at the moment.' : '';
  return {
    text: `${sdkInstructions(options.languageLevel)}\n\n${block}${nothing}`,
    complete: true,
    shown: tools.length,
    total: tools.length,
  };
}
