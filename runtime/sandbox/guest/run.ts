import type { GuestSetup } from '../peer-types.js';
import type { ErrorShape, Kit, Space } from './kit.js';
import type { Ending } from './parts/ending.js';

/** What the rehearsal is given. */
interface RehearsedTools {
  echo(args: object): object;
}

/** The run: sets it up, starts the body, and tells at the pull how far it came. Answers the guest's entry function. */
export function installRun(kit: Kit): (op: number, value: unknown) => unknown {
  const { create, apply, parse, stringify, defineProperty, put, Promise, Error } = kit;
  let state: 'running' | 'done' | 'failed' = 'running';
  let result = '';
  let note = '';

  const errorClass = (name: string, property: string): ErrorShape => {
    const Class = class extends Error {
      constructor(message?: string, options?: ErrorOptions) {
        super(message, options);
        put(this, 'name', name, true);
      }
    };
    kit.named(name, Class);
    return { name, property, prototype: Class.prototype, Class };
  };

  const setUp = (text: string) => {
    const {
      namespaces,
      limits,
      implicit,
      uncalledFunction: uncalled,
      shift,
      mentions,
    } = parse(text) as GuestSetup;
    const spaces = create(null) as Record<number, Space>;
    const shapes = create(null) as Record<number, ErrorShape | undefined>;
    // Parameters stand in this order: the namespaces, then their error classes.
    const args = create(null);
    let count = 0;
    for (let i = 0; i < namespaces.length; i++) {
      const wire = namespaces[i] as (typeof namespaces)[number];
      const byName = create(null) as Record<string, number>;
      const forwards = create(null) as Record<string, number>;
      for (let m = 0; m < wire.members.length; m++) byName[wire.members[m] as string] = m;
      for (let f = 0; f < wire.forwards.length; f++) {
        const { 0: name, 1: to } = wire.forwards[f] as readonly [string, number];
        forwards[name] = to;
        byName[name] ??= -1;
      }
      const list = wire.argumentStyle === 'list';
      const space = { index: i, global: wire.global, members: wire.members, list, byName, forwards };
      spaces[i] = space;
      args[count++] = kit.namespace(space);
    }
    for (let i = 0; i < namespaces.length; i++) {
      const wire = namespaces[i]?.errorClass;
      if (wire === undefined) continue;
      const shape = errorClass(wire.name, wire.memberNameProperty);
      shapes[i] = shape;
      args[count++] = shape.Class;
    }
    args['length'] = count;
    // What a rehearsal has left.
    state = 'running';
    result = '';
    note = '';
    kit.calls.reset();
    kit.run = { limits, implicit, uncalled, shift, spaces, shapes, args, startedAt: kit.now() };
    for (let i = 0; i < mentions.length; i++) kit.materialize(mentions[i] as string);
  };

  kit.uncaught = (reason) => {
    if (state === 'failed') return;
    result = kit.part<(reason: unknown) => string>('failure')(reason);
    state = 'failed';
  };

  const finish = (value: unknown) => {
    const { limits, uncalled } = kit.run;
    const text = kit.toJson(value, 'value', limits.maxOutputBytes);
    if (state !== 'running') return;
    state = 'done';
    if (text) result = text;
    else if (text === undefined || uncalled !== undefined) {
      const ending = kit.part<(isRefused: boolean) => Ending>('ending')(text === undefined);
      result = ending.failure;
      note = ending.note;
      if (result) state = 'failed';
    }
  };

  // It gets its own constructor, so that awaiting it looks nothing up that a program could have replaced.
  kit.follow = async (promise, finished) => {
    try {
      defineProperty(promise, 'constructor', { __proto__: null, value: Promise, configurable: true });
      const value = await promise;
      if (finished !== undefined) finished(value);
    } catch (error) {
      kit.uncaught(error);
    }
  };

  const pull = () => {
    kit.flushLogs();
    const { calls, parts } = kit;
    const news = calls.take() + (parts.timers === undefined ? '' : parts.timers.take());
    const waits =
      state === 'running' && (calls.waiting() || (parts.timers !== undefined && parts.timers.armed() > 0));
    const unseen = state === 'failed' || waits ? undefined : kit.unseen();
    if (unseen !== undefined) kit.uncaught(unseen.reason);
    if (state === 'failed') return 'F' + result;
    if (state === 'running') return (waits ? 'W' : 'S') + '{"state":"waiting"' + news + '}';
    return (
      'D{"state":"done"' +
      news +
      (result && ',"value":' + result) +
      (note && ',"note":' + stringify(note)) +
      '}'
    );
  };

  const rehearse = async () => (kit.run.args as readonly RehearsedTools[])[0]?.echo({ n: 1, list: ['a'] });

  return (op, value) => {
    if (op === 4) return pull();
    if (op === 2) kit.calls.deliver(value as string);
    else if (op === 3) kit.parts.timers?.fire(value as number);
    else if (op === 1) {
      try {
        kit.follow((apply(value, undefined, kit.run.args) as () => object)(), finish);
      } catch (error) {
        kit.uncaught(error);
      }
    } else if (op === 0) setUp(value as string);
    else if (op === 5) kit.lastWords();
    else if (op === 6) return kit.part<() => string>('lateHandlers')();
    else if (op === 7) kit.follow(rehearse(), finish);
    return undefined;
  };
}
