import { sdkInstructions } from '../instructions.js';
import { declareTools, type ShownTool } from './declarations.js';
import {
  CALL_OPTIONS,
  JSON_VALUE,
  sdkNamespace,
  TOOL_CALL_ERROR,
  UNBOUND_NAME,
} from './fixed-declarations.js';
import { groupedNames } from './tool-names.js';

/** What a section shows: every tool is either declared or one of the rest. */
export interface SectionPlan {
  /** In name order. */
  readonly shown: readonly ShownTool[];
  /** Names, in order. */
  readonly rest: readonly string[];
  /** Whether the rest is only counted, by group. */
  readonly counted: boolean;
  readonly languageLevel: string | undefined;
}

/** Writes the SDK section: instructions, one block of declarations, the names of the rest. */
export function writeSection({ shown, rest, counted, languageLevel }: SectionPlan): string {
  const { types, members } = declareTools(shown);
  const isUnbound = (i: number): boolean => shown[i]!.tree.name === UNBOUND_NAME;
  const bound = members.filter((_, i) => !isUnbound(i));
  const unbound = members.filter((_, i) => isUnbound(i));
  const hasUnbound = unbound.length > 0 || rest.includes(UNBOUND_NAME);
  const block = [
    '```ts',
    JSON_VALUE,
    ...types,
    TOOL_CALL_ERROR,
    ...(bound.length === 0 ? ['declare const tools: {};'] : ['declare const tools: {', ...bound, '};']),
    CALL_OPTIONS,
    ...(rest.length > 0 || hasUnbound ? [sdkNamespace(unbound)] : []),
    '```',
  ];
  const paragraphs = [sdkInstructions(languageLevel), block.join('\n')];
  if (shown.length + rest.length === 0) paragraphs.push('There are no tools at the moment.');
  if (hasUnbound) {
    paragraphs.push(
      `A tool is named \`${UNBOUND_NAME}\`. It is not in \`tools\`: call it as \`await sdk.call("${UNBOUND_NAME}", args)\`.`,
    );
  }
  if (rest.length > 0) paragraphs.push(restText(shown.length, rest, counted));
  return paragraphs.join('\n\n');
}

function restText(shown: number, rest: readonly string[], counted: boolean): string {
  const names = groupedNames(rest, counted);
  const what = counted
    ? 'by the beginning of their names and how many there are'
    : 'as beginning (number): rest of each name';
  return [
    `The list is not complete: ${shown} of ${shown + rest.length} tools are declared above. The others can be called in the same way. Find one with \`await sdk.search("words")\`, read its declaration with \`await sdk.describe("full_name")\`. They are, ${what}:`,
    names,
  ].join('\n');
}
