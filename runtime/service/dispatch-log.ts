import type { ContentBlock } from '../contract/content.js';
import type { PtcDispatchLog, ToolEvents } from '../contract/events.js';
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
 * @returns settles when the listeners have; the very content it was given, at once, when there are none
 * @example
 * await shapeDispatchLog(events, warn, { exec, agent, subCallId, name, isError: false, content })
 */
export function shapeDispatchLog(
  events: EventTable,
  warn: (message: string, cause?: unknown) => void,
  dispatch: PtcDispatchLog,
): readonly ContentBlock[] | Promise<readonly ContentBlock[]> {
  const listeners = events.listeners('tools/ptc-dispatch-log', dispatch.agent);
  return listeners.length === 0 ? dispatch.content : shapeWith(listeners, warn, dispatch);
}

async function shapeWith(
  listeners: readonly ToolEvents['tools/ptc-dispatch-log'][],
  warn: (message: string, cause?: unknown) => void,
  dispatch: PtcDispatchLog,
): Promise<readonly ContentBlock[]> {
  const { content, name } = dispatch;
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
