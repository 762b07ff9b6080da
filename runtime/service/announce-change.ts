import type { ToolEvents } from '../contract/events.js';
import { notifyObservers } from '../core/observers.js';

type ChangeListener = ToolEvents['tools/change'];

/**
 * Runs every `tools/change` listener, in order.
 *
 * With `undo`, the first listener that throws ends the round: the change is taken back, the listeners that had already
 * been told are told again (contained), and the error goes to whoever made the change. Without it, listeners are
 * contained. A listener's promise is never awaited; its rejection is reported.
 *
 * @param report gets what a contained listener threw
 * @throws what a listener threw, when `undo` is given.
 * @example
 * announceChange(events.everyone('tools/change'), warn, () => tools.delete(name));
 */
export function announceChange(
  listeners: readonly ChangeListener[],
  report: (message: string, cause: unknown) => void,
  undo?: () => void,
): void {
  if (undo === undefined) {
    notifyObservers(listeners, [], report);
    return;
  }
  for (const [index, listener] of listeners.entries()) {
    let returned: unknown;
    try {
      returned = listener();
    } catch (error) {
      undo();
      notifyObservers(listeners.slice(0, index), [], report);
      throw error;
    }
    // An asynchronous listener's promise is contained like an observer's.
    notifyObservers([() => returned], [], report);
  }
}
