import { createInterface } from 'node:readline/promises';
import type { ApprovalAnswerer, Grants } from '../policies/index.js';
import type { ApprovalAnswer } from '../runtime/contract/approval.js';
import type { ToolExecution } from '../runtime/contract/execution.js';
import type { ToolsService } from '../runtime/contract/service.js';
import { approvalText, MAX_QUEUED } from './approval-text.js';

/** Where questions are put; both ends have to be a terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; readonly readableEnded?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** What the answers are used for. */
export interface TerminalApprovalSetup {
  readonly tools: ToolsService;
  readonly terminal: Terminal;
  readonly program: string;
  /** Where "always" and "these" are kept. */
  readonly grants: Grants;
  readonly warn: (line: string) => void;
}

const NO_TERMINAL = 'there is no terminal at which anybody could be asked';
const CLEAR_LINE = '\r\u001b[2K';
const MAX_TRIES = 3;

/**
 * Asks at the terminal: yes, no, always for this tool, or yes to this call and those of the same tool that wait and are shown.
 *
 * It remembers nothing itself: "always" and "these" become grants, which the rules consult. Without a terminal every question
 * is answered with no, which is said. Anything but a clear answer is no.
 *
 * @example
 * approvals(tools, { answerers: [terminalApproval({ tools, terminal, program, grants, warn })] });
 */
export function terminalApproval(setup: TerminalApprovalSetup): ApprovalAnswerer {
  const { terminal, tools, program, grants, warn } = setup;
  let wasTold = false;
  /** One question at a time, whoever asks. */
  let before: Promise<unknown> = Promise.resolve();
  const ask = async (
    call: Readonly<ToolExecution>,
    reason: string | undefined,
    signal: AbortSignal,
  ): Promise<ApprovalAnswer> => {
    const queued = (call.dispatch?.queued?.() ?? [])
      .filter(({ name }) => name === call.name)
      .slice(0, MAX_QUEUED);
    const registration = tools.registration(call.name, call.agent) ?? {};
    const prefix = terminal.output.isTTY === true ? CLEAR_LINE : '';
    terminal.output.write(`${prefix}${approvalText({ call, reason, registration, queued, program })}`);
    switch (await choice(setup, signal, queued.length)) {
      case 'always':
        grants.allowForSession(call);
        return 'allowed-once';
      case 'these':
        for (const waiting of queued) grants.allowOnce({ ...waiting, agent: call.agent });
        return 'allowed-once';
      case 'yes':
        return 'allowed-once';
      default:
        return signal.aborted ? 'cancelled' : { outcome: 'rejected', note: 'denied at the terminal' };
    }
  };
  return async ({ reason, signal }, execution) => {
    if (execution === undefined) return 'unavailable';
    if (terminal.input.isTTY !== true || terminal.output.isTTY !== true) {
      if (!wasTold) warn(`calls that need a yes are denied: ${NO_TERMINAL}`);
      wasTold = true;
      return { outcome: 'unavailable', note: NO_TERMINAL };
    }
    const answer = before.then(() => ask(execution, reason, signal));
    before = answer.catch(() => {});
    return answer;
  };
}

type Choice = 'yes' | 'no' | 'always' | 'these';

async function choice(
  { terminal }: TerminalApprovalSetup,
  signal: AbortSignal,
  queued: number,
): Promise<Choice> {
  // A stream that has ended says so only once.
  if (terminal.input.readableEnded === true) return 'no';
  const lines = createInterface({ input: terminal.input, output: terminal.output, terminal: false });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('n')));
  try {
    const these = queued === 0 ? '' : `, [t]hese ${queued + 1}`;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const text = await Promise.race([
        lines.question(`[y]es, [n]o, [a]lways for this tool${these}: `, { signal }),
        ended,
      ]);
      const said = read(text.trim().toLowerCase(), queued);
      if (said !== undefined) return said;
    }
    return 'no';
  } catch {
    // The run was given up meanwhile.
    return 'no';
  } finally {
    lines.close();
  }
}

function read(text: string, queued: number): Choice | undefined {
  if (text === 'y' || text === 'yes') return 'yes';
  if (text === 'n' || text === 'no' || text === '') return 'no';
  if (text === 'a' || text === 'always') return 'always';
  return queued > 0 && (text === 't' || text === 'these') ? 'these' : undefined;
}
