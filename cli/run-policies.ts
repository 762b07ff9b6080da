import { approvals, createGrants, preset, readRules, rules, toolTimeout } from '../policies/index.js';
import type { ToolsService } from '../runtime/contract/service.js';
import { type Terminal, terminalApproval } from './terminal-approval.js';
import { UsageError } from './usage-error.js';

/** What the policies of one command are made of. */
export interface RunPoliciesSetup {
  /** A rules file; without one every call is allowed. */
  readonly policy?: string | undefined;
  readonly program: string;
  readonly terminal: Terminal;
  readonly warn: (line: string) => void;
}

/**
 * Registers the policies of `ptc run`: the rules of the file, questions at the terminal, and the tools' own deadlines.
 *
 * @throws {UsageError} when the file cannot be read, or one of its rules cannot be used
 * @example
 * await useRunPolicies(tools, { policy: 'rules.json', program, terminal, warn });
 */
export async function useRunPolicies(tools: ToolsService, setup: RunPoliciesSetup): Promise<void> {
  const { policy, program, terminal, warn } = setup;
  const grants = createGrants(tools);
  let asks: 'ask' | 'never' = 'ask';
  if (policy !== undefined) {
    try {
      const file = await readRules(policy);
      rules(tools, { ...file, grants });
      if (file.preset !== undefined) asks = preset(file.preset).approval;
    } catch (cause) {
      throw new UsageError((cause as Error).message, { cause });
    }
  }
  approvals(tools, {
    policy: asks,
    answerers: [terminalApproval({ tools, terminal, program, grants, warn })],
  });
  toolTimeout(tools);
}
