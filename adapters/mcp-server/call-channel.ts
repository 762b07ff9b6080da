import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallListener } from './served-call.js';

/** Every so many notifications of one call are sent after the first ones; a busy program must not flood its client. */
const SENT_AT_ONCE = 200;
const THEN_EACH = 100;
const LOGS_SENT = 500;

/** How far something is. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Sends what is told of a call to the client that waits for it; the request may change while the call runs. */
export class CallChannel implements Pick<CallListener, 'progress' | 'log'> {
  #context: ServerContext | undefined;
  #told = 0;
  #logged = 0;

  attach(context: ServerContext): void {
    this.#context = context;
  }

  detach(): void {
    this.#context = undefined;
  }

  /** Lets what was sent last leave before the answer: some clients drop progress that arrives in one piece with it. */
  sent(): Promise<void> {
    return this.#told === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve));
  }

  progress(message: string): void {
    this.#told += 1;
    this.#send({ progress: this.#told, message });
  }

  /** Passes on what the tool that was called reports of itself, by its own count. */
  forward(progress: Progress): void {
    this.#told += 1;
    this.#send(progress);
  }

  #send(progress: Progress): void {
    const progressToken = this.#context?.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    if (this.#told > SENT_AT_ONCE && this.#told % THEN_EACH !== 0) return;
    const params = { progressToken, ...progress };
    this.#context?.mcpReq.notify({ method: 'notifications/progress', params }).catch(ignore);
  }

  log(line: string): void {
    this.#logged += 1;
    if (this.#logged > LOGS_SENT) return;
    const data = this.#logged === LOGS_SENT ? `${line}\n(further lines are in the result)` : line;
    this.#context?.mcpReq.log('info', data, 'program').catch(ignore);
  }
}

/** The client is gone; the call ends by its own signal. */
function ignore(): void {}
