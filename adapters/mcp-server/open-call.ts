import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
} from '@modelcontextprotocol/server';
import { CallChannel } from './call-channel.js';
import type { ServedCall } from './served-call.js';

interface Question {
  readonly request: InputRequest;
  readonly answer: (response: unknown) => void;
}

/**
 * A call that may wait for answers between two requests of its client: the 2026-07-28 revision has no questions of a server,
 * so the request ends with what is asked, and the client sends it again with the answers.
 */
export class OpenCall {
  readonly id: string;
  readonly channel = new CallChannel();
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  #call: ServedCall | undefined;
  #wake: () => void = () => {};

  constructor(id: string) {
    this.id = id;
  }

  /** Gives it the call that it stands for; once. */
  start(call: ServedCall): void {
    this.#call = call;
  }

  abort(reason: unknown): void {
    this.#call?.abort(reason);
  }

  /** Settles when the call has ended. */
  get ended(): Promise<unknown> {
    return this.#call?.result ?? Promise.resolve();
  }

  /** Asks the client; the answer comes with a later request, or the signal ends the wait with nothing. */
  ask(request: InputRequest, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve) => {
      this.#asked += 1;
      const key = `question-${this.#asked}`;
      const answer = (response: unknown): void => {
        signal.removeEventListener('abort', cancel);
        this.#questions.delete(key);
        resolve(response);
      };
      const cancel = (): void => answer(undefined);
      this.#questions.set(key, { request, answer });
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
      this.#wake();
    });
  }

  /** Hands over the answers that a client sent; a question without one stays open. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, question] of [...this.#questions]) {
      if (Object.hasOwn(responses, key)) question.answer(responses[key]);
    }
  }

  /** Waits for the result, or for something to ask. */
  async next(): Promise<CallToolResult | InputRequiredResult> {
    const result = this.#call?.result as Promise<CallToolResult>;
    if (this.#questions.size === 0) {
      const asked = new Promise<undefined>((resolve) => {
        this.#wake = () => resolve(undefined);
      });
      const first = await Promise.race([result, asked]);
      if (first !== undefined) return first;
      // What the program asks in the same turn goes out together.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#questions.size === 0) return this.next();
    return inputRequired({
      requestState: this.id,
      inputRequests: Object.fromEntries([...this.#questions].map(([key, { request }]) => [key, request])),
    });
  }
}
