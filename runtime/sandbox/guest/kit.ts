// The guest's own side. Every function in this folder that is not in `prelude.ts` is sent to the guest as text, so it may
// use its parameters and its own locals only: no import but types, no helper outside the function, no global.
// Its environment may be rewritten by the program at any time. Hence: intrinsics come from the kit, records are null-prototype
// or read by own keys only, nothing iterates (no for-of, no spread), and nothing awaits a promise whose `constructor` is not its own.

import type { CallTable } from './call-table-types.js';
import type { GuestRun, Space } from './run-types.js';

export type { Space };

/** Calls a method with its receiver first. */
export type Uncurried<This, Args extends unknown[], Result> = (self: This, ...args: Args) => Result;

/** What a guest may ask the peer: one function, a number and text, text back. */
export type HostCall = (op: number, text: string) => string;

/** The intrinsics as they were before the program ran, and the services of the prelude's parts. */
export interface Kit {
  readonly host: HostCall;
  readonly global: Record<PropertyKey, unknown>;
  readonly create: (prototype: object | null) => Record<PropertyKey, unknown>;
  readonly keys: (value: object) => string[];
  readonly defineProperty: <T extends object>(target: T, key: PropertyKey, descriptor: object) => T;
  /** Defines a writable, configurable property. */
  readonly put: <T extends object>(target: T, key: PropertyKey, value: unknown, enumerable: boolean) => T;
  /** Text of a value of the program's, as the web converts what it is given. */
  readonly toText: (value: unknown) => string;
  /** Gives a function its name. */
  readonly named: (name: string, act: unknown) => unknown;
  readonly getOwnPropertyDescriptor: (target: object, key: PropertyKey) => PropertyDescriptor | undefined;
  readonly getPrototypeOf: (value: object) => object | null;
  readonly setPrototypeOf: <T extends object>(value: T, prototype: object | null) => T;
  readonly ownKeys: (value: object) => (string | symbol)[];
  readonly hasOwnProperty: Uncurried<object, [PropertyKey], boolean>;
  readonly isPrototypeOf: Uncurried<object, [object], boolean>;
  readonly isArray: (value: unknown) => value is unknown[];
  readonly apply: (target: unknown, self: unknown, args: object) => unknown;
  readonly construct: (target: unknown, args: object, newTarget: unknown) => object;
  readonly stringify: (value: unknown) => string;
  readonly parse: (text: string) => unknown;
  readonly now: () => number;
  readonly charCodeAt: Uncurried<string, [number], number>;
  readonly slice: Uncurried<string, [number, number?], string>;
  readonly indexOf: Uncurried<string, [string, number?], number>;
  readonly lastIndexOf: Uncurried<string, [string, number?], number>;
  readonly fromCharCode: (...units: number[]) => string;
  readonly encodeURIComponent: (text: string) => string;
  readonly decodeURIComponent: (text: string) => string;
  readonly sqrt: (value: number) => number;
  readonly uncurry: (method: unknown) => (...args: never[]) => unknown;
  readonly Promise: PromiseConstructor;
  readonly Proxy: ProxyConstructor;
  readonly Error: ErrorConstructor;
  readonly TypeError: ErrorConstructor;
  readonly RangeError: ErrorConstructor;
  readonly String: StringConstructor;
  readonly ObjectPrototype: object;
  readonly ErrorPrototype: object;
  /** Not on every engine. */
  readonly captureStackTrace: (target: object, below: unknown) => void;
  /** Text of the program's file in stacks. */
  readonly file: string;
  readonly preludeFile: string;
  /** A built-in class as it was; `TypedArray`, `Iterator` and `AsyncIterator` name the hidden ones. */
  intrinsic<T>(name: string): T;
  /** A method, or a getter, of a built-in class as it was, receiver first. */
  method<T>(name: string, key: PropertyKey): T;
  /** Loads a rare part on first use. */
  part<T>(name: string): T;
  /** Null-prototype: the parts that have been loaded. */
  readonly parts: { readonly timers?: Timers };

  // Set by the parts.
  run: GuestRun;
  calls: CallTable;
  /** JSON text of a value after the conversions; the empty text for `undefined`; `undefined` when refused, see `refusal`. */
  toJson(value: unknown, label: string, maxLength: number): string | undefined;
  /** Why the last `toJson` refused. */
  refusal: string;
  /** The last refusal was for size alone. */
  refusedSize: boolean;
  /** The program's frames at the call of `below`, as stack lines that each start with a line break. */
  framesBelow(below: unknown): string;
  /** Where a stack line points in the program's file, in the engine's own numbers. */
  place(line: string): { line: number; column: number } | undefined;
  /** Where the first frame lies, as a member of a call's extras, e.g. `"position":[2,5]`, or the empty text. */
  position(frames: string): string;
  /** `line,column` in the model's text; the empty text where the engine's numbers lie outside it. */
  toModel(line: number, column: number): string;
  /** Watches a promise of ours for observers, where the engine does not tell; `undefined` where it does. */
  track(promise: object): Tracked | undefined;
  /** Waits for a promise that nobody else holds; its rejection ends the run. */
  follow(promise: object, finished?: (value: unknown) => void): void;
  /** The first promise that rejected and that nobody has looked at. */
  unseen(): Tracked | undefined;
  namespace(space: Space): object;
  print(text: string): void;
  hasPrinted(): boolean;
  format(args: unknown[]): string;
  flushLogs(): void;
  /** Hands over what was printed; nothing is heard after it. */
  lastWords(): void;
  /** Ends the run: a callback that nobody awaits threw, or the body did. */
  uncaught(reason: unknown): void;
  /** Builds a rare global now. */
  materialize(name: string): void;
}

/** A promise that is watched because the engine does not report unhandled rejections. */
export interface Tracked {
  seen: boolean;
  rejected: boolean;
  reason: unknown;
  next: Tracked | undefined;
}

/** An injected error class. */
export interface ErrorShape {
  readonly name: string;
  readonly property: string;
  readonly prototype: object;
  readonly Class: unknown;
}

/** One timer: `id` is 0 until the host has been told. */
export interface TimerRecord {
  id: number;
  callback: (() => void) | undefined;
  readonly delayMs: number;
  next: TimerRecord | undefined;
}

/** The timers' part: there once something was armed or looked at. */
export interface Timers {
  /** @throws {RangeError} when as many as may be are armed already */
  arm(callback: () => void, delayMs: number): TimerRecord;
  disarm(timer: TimerRecord): void;
  fire(id: number): void;
  /** How many are armed. */
  armed(): number;
  /** Gives new timers their ids and takes them, and what was cleared, as parts of a turn. */
  take(): string;
}

/** Takes the intrinsics. */
export function captureKit(host: HostCall, file: string, preludeFile: string, kept: string): Kit {
  const world = globalThis as unknown as Record<string, (abstract new () => object) | undefined>;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as unknown as (
    method: unknown,
  ) => never;
  const protoOf = Object.getPrototypeOf;
  const evaluate = globalThis.eval;
  const kit = Object.create(null);
  const parts = Object.create(null);
  const classes = Object.create(null);
  const members = Object.create(null);
  const take = (names: string, from: object, wrap = (value: unknown) => value) => {
    for (const name of names.split(' ')) kit[name] = wrap((from as Record<string, unknown>)[name]);
  };
  const descriptorOf = Object.getOwnPropertyDescriptor as (
    of: object,
    key: PropertyKey,
  ) => PropertyDescriptor;
  const keep = (name: string, key: PropertyKey) => {
    const { get, value } = descriptorOf((classes[name] as { prototype: object }).prototype, key);
    members[name][key] = uncurry(get ?? value);
  };
  for (const name of Object.getOwnPropertyNames(world)) {
    const Class = world[name];
    if (typeof Class === 'function' && Class.prototype) classes[name] = Class;
  }
  classes.TypedArray = protoOf(Int8Array);
  classes.Iterator = protoOf(protoOf([][Symbol.iterator]()));
  classes.AsyncIterator = protoOf(protoOf(protoOf((async function* () {})())));
  for (const entry of kept.split(',')) {
    const [name, ...keys] = entry.split(' ') as [string, ...string[]];
    // Not every engine has all of them.
    if (classes[name] === undefined) continue;
    members[name] = Object.create(null);
    for (const key of keys) keep(name, key);
  }
  keep('TypedArray', Symbol.toStringTag);
  kit.global = globalThis;
  kit.host = host;
  kit.file = file;
  kit.preludeFile = preludeFile;
  kit.uncurry = uncurry;
  kit.parts = parts;
  kit.intrinsic = (name: string) => classes[name];
  kit.method = (name: string, key: PropertyKey) => members[name][key];
  kit.part = (name: string) =>
    (parts[name] ??= (evaluate('(' + host(1, name) + ')') as (kit: Kit) => unknown)(kit));
  kit.ObjectPrototype = Object.prototype;
  kit.ErrorPrototype = Error.prototype;
  take('create keys defineProperty getOwnPropertyDescriptor getPrototypeOf setPrototypeOf', Object);
  take('apply construct ownKeys', Reflect);
  take('stringify parse', JSON);
  take('isArray', Array);
  take('now', Date);
  take('sqrt', Math);
  take('fromCharCode', String);
  take('captureStackTrace', Error);
  take('Promise Proxy Error TypeError RangeError String encodeURIComponent decodeURIComponent', globalThis);
  take('hasOwnProperty isPrototypeOf', Object.prototype, uncurry);
  const { defineProperty } = kit;
  // Not by a template literal: one engine looks up a method of strings for it, which a program can replace.
  kit.toText = (value: unknown) => {
    if (typeof value === 'symbol') throw new kit.TypeError('Cannot convert a symbol to a text');
    return kit.String(value);
  };
  kit.named = (name: string, act: unknown) =>
    defineProperty(act, 'name', { __proto__: null, value: name, configurable: true });
  kit.put = (target: object, key: PropertyKey, value: unknown, enumerable: boolean) =>
    defineProperty(target, key, {
      __proto__: null,
      value,
      enumerable,
      writable: true,
      configurable: true,
    });
  take('charCodeAt slice indexOf lastIndexOf', String.prototype, uncurry);
  return kit;
}
