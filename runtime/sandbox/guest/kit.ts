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
  readonly evaluate: (text: string) => unknown;
  readonly create: (prototype: object | null) => Record<PropertyKey, unknown>;
  readonly keys: (value: object) => string[];
  readonly define: (target: object, key: PropertyKey, descriptor: object) => object;
  readonly descriptor: (target: object, key: PropertyKey) => PropertyDescriptor | undefined;
  readonly prototypeOf: (value: object) => object | null;
  readonly setPrototype: <T extends object>(value: T, prototype: object | null) => T;
  readonly ownKeys: (value: object) => (string | symbol)[];
  readonly hasOwn: Uncurried<object, [PropertyKey], boolean>;
  readonly isInChain: Uncurried<object, [object], boolean>;
  readonly isArray: (value: unknown) => value is unknown[];
  readonly apply: (target: unknown, self: unknown, args: object) => unknown;
  readonly stringify: (value: unknown) => string;
  readonly parse: (text: string) => unknown;
  readonly now: () => number;
  readonly charCode: Uncurried<string, [number], number>;
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
  readonly captureStackTrace: ((target: object, below: unknown) => void) | undefined;
  /** Text of the program's file in stacks. */
  readonly file: string;
  readonly preludeFile: string;
  /** The engine reports unhandled rejections itself. */
  readonly tellsRejections: boolean;
  /** A built-in class as it was; `TypedArray`, `Iterator` and `AsyncIterator` name the hidden ones. */
  intrinsic<T>(name: string): T;
  /** A method, or a getter, of a built-in class as it was, receiver first. */
  method<T>(name: string, key: PropertyKey): T;
  /** Loads a rare part on first use. */
  part<T>(name: string): T;

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
  /** `[line,column]` of the first frame in the model's text, or the empty text. */
  position(frames: string): string;
  /** Line and column in the model's text, joined; the empty text where the engine's numbers lie outside it. */
  toModel(line: number, column: number, between: string): string;
  errorClass(name: string, property: string): ErrorShape;
  /** An instance of an injected error class, or a plain error. An empty code is none. */
  toolError(
    shape: ErrorShape | undefined,
    member: string,
    message: string,
    code: string,
    frames: string,
  ): Error;
  /** Watches a promise of ours for observers, where the engine does not tell; `undefined` where it does. */
  track(promise: object): Tracked | undefined;
  /** Calls what nobody awaits: a throw, or a rejection of an async function's own promise, ends the run. */
  callDetached(callback: unknown, args: object): void;
  /** The first promise that rejected and that nobody has looked at. */
  unseen(): Tracked | undefined;
  namespace(space: Space): object;
  print(text: string): void;
  hasPrinted(): boolean;
  format(args: unknown[]): string;
  flushLogs(): void;
  /** Ends the run: a callback that nobody awaits threw, or the body did. */
  uncaught(reason: unknown): void;
  arm(callback: () => void, delayMs: number): TimerRecord;
  disarm(timer: TimerRecord): void;
  fire(id: number): void;
  hasTimers(): boolean;
  /** Gives new timers their ids and takes them, and what was cleared, as parts of a turn. */
  takeTimers(): string;
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
  delayMs: number;
  next: TimerRecord | undefined;
}

/** Takes the intrinsics. */
export function captureKit(host: HostCall, file: string, preludeFile: string, tellsRejections: boolean): Kit {
  const bind = Function.prototype.bind;
  const uncurry = bind.bind(Function.prototype.call) as unknown as (method: unknown) => never;
  const parts = Object.create(null);
  const before = Object.create(null);
  const keep = (name: string, Class: unknown, prototype: object) => {
    before[name] = { Class, own: Object.getOwnPropertyDescriptors(prototype) };
  };
  const kit = Object.create(null);
  const evaluate = globalThis.eval;
  const load = (name: string) => (evaluate(`(${host(1, name)})`) as (kit: Kit) => unknown)(kit);
  const names =
    'Object Function Array String Number Boolean Symbol BigInt Date RegExp Map Set WeakMap WeakSet WeakRef Promise Error AggregateError ' +
    'ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array ' +
    'Float64Array BigInt64Array BigUint64Array EvalError RangeError ReferenceError SyntaxError TypeError URIError';
  for (const name of names.split(' ')) {
    const Class = (globalThis as unknown as Record<string, { prototype: object } | undefined>)[name];
    if (Class !== undefined) keep(name, Class, Class.prototype);
  }
  const protoOf = Object.getPrototypeOf;
  keep('TypedArray', protoOf(Int8Array), protoOf(Int8Array).prototype);
  const iterator = protoOf(protoOf([][Symbol.iterator]()));
  keep('Iterator', iterator, iterator);
  const asyncIterator = protoOf(protoOf(protoOf((async function* () {})())));
  keep('AsyncIterator', asyncIterator, asyncIterator);
  kit.intrinsic = (name: string) => before[name]?.Class;
  kit.method = (name: string, key: PropertyKey) => {
    const { own } = before[name];
    const { get, value } = own[key];
    return uncurry(get ?? value);
  };
  kit.part = (name: string) => (parts[name] ??= load(name));
  kit.host = host;
  kit.global = globalThis;
  kit.evaluate = evaluate;
  kit.create = Object.create;
  kit.keys = Object.keys;
  kit.define = Object.defineProperty;
  kit.descriptor = Object.getOwnPropertyDescriptor;
  kit.prototypeOf = Object.getPrototypeOf;
  kit.setPrototype = Object.setPrototypeOf;
  kit.ownKeys = Reflect.ownKeys;
  kit.hasOwn = uncurry(Object.prototype.hasOwnProperty);
  kit.isInChain = uncurry(Object.prototype.isPrototypeOf);
  kit.isArray = Array.isArray;
  kit.apply = Reflect.apply;
  kit.stringify = JSON.stringify;
  kit.parse = JSON.parse;
  kit.now = Date.now;
  kit.charCode = uncurry(String.prototype.charCodeAt);
  kit.slice = uncurry(String.prototype.slice);
  kit.indexOf = uncurry(String.prototype.indexOf);
  kit.lastIndexOf = uncurry(String.prototype.lastIndexOf);
  kit.fromCharCode = String.fromCharCode;
  kit.encodeURIComponent = encodeURIComponent;
  kit.decodeURIComponent = decodeURIComponent;
  kit.sqrt = Math.sqrt;
  kit.uncurry = uncurry;
  kit.Promise = Promise;
  kit.Proxy = Proxy;
  kit.Error = Error;
  kit.TypeError = TypeError;
  kit.RangeError = RangeError;
  kit.String = String;
  kit.ObjectPrototype = Object.prototype;
  kit.ErrorPrototype = Error.prototype;
  kit.captureStackTrace = (Error as { captureStackTrace?: unknown }).captureStackTrace;
  kit.file = file;
  kit.preludeFile = preludeFile;
  kit.tellsRejections = tellsRejections;
  return kit;
}
