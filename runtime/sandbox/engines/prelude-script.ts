import type IsolatedVm from 'isolated-vm';
import { preludeText } from '../guest/guest-texts.js';
import { PRELUDE_FILE } from '../guest/prelude.js';

type CachedData = IsolatedVm.ExternalCopy<ArrayBuffer>;

/** The prelude's function of the host call, compiled once: later isolates take the code that the engine kept of the first. */
export class PreludeScript {
  readonly #source = `(${preludeText({ tellsRejections: true, capturesStacks: true })})`;
  #cachedData: CachedData | undefined;

  /** Compiles it in an isolate; code that the engine does not take back is compiled anew, and kept. */
  compile(isolate: IsolatedVm.Isolate): IsolatedVm.Script {
    const options = { filename: PRELUDE_FILE, produceCachedData: true };
    const kept = this.#cachedData === undefined ? {} : { cachedData: this.#cachedData };
    const script = isolate.compileScriptSync(this.#source, { ...options, ...kept });
    // The types leave it out.
    this.#cachedData = (script as { readonly cachedData?: CachedData }).cachedData ?? this.#cachedData;
    return script;
  }
}
