import type { ContentBlock } from '../contract/content.js';
import type { ToolResult } from '../contract/definition.js';
import type { GenericResultView, TerminalResultView, ToolResultView } from '../contract/views.js';

/**
 * A finished card as a UI shows it that has generic cards only.
 *
 * A terminal becomes a fenced console block with its exit status, a read its text without the tool's envelope. Diffs,
 * searches and pages show the content that the model read: their views carry no text of their own.
 *
 * @param result what the card was made of
 * @example
 * genericCard({ card: 'terminal', output: 'ok', exitCode: 0 }, result).content
 */
export function genericCard(view: ToolResultView, result: Pick<ToolResult, 'content'>): GenericResultView {
  const content = contentOf(view) ?? result.content;
  return { card: 'generic', ...(view.title === undefined ? {} : { title: view.title }), content };
}

function contentOf(view: ToolResultView): readonly ContentBlock[] | undefined {
  switch (view.card) {
    case 'generic':
      return view.content;
    case 'terminal':
      return view.output === undefined ? undefined : [{ type: 'text', text: consoleText(view) }];
    case 'read':
      return view.content === undefined ? undefined : [{ type: 'text', text: view.content }];
    default:
      return undefined;
  }
}

function consoleText(view: TerminalResultView): string {
  const output = view.output ?? '';
  // A fence longer than any run of backticks inside cannot be closed by the output.
  let fence = '```';
  for (const [run] of output.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  const end = output === '' || output.endsWith('\n') ? '' : '\n';
  const status =
    view.signal !== undefined
      ? `\nended by signal ${view.signal}`
      : view.exitCode !== undefined
        ? `\nexit code ${view.exitCode}`
        : '';
  return `${fence}console\n${output}${end}${fence}${status}`;
}
