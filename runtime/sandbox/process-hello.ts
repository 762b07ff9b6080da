import { payloadText, type RawFrame } from './codec.js';
import { type EngineInfo, SandboxUnavailableError } from './peer-line.js';
import { parseReady, parseRefusal } from './peer-messages.js';
import { PeerFrame } from './wire.js';

/** The first frame of a process: that it is ready, or why it cannot serve. */
export class ProcessHello {
  /**
   * What serves.
   *
   * @throws {SandboxUnavailableError} (rejects) when the process says that it cannot serve
   */
  readonly info: Promise<EngineInfo>;
  #resolve!: (info: EngineInfo) => void;
  #reject!: (cause: unknown) => void;
  #isOver = false;

  constructor() {
    this.info = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever boots the process listens; one that is ended before that is nobody's concern.
    this.info.catch(() => {});
  }

  /** Whether the frame has come, or never will. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns why the process is of no use, as text */
  take({ type, run, payload }: RawFrame): string | undefined {
    this.#isOver = true;
    const text = payloadText(payload) ?? '';
    const info = run === 0 && type === PeerFrame.ready ? parseReady(text) : undefined;
    if (info !== undefined) {
      this.#resolve(info);
      return undefined;
    }
    const { message, hint } = parseRefusal(text);
    this.#reject(new SandboxUnavailableError(message, hint));
    return message;
  }

  /** The process has ended. */
  fail(cause: Error): void {
    this.#isOver = true;
    this.#reject(cause);
  }
}
