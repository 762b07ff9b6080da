import type { GuestSetup } from '../peer-types.js';
import type { ErrorShape, Kit, Space } from './kit.js';

/** The run: sets it up, starts the body, and tells at the pull how far it came. */
export function installRun(kit: Kit): (op: number, value: unknown) => unknown {
  const { create, apply, parse, stringify, define, Promise } = kit;
  const AsyncFunctionPrototype = kit.prototypeOf(async () => {}) as object;
  let state: 'new' | 'running' | 'done' | 'failed' = 'new';
  let result = '';
  let note = '';

  const setUp = (text: string) => {
    const setup = parse(text) as GuestSetup;
    const spaces = create(null) as Record<number, Space>;
    const shapes = create(null) as Record<number, ErrorShape | undefined>;
    const classes = create(null) as Record<string, unknown>;
    const args = create(null);
    let count = 0;
    for (let i = 0; i < setup.namespaces.length; i++) {
      const wire = setup.namespaces[i] as (typeof setup.namespaces)[number];
      const byName = create(null) as Record<string, number>;
      for (let m = 0; m < wire.members.length; m++) byName[wire.members[m] as string] = m;
      const forwards = create(null) as Record<string, number>;
      for (let f = 0; f < wire.forwards.length; f++) {
        const pair = wire.forwards[f] as readonly [string, number];
        forwards[pair[0]] = pair[1];
        if (byName[pair[0]] === undefined) byName[pair[0]] = -1;
      }
      const list = wire.argumentStyle === 'list';
      spaces[i] = { index: i, global: wire.global, members: wire.members, list, byName, forwards };
      const shape = wire.errorClass;
      if (shape !== undefined) {
        const made = kit.errorClass(shape.name, shape.memberNameProperty);
        shapes[i] = made;
        classes[shape.name] = made.Class;
      }
      args[count++] = kit.namespace(spaces[i] as Space);
    }
    // Parameters stand in this order: the namespaces, then their error classes.
    for (let i = 0; i < setup.namespaces.length; i++) {
      const shape = shapes[i];
      if (shape !== undefined) args[count++] = classes[shape.name];
    }
    args['length'] = count;
    kit.run = {
      __proto__: null,
      limits: setup.limits,
      implicit: setup.implicit,
      startedAt: kit.now(),
      uncalled: setup.uncalledFunction,
      shift: setup.shift,
      spaces,
      shapes,
      args,
    } as unknown as Kit['run'];
    for (let i = 0; i < setup.mentions.length; i++) kit.materialize(setup.mentions[i] as string);
  };

  const fail = (text: string) => {
    if (state !== 'running') return;
    state = 'failed';
    result = text;
  };

  kit.uncaught = (reason) => fail(kit.part<(reason: unknown) => string>('failure')(reason));

  const finish = (value: unknown) => {
    const { limits, implicit, uncalled } = kit.run;
    const text = kit.toJson(value, 'value', limits.maxOutputBytes);
    if (state !== 'running') return;
    if (text === undefined) {
      if (!implicit || kit.refusedSize) {
        const kind = kit.refusedSize ? 'output-limit' : 'invalid-output';
        return fail(`{"kind":"${kind}","header":${stringify(kit.refusal)}}`);
      }
      note = `The value of the last expression was not returned: ${kit.refusal}`;
    } else if (text === '' && uncalled !== undefined && !kit.hasPrinted()) {
      note = `Nothing ran: the program only declares "${uncalled}" and never calls it`;
    } else result = text;
    state = 'done';
  };

  // For a promise that nobody else holds. It gets its own constructor, so that awaiting it looks nothing up that a program
  // could have replaced.
  const follow = async (promise: object, finished?: (value: unknown) => void) => {
    define(promise, 'constructor', { __proto__: null, value: Promise, configurable: true });
    try {
      const value = await promise;
      if (finished !== undefined) finished(value);
    } catch (error) {
      kit.uncaught(error);
    }
  };

  kit.callDetached = (callback, args) => {
    try {
      const result = apply(callback, undefined, args);
      // Only an async function's own promise is surely unknown to the program.
      if (kit.isInChain(AsyncFunctionPrototype, callback as object)) follow(result as object);
    } catch (error) {
      kit.uncaught(error);
    }
  };

  const pull = () => {
    kit.flushLogs();
    const parts = kit.calls.take() + kit.takeTimers();
    const waits = state !== 'done' && (kit.calls.waiting() || kit.hasTimers());
    const unseen = state === 'failed' || waits ? undefined : kit.unseen();
    if (unseen !== undefined) {
      state = 'running';
      kit.uncaught(unseen.reason);
    }
    if (state === 'failed') return `F${result}`;
    if (state === 'done') {
      const value = result === '' ? '' : `,"value":${result}`;
      return `D{"state":"done"${parts}${value}${note === '' ? '' : `,"note":${stringify(note)}`}}`;
    }
    return `${waits ? 'W' : 'S'}{"state":"waiting"${parts}}`;
  };

  return (op, value) => {
    if (op === 4) return pull();
    if (op === 2) kit.calls.deliver(value as string);
    else if (op === 3) kit.fire(value as number);
    else if (op === 1) {
      state = 'running';
      try {
        const body = apply(value, undefined, kit.run.args) as () => object;
        follow(body(), finish);
      } catch (error) {
        kit.uncaught(error);
      }
    } else if (op === 0) setUp(value as string);
    else if (op === 5) kit.flushLogs();
    else if (op === 6) kit.part('lateHandlers');
    else if (op === 7) return kit.part<() => string>('lateHandlers')();
    return undefined;
  };
}
