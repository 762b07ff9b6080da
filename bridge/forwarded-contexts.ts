import type { ContentBlock, UserMessage } from '../runtime/contract/content.js';
import type { ToolRunContext } from '../runtime/contract/execution.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';

/** Collects what sub-calls leave for the conversation, and hands it to the outer call in the order of submission. */
export class ForwardedContexts {
  readonly #byCall = new Map<number, readonly UserMessage[]>();
  #concludes = false;

  /** Takes what one sub-call leaves: its content where a success shows an image, then its own contexts. */
  take(n: number, result: ToolExecutionResult): void {
    const { additionalContexts: contexts } = result;
    const image = imageContext(result);
    if (image !== undefined) this.#byCall.set(n, [image, ...(contexts ?? [])]);
    else if (contexts !== undefined && contexts.length > 0) this.#byCall.set(n, contexts);
    this.#concludes ||= result.concludesTurn === true;
  }

  /** Defers everything to the outer call. */
  handOver(exec: ToolRunContext): void {
    for (const n of [...this.#byCall.keys()].sort((a, b) => a - b)) {
      for (const context of this.#byCall.get(n)!) exec.deferContext(context);
    }
    if (this.#concludes) exec.concludeTurn();
  }
}

function imageContext({ isError, content }: ToolExecutionResult): UserMessage | undefined {
  if (isError || !hasImage(content)) return undefined;
  return { role: 'user', content, source: { kind: 'plugin', plugin: 'tools-ptc' } };
}

function hasImage(content: readonly ContentBlock[]): boolean {
  for (const { type } of content) if (type === 'image') return true;
  return false;
}
