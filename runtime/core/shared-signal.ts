import { setMaxListeners } from 'node:events';

/**
 * Lets any number of bodies listen to a signal that they share: Node takes more than ten listeners for a leak and prints
 * a warning.
 *
 * @returns the same signal
 */
export function sharedSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  return signal;
}
