import type { Kit, Tracked } from './kit.js';

/** Which promises nobody has looked at, for an engine that does not report unhandled rejections. */
export function installRejectionWatch(kit: Kit): void {
  const { define, Promise } = kit;
  let first: Tracked | undefined;

  // Whoever awaits a promise, chains it or hands it to a combinator reads its `constructor`.
  const watch = (promise: object): Tracked => {
    const tracked: Tracked = { seen: false, rejected: false, reason: undefined, next: first };
    first = tracked;
    define(promise, 'constructor', {
      __proto__: null,
      get: () => {
        tracked.seen = true;
        return Promise;
      },
      set: (value: unknown) => {
        tracked.seen = true;
        define(promise, 'constructor', {
          __proto__: null,
          value,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
      enumerable: false,
      configurable: true,
    });
    return tracked;
  };

  kit.track = kit.tellsRejections ? () => undefined : watch;

  kit.unseen = () => {
    let found: Tracked | undefined;
    // The list is newest first; the oldest is reported.
    for (let at = first; at !== undefined; at = at.next) if (at.rejected && !at.seen) found = at;
    return found;
  };
}
