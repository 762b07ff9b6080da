import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { QuickJSWASMModule } from 'quickjs-emscripten';

type CoreModule = typeof import('quickjs-emscripten');

/** The little of WebAssembly that is used; Node's types do not name it. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface WasmInstance {
  readonly exports: object;
}
const {
  Module: WasmModule,
  Memory,
  Instance,
} = (
  globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array) => object;
      Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
      Instance: new (module: object, imports: object) => WasmInstance;
    };
  }
).WebAssembly;

type Glue = (options: {
  wasmMemory: WasmMemory;
  instantiateWasm(imports: object, done: (instance: WasmInstance) => void): object;
}) => Promise<unknown>;

/** Smallest memory the build accepts, in pages of 64 KiB. */
const INITIAL_PAGES = 256;
const PAGES_PER_MB = 16;

/** The engine's build, compiled once per process. */
export interface QuickjsBuild {
  readonly version: string;
  /** A WASM instance of its own, so that its memory has a hard cap and it can simply be dropped. */
  instantiate(memoryMb: number): Promise<QuickjsInstance>;
}

/** One instance and what is known of its memory. */
export interface QuickjsInstance {
  readonly module: QuickJSWASMModule;
  /** Bytes of linear memory now. */
  bytes(): number;
  /** How often the engine asked for memory beyond the cap. */
  refusals(): number;
}

/**
 * Compiles the WebAssembly module.
 *
 * Instances are made from it without a turn of the event loop: a few microtasks are enough.
 */
export function loadQuickjsBuild(): QuickjsBuild {
  const fromHere = createRequire(import.meta.url);
  const fromPackage = createRequire(fromHere.resolve('quickjs-emscripten'));
  const { QuickJSWASMModule: Module } = fromPackage('quickjs-emscripten-core') as CoreModule;
  const glue = fromPackage('@jitl/quickjs-wasmfile-release-sync/emscripten-module') as Glue;
  const { QuickJSFFI } = fromPackage('@jitl/quickjs-wasmfile-release-sync/ffi') as {
    QuickJSFFI: new (module: unknown) => unknown;
  };
  const { version } = fromPackage('@jitl/quickjs-wasmfile-release-sync/package.json') as { version: string };
  const compiled = new WasmModule(
    readFileSync(fromPackage.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
  );
  const instantiate = async (memoryMb: number): Promise<QuickjsInstance> => {
    const maximum = Math.max(INITIAL_PAGES, Math.ceil(memoryMb * PAGES_PER_MB));
    const memory = new Memory({ initial: INITIAL_PAGES, maximum });
    let refused = 0;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      try {
        return grow(pages);
      } catch (error) {
        refused++;
        throw error;
      }
    };
    const raw = await glue({
      wasmMemory: memory,
      instantiateWasm: (imports, done) => {
        const instance = new Instance(compiled, imports);
        done(instance);
        return instance.exports;
      },
    });
    const module = new (Module as unknown as new (raw: unknown, ffi: unknown) => QuickJSWASMModule)(
      raw,
      new QuickJSFFI(raw),
    );
    return { module, bytes: () => memory.buffer.byteLength, refusals: () => refused };
  };
  return { version, instantiate };
}
