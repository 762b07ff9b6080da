import type { Kit, Tracked } from './kit.js';

/** Which promises nobody has looked at, for an engine that does not report unhandled rejections. */
export function installRejectionWatch(kit: Kit): void {
  const { defineProperty, Promise, put } = kit;
  let first: Tracked | undefined;

  // Whoever awaits a promise, chains it or hands it to a combinator reads its `constructor`.
  kit.track = (promise) => {
    const tracked: Tracked = { seen: false, rejected: false, reason: undefined, next: first };
    first = tracked;
    defineProperty(promise, 'constructor', {
      __proto__: null,
      get: () => {
        tracked.seen = true;
        return Promise;
      },
      set: (value: unknown) => {
        tracked.seen = true;
        put(promise, 'constructor', value, true);
      },
      configurable: true,
    });
    return tracked;
  };

  kit.unseen = () => {
    let found: Tracked | undefined;
    // The list is newest first; the oldest is reported.
    for (let at = first; at !== undefined; at = at.next) if (at.rejected && !at.seen) found = at;
    return found;
  };
}
