import type { CodeBindingNamespace, CodeRunResult } from '#dist/runtime/contract/code-runtime.js';
import { bindingTable } from '#dist/runtime/sandbox/bindings.js';
import { resolveSandboxOptions, type SandboxOptions } from '#dist/runtime/sandbox/options.js';
import type { PeerLine } from '#dist/runtime/sandbox/peer-line.js';
import { Session, type SessionSetup } from '#dist/runtime/sandbox/session.js';
import {
  type GuestTurn,
  HostFrame,
  type HostFrameType,
  PeerFrame,
  type PeerFrameType,
} from '#dist/runtime/sandbox/wire.js';

/** A line whose other end is the test. */
class ScriptedLine implements PeerLine {
  readonly engine = 'scripted';
  readonly sent: { readonly type: HostFrameType; readonly payload: string; readonly budgetMs: number }[] = [];
  /** How the session left it. */
  left: 'open' | 'released' | 'stopped' | 'broken' = 'open';

  send(type: HostFrameType, payload: string, budgetMs: number): void {
    this.sent.push({ type, payload, budgetMs });
  }

  release(): void {
    this.left = 'released';
  }

  stop(isBroken: boolean): Promise<void> {
    this.left = isBroken ? 'broken' : 'stopped';
    return Promise.resolve();
  }
}

export interface ScriptedSetup extends Partial<Pick<SessionSetup, 'program' | 'wallMs' | 'beforeStart'>> {
  readonly bindings?: readonly CodeBindingNamespace[];
  readonly options?: SandboxOptions;
}

/** One started run whose sandbox is played by the test. */
export interface ScriptedRun {
  readonly session: Session;
  readonly line: ScriptedLine;
  readonly result: Promise<CodeRunResult>;
  /** Answers with any payload. */
  answer(type: PeerFrameType, payload: Buffer | string): void;
  /** Answers with a turn. */
  turn(turn: GuestTurn | { readonly [key: string]: unknown }, costs?: string): void;
  log(...entries: string[]): void;
  /** Payloads of the deliveries so far, parsed. */
  deliveries(): unknown[];
}

export function scriptedRun(setup: ScriptedSetup = {}): ScriptedRun {
  const { bindings = [], options, program = 'return 1', wallMs = 60_000, beforeStart } = setup;
  const session = new Session({
    program,
    table: bindingTable(bindings),
    options: resolveSandboxOptions(options),
    wallMs,
    beforeStart,
  });
  const line = new ScriptedLine();
  session.start(line);
  return {
    session,
    line,
    result: session.result,
    answer: (type, payload) => session.onFrame(type, payload),
    turn: (turn, costs = '0 0') => session.onFrame(PeerFrame.turn, `${costs}\n${JSON.stringify(turn)}`),
    log: (...entries) => session.onFrame(PeerFrame.log, JSON.stringify(entries)),
    deliveries: () =>
      line.sent.filter(({ type }) => type === HostFrame.deliver).map(({ payload }) => JSON.parse(payload)),
  };
}

/** One namespace `tools` with the given functions. */
export function toolsOf(functions: CodeBindingNamespace['functions']): readonly CodeBindingNamespace[] {
  return [
    { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } },
  ];
}
