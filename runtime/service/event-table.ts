import type { ToolEventName, ToolEvents } from '../contract/events.js';
import type { ScopeKey } from '../contract/scope.js';
import type { Disposer } from '../contract/service.js';
import { received } from '../core/option-error.js';
import { mayRepeat } from '../core/waterfall.js';
import { isCurrentChain, scopeChain } from '../tools/scope-chain.js';

/** A listener of one event. */
export type Listener<E extends ToolEventName> = ToolEvents[E];

/** Listeners by event, each filed under a scope or under none. */
export interface EventTable {
  on<E extends ToolEventName>(
    event: E,
    listener: Listener<E>,
    scope: ScopeKey | undefined,
    prepend: boolean,
    repeats?: boolean,
  ): Disposer;
  /**
   * Those that a call of this scope reaches, outermost first: the unscoped ones and those of the scope's chain.
   *
   * @returns a frozen array, the same one until listeners of the event change
   */
  listeners<E extends ToolEventName>(event: E, scope: ScopeKey | undefined): readonly Listener<E>[];
  /** All of them, whatever their scope. */
  everyone<E extends ToolEventName>(event: E): readonly Listener<E>[];
}

interface Entry {
  readonly listener: (...args: never[]) => unknown;
  readonly scope: ScopeKey | undefined;
}

interface Row {
  /** Outermost first. */
  entries: readonly Entry[];
  hasScoped: boolean;
  unscoped: readonly Entry['listener'][];
  byScope: WeakMap<
    ScopeKey,
    { readonly chain: readonly ScopeKey[]; readonly list: readonly Entry['listener'][] }
  >;
}

const EVENTS: readonly ToolEventName[] = [
  'tools/change',
  'tools/pre-execute',
  'tools/execute',
  'tools/post-execute',
  'tools/ptc-dispatch-log',
  'tools/result',
];

const NOBODY: readonly Entry['listener'][] = Object.freeze([]);

/**
 * Makes a table without listeners.
 *
 * @example
 * const events = createEventTable();
 * events.listeners('tools/result', agent).length // 0
 */
export function createEventTable(): EventTable {
  const rows = new Map<string, Row>(
    EVENTS.map((event) => [
      event,
      { entries: [], hasScoped: false, unscoped: NOBODY, byScope: new WeakMap() },
    ]),
  );

  const rowOf = (event: ToolEventName): Row => {
    const row = rows.get(event);
    if (row !== undefined) return row;
    const known = EVENTS.map((name) => `"${name}"`).join(', ');
    throw new TypeError(`Cannot listen: wanted one of ${known}, received ${received(event)}`);
  };

  return {
    on(event, listener, scope, prepend, repeats = false) {
      const row = rowOf(event);
      if (typeof listener !== 'function') {
        throw new TypeError(`Cannot listen to "${event}": wanted a function, received ${received(listener)}`);
      }
      if (repeats && event !== 'tools/execute') {
        throw new TypeError(
          `Cannot listen to "${event}" with "repeats": wanted "tools/execute", the one event whose inner part may run again`,
        );
      }
      const entry: Entry = { listener: repeats ? mayRepeat(listener) : listener, scope };
      setEntries(row, prepend ? [entry, ...row.entries] : [...row.entries, entry]);
      return () => {
        if (row.entries.includes(entry)) {
          setEntries(
            row,
            row.entries.filter((other) => other !== entry),
          );
        }
      };
    },
    listeners<E extends ToolEventName>(event: E, scope: ScopeKey | undefined) {
      const row = rowOf(event);
      const list = scope === undefined || !row.hasScoped ? row.unscoped : ofScope(row, scope);
      return list as unknown as readonly Listener<E>[];
    },
    everyone<E extends ToolEventName>(event: E) {
      return rowOf(event).entries.map(({ listener }) => listener) as unknown as readonly Listener<E>[];
    },
  };
}

function setEntries(row: Row, entries: readonly Entry[]): void {
  const unscoped = entries.filter(({ scope }) => scope === undefined);
  row.entries = entries;
  row.hasScoped = unscoped.length < entries.length;
  row.unscoped = frozenListeners(unscoped);
  row.byScope = new WeakMap();
}

function ofScope(row: Row, scope: ScopeKey): readonly Entry['listener'][] {
  const known = row.byScope.get(scope);
  if (known !== undefined && isCurrentChain(known.chain)) return known.list;
  const chain = scopeChain(scope);
  const list = frozenListeners(
    row.entries.filter((entry) => entry.scope === undefined || chain.includes(entry.scope)),
  );
  row.byScope.set(scope, { chain, list });
  return list;
}

function frozenListeners(entries: readonly Entry[]): readonly Entry['listener'][] {
  return entries.length === 0 ? NOBODY : Object.freeze(entries.map(({ listener }) => listener));
}
