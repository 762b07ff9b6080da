import type { ContentBlock } from '../contract/content.js';
import type { PtcDispatchLog } from '../contract/events.js';
import { errorMessage } from '../core/error-text.js';
import { deepFreeze } from '../core/freeze.js';
import { snapshotJsonValue } from '../core/json.js';
import { runWaterfall } from '../core/waterfall.js';
import type { EventTable } from './event-table.js';

/**
 * What is recorded as the content of a sub-call, after the `tools/ptc-dispatch-log` listeners that its agent reaches.
 *
 * Total: where a listener throws or returns what is no list of JSON blocks, the original content is recorded and a warning
 * is given.
 *
 * @returns settles when the listeners have; the content it was given when there are none
 * @example
 * await shapeDispatchLog(events, warn, { exec, agent, subCallId, name, isError: false, content })
 */
export async function shapeDispatchLog(
  events: EventTable,
  warn: (message: string, cause?: unknown) => void,
  dispatch: PtcDispatchLog,
): Promise<readonly ContentBlock[]> {
  const { content, agent, name } = dispatch;
  const listeners = events.listeners('tools/ptc-dispatch-log', agent);
  if (listeners.length === 0) return content;
  try {
    const shaped = await runWaterfall(listeners, [dispatch], async () => content);
    if (shaped === content) return content;
    const copy = snapshotJsonValue(shaped);
    if (Array.isArray(copy) && copy.every(isBlock)) return deepFreeze(copy) as readonly ContentBlock[];
    throw new TypeError('wanted an array of content blocks as lossless JSON');
  } catch (cause) {
    warn(`Cannot shape the log of ${JSON.stringify(name)}: ${errorMessage(cause)}`, cause);
    return content;
  }
}

function isBlock(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}
