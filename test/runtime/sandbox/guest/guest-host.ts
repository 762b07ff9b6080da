import { createPeer } from '#dist/runtime/sandbox/peer.js';
import type { PeerOptions, SandboxPeer } from '#dist/runtime/sandbox/peer-types.js';
import type {
  CodeRunFailure,
  EndPayload,
  GuestLimits,
  GuestTurn,
  HostFrameType,
  PeerFrameType,
  WireCall,
  WireNamespace,
} from '#dist/runtime/sandbox/wire.js';
import { HostFrame, PeerFrame } from '#dist/runtime/sandbox/wire.js';

/** Both engines; every suite of this folder runs on each. */
export const engines: readonly PeerOptions['engine'][] = ['isolated-vm', 'quickjs'];

export const limits: GuestLimits = {
  computeMs: 20_000,
  memoryMb: 64,
  maxMessageBytes: 10_000_000,
  maxPendingCalls: 128,
  maxQueuedBytes: 30_000_000,
  maxTimers: 1000,
  maxCalls: 10_000,
  maxDepth: 2000,
  maxSourceBytes: 1_000_000,
  maxOutputBytes: 8 * 1024 * 1024,
  maxLogEntries: 100_000,
};

/** What JSON text may hold; tests look into it freely. */
export type Parsed = ReturnType<typeof JSON.parse>;

/** Answers a call: a value, a throw for a failure, `HANG` for no answer. */
export type Tool = (args: Parsed, call: WireCall) => unknown;
export const HANG = Symbol('no answer');

/** A failure with a code of the library's table. */
export class CodedFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface GuestRun {
  readonly value?: Parsed;
  /** The value's own JSON text was there. */
  readonly hasValue: boolean;
  readonly failure?: CodeRunFailure;
  readonly note?: string;
  readonly logs: readonly string[];
  /** How the log entries came, frame by frame. */
  readonly logFrames: readonly (readonly string[])[];
  readonly turns: readonly GuestTurn[];
  readonly calls: readonly WireCall[];
  /** Every frame from the peer, by name. */
  readonly frames: readonly (readonly [name: string, payload: string])[];
}

export interface RunOptions {
  readonly tools?: Readonly<Record<string, Tool>>;
  readonly namespaces?: readonly WireNamespace[];
  readonly limits?: Partial<GuestLimits>;
  /** Deliver one result per frame, newest call first. */
  readonly reverse?: boolean;
}

const frameName = new Map<number, string>(Object.entries(PeerFrame).map(([name, type]) => [type, name]));

/** The namespaces that the bridge injects, for these tools. */
export function toolNamespaces(members: readonly string[]): WireNamespace[] {
  const errorClass = { name: 'ToolCallError', memberNameProperty: 'toolName' };
  return [
    { global: 'tools', members, errorClass, argumentStyle: 'object', forwards: [] },
    { global: 'sdk', members: ['search'], argumentStyle: 'list', forwards: [['call', 0]] },
  ];
}

/** A host that serves runs at once and records every frame; timers fire in due order, without waiting. */
export class GuestHost {
  readonly received: [type: PeerFrameType, run: number, payload: string][] = [];
  peer!: SandboxPeer;
  #lastRun = 0;

  static async open(options: Partial<PeerOptions> & Pick<PeerOptions, 'engine'>): Promise<GuestHost> {
    const host = new GuestHost();
    const port = {
      send: (type: PeerFrameType, run: number, payload: string) => {
        host.received.push([type, run, payload]);
      },
    };
    host.peer = await createPeer({ memoryMb: limits.memoryMb, spareGuests: 1, ...options }, port);
    return host;
  }

  dispose(): void {
    this.peer.dispose();
  }

  startPayload(program: string, options: RunOptions = {}, hold = false): string {
    const namespaces = options.namespaces ?? toolNamespaces(Object.keys(options.tools ?? {}));
    return JSON.stringify({ program, namespaces, hold, limits: { ...limits, ...options.limits } });
  }

  /** Sends a frame and returns what came back, once the peer has answered. */
  async exchange(type: HostFrameType, run: number, payload: string) {
    const before = this.received.length;
    this.peer.receive(type, run, payload);
    await this.peer.idle();
    return this.received.slice(before);
  }

  async run(program: string, options: RunOptions = {}): Promise<GuestRun> {
    const run = ++this.#lastRun;
    const tools = Object.values(options.tools ?? {});
    const state = new RunState();
    let pending: [HostFrameType, string][] = [[HostFrame.start, this.startPayload(program, options)]];
    while (pending.length > 0) {
      const [type, payload] = pending.shift()!;
      for (const [frame, , text] of await this.exchange(type, run, payload)) {
        const turn = state.take(frame, text);
        if (turn === undefined) continue;
        pending.push(...state.answer(turn, tools, options));
      }
      if (state.isOver) pending = [];
      else if (pending.length === 0) pending = state.fireNext();
    }
    if (!state.isOver) await this.exchange(HostFrame.stop, run, '');
    return state.result();
  }
}

class RunState {
  isOver = false;
  readonly #frames: [string, string][] = [];
  readonly #logFrames: string[][] = [];
  readonly #turns: GuestTurn[] = [];
  readonly #timers = new Map<number, number>();
  #now = 0;
  #failure: CodeRunFailure | undefined;

  take(type: PeerFrameType, payload: string): GuestTurn | undefined {
    this.#frames.push([frameName.get(type) ?? String(type), payload]);
    if (type === PeerFrame.log) this.#logFrames.push(JSON.parse(payload) as string[]);
    if (type === PeerFrame.end) {
      this.#failure = (JSON.parse(payload) as EndPayload).failure;
      this.isOver = true;
    }
    if (type !== PeerFrame.turn) return undefined;
    const turn = JSON.parse(payload.slice(payload.indexOf('\n') + 1)) as GuestTurn;
    this.#turns.push(turn);
    if (turn.state === 'done') this.isOver = true;
    for (const [id, delay] of turn.timers ?? []) this.#timers.set(id, this.#now + delay);
    for (const id of turn.clears ?? []) this.#timers.delete(id);
    return turn;
  }

  answer(turn: GuestTurn, tools: readonly Tool[], options: RunOptions): [HostFrameType, string][] {
    const good: unknown[] = [];
    const frames: [HostFrameType, string][] = [];
    for (const call of turn.calls ?? []) {
      const [id, namespace, member, args] = call;
      try {
        const value = namespace === 0 ? tools[member]!(args, call) : args;
        if (value !== HANG) good.push([id, 0, value ?? null]);
      } catch (error) {
        const { message, code } = error as CodedFailure;
        frames.push([HostFrame.deliver, JSON.stringify([[id, 1, message, ...(code ? [code] : [])]])]);
      }
    }
    if (options.reverse) {
      frames.push(
        ...good.map((item): [HostFrameType, string] => [HostFrame.deliver, JSON.stringify([item])]),
      );
      return frames.reverse();
    }
    if (good.length > 0) frames.unshift([HostFrame.deliver, JSON.stringify(good)]);
    return frames;
  }

  fireNext(): [HostFrameType, string][] {
    const due = [...this.#timers].sort((a, b) => a[1] - b[1] || a[0] - b[0])[0];
    if (due === undefined) return [];
    this.#timers.delete(due[0]);
    this.#now = due[1];
    return [[HostFrame.fire, JSON.stringify([due[0]])]];
  }

  result(): GuestRun {
    const last = this.#turns.at(-1);
    const done = last?.state === 'done' ? last : undefined;
    return {
      hasValue: done !== undefined && 'value' in done,
      ...(done !== undefined && 'value' in done ? { value: done.value } : {}),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      ...(done?.note === undefined ? {} : { note: done.note }),
      logs: this.#logFrames.flat(),
      logFrames: this.#logFrames,
      turns: this.#turns,
      calls: this.#turns.flatMap((turn) => turn.calls ?? []),
      frames: this.#frames,
    };
  }
}
