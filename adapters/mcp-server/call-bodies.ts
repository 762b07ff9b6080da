import type { ToolExecution } from '../../runtime/contract/execution.js';
import { fuseSignals } from '../../runtime/core/deadline.js';
import type { Asker, Form, Sampling } from './asker.js';
import type { CallChannel, Progress } from './call-channel.js';

/** So many questions of one source may be open; a source that asks without end must not bury a person in forms. */
const MOST_OPEN = 10;
/** How many declined questions of one source are told. */
const TOLD = 3;

/** Something that a source of tools asks in the middle of a call. */
export interface SourceQuestion {
  /** The source's name. */
  readonly server: string;
  /** As the protocol has them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The calls that may be meant. */
  readonly callIds: readonly string[];
  readonly signal: AbortSignal;
}

/** What a form came back with. */
export interface FormResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A call whose tool runs. */
export interface CallBody {
  readonly exec: Pick<ToolExecution, 'signal' | 'dispatch'>;
  readonly channel: CallChannel;
  /** Empty for the call that the client itself made. */
  readonly label: string;
  /** The same object for every call of one client, as far as it is known. */
  readonly client: object;
  readonly asker: Asker;
}

/** Knows whose tools run, by the id that a source of tools is told, so that what the source says reaches who called it. */
export class CallBodies {
  readonly #bodies = new Map<string, CallBody>();
  readonly #open = new Map<string, number>();
  readonly #declined = new Map<string, number>();
  readonly #warn: (message: string) => void;

  /** @param warn - told of each question that nobody was asked, a few for each source */
  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  started(callId: string, body: CallBody): void {
    this.#bodies.set(callId, body);
  }

  ended(callId: string): void {
    this.#bodies.delete(callId);
  }

  /** Passes on what a source reports of a call. */
  reported(callId: string, { progress, total, message }: Progress): void {
    const body = this.#bodies.get(callId);
    if (body === undefined) return;
    if (body.label === '') {
      body.channel.forward({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
      return;
    }
    // The calls of one program count on their own, so their steps are told in words.
    const share = total === undefined ? `${progress}` : `${progress}/${total}`;
    body.channel.progress(`.. ${body.label} ${share}${message === undefined ? '' : ` ${message}`}`);
  }

  /** Lets the person at the client fill in a source's form; who cannot be asked has declined. */
  async elicit(question: SourceQuestion): Promise<FormResult> {
    const { server, params } = question;
    const { message, requestedSchema } = params as unknown as Form;
    // Whoever reads it must see that it is not this server that asks, nor about an approval.
    const form = { message: `"${server}" asks: ${message}`, requestedSchema };
    const outcome = await this.#ask(question, 'elicit', (asker, signal) => asker.elicit?.(form, signal));
    return 'declined' in outcome ? { action: 'decline' } : formResult(outcome.answer);
  }

  /**
   * Lets the client's model answer a source.
   *
   * @throws {Error} when no model can be asked
   */
  async sample(question: SourceQuestion): Promise<unknown> {
    const params = question.params as unknown as Sampling;
    const outcome = await this.#ask(question, 'sample', (asker, signal) => asker.sample?.(params, signal));
    if ('declined' in outcome) throw new Error(`No model was asked: ${outcome.declined}`);
    if (outcome.answer === undefined) throw new Error('No model was asked: the call is over');
    return outcome.answer;
  }

  async #ask(
    { server, callIds, signal }: SourceQuestion,
    kind: keyof Asker,
    ask: (asker: Asker, signal: AbortSignal) => Promise<unknown> | undefined,
  ): Promise<{ readonly answer: unknown } | { readonly declined: string }> {
    const bodies = callIds.flatMap((callId) => this.#bodies.get(callId) ?? []);
    const open = this.#open.get(server) ?? 0;
    const declined = problem(kind, bodies, open);
    if (declined !== undefined) {
      this.#tell(server, declined);
      return { declined };
    }
    const body = bodies.at(-1) as CallBody;
    this.#open.set(server, open + 1);
    // A person's time is not the program's.
    const releases = bodies.map(({ exec }) => exec.dispatch?.onApproval?.());
    const either = fuseSignals(signal, body.exec.signal);
    try {
      return { answer: await ask(body.asker, either.signal) };
    } catch (cause) {
      if (either.signal.aborted) return { answer: undefined };
      throw new Error(`The client did not answer: ${(cause as Error).message}`, { cause });
    } finally {
      either.dispose();
      for (const release of releases) release?.();
      this.#open.set(server, (this.#open.get(server) ?? 1) - 1);
    }
  }

  #tell(server: string, why: string): void {
    const count = (this.#declined.get(server) ?? 0) + 1;
    this.#declined.set(server, count);
    if (count > TOLD) return;
    const last = count === TOLD ? '; further ones are not told' : '';
    this.#warn(`a question of "${server}" was declined: ${why}${last}`);
  }
}

const OFFERS = { elicit: 'elicitation', sample: 'sampling' } as const;

/** Why nobody is asked. */
function problem(kind: keyof Asker, bodies: readonly CallBody[], open: number): string | undefined {
  const [first] = bodies;
  if (first === undefined) return 'it was asked outside of a call';
  if (bodies.some(({ client }) => client !== first.client)) {
    return 'calls of several clients were under way, and it did not say which of them it meant';
  }
  if (bodies.at(-1)?.asker[kind] === undefined) return `the client that called offers no ${OFFERS[kind]}`;
  return open >= MOST_OPEN ? `${MOST_OPEN} of its questions wait already` : undefined;
}

function formResult(answer: unknown): FormResult {
  const { action, content } = (answer ?? {}) as Partial<FormResult>;
  if (action === 'decline') return { action };
  if (action !== 'accept') return { action: 'cancel' };
  return content === undefined ? { action } : { action, content };
}
