/** What a program finds beside the language itself, for the checker: no DOM, no Node. */
export const GUEST_GLOBALS = `interface Console { [member: string]: (...values: any[]) => void }
declare const console: Console;
interface Math { sumPrecise(values: Iterable<number>): number }
declare function setTimeout(callback: (...values: any[]) => void, ms?: number, ...values: any[]): any;
declare function setInterval(callback: (...values: any[]) => void, ms?: number, ...values: any[]): any;
declare function clearTimeout(timer?: any): void;
declare function clearInterval(timer?: any): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare const performance: { now(): number; readonly timeOrigin: number };
declare const crypto: { randomUUID(): string };
declare class TextEncoder { readonly encoding: string; encode(text?: string): Uint8Array; encodeInto(text: string, target: Uint8Array): { read: number; written: number } }
declare class TextDecoder { constructor(label?: string, options?: any); readonly encoding: string; decode(bytes?: any, options?: any): string }
declare class URL { constructor(url: any, base?: any); static canParse(url: any, base?: any): boolean; static parse(url: any, base?: any): URL; hash: string; host: string; hostname: string; href: string; readonly origin: string; password: string; pathname: string; port: string; protocol: string; search: string; readonly searchParams: URLSearchParams; username: string; toString(): string; toJSON(): string }
declare class URLSearchParams implements Iterable<[string, string]> { constructor(init?: any); readonly size: number; append(name: string, value: any): void; delete(name: string, value?: any): void; get(name: string): string; getAll(name: string): string[]; has(name: string, value?: any): boolean; set(name: string, value: any): void; sort(): void; forEach(callback: (value: string, name: string, all: URLSearchParams) => void): void; keys(): IterableIterator<string>; values(): IterableIterator<string>; entries(): IterableIterator<[string, string]>; [Symbol.iterator](): IterableIterator<[string, string]>; toString(): string }
interface AbortSignal { readonly aborted: boolean; readonly reason: any; onabort: any; throwIfAborted(): void; addEventListener(type: string, listener: any, options?: any): void; removeEventListener(type: string, listener: any): void; dispatchEvent(event: any): boolean }
declare const AbortSignal: { prototype: AbortSignal; new (): AbortSignal; abort(reason?: any): AbortSignal; timeout(ms: number): AbortSignal; any(signals: Iterable<AbortSignal>): AbortSignal };
declare class AbortController { readonly signal: AbortSignal; abort(reason?: any): void }
declare class ToolCallError extends Error { readonly name: "ToolCallError"; readonly toolName: string; readonly code?: string }
type JsonValue = any;`;
