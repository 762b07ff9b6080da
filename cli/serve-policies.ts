import { approvals, type PresetName, preset, readRules, rules, toolTimeout } from '../policies/index.js';
import type { ToolsService } from '../runtime/contract/service.js';
import { UsageError } from './usage-error.js';

/** What the policies of a server are made of. */
export interface ServePolicies {
  /** A rules file. */
  readonly policy?: string;
  /** Rules by kind of tool, behind those of the file. */
  readonly preset?: PresetName;
}

/**
 * Registers the policies of `ptc serve`: the rules, and the tools' own deadlines. Without rules every call is allowed.
 *
 * @returns whether calls that need a yes may be asked about at the client; a preset can forbid it
 * @throws {UsageError} when the file cannot be read, or one of its rules cannot be used
 * @example
 * const asksClients = await useServePolicies(tools, { preset: 'ask-for-writes' });
 */
export async function useServePolicies(tools: ToolsService, setup: ServePolicies): Promise<boolean> {
  let chosen = setup.preset;
  try {
    const file = setup.policy === undefined ? undefined : await readRules(setup.policy);
    chosen ??= file?.preset;
    if (file !== undefined || chosen !== undefined) {
      rules(tools, { ...file, ...(chosen === undefined ? {} : { preset: chosen }) });
    }
  } catch (cause) {
    throw new UsageError((cause as Error).message.split('\n')[0] ?? '', { cause });
  }
  const policy = chosen === undefined ? 'ask' : preset(chosen).approval;
  approvals(tools, { policy });
  toolTimeout(tools);
  return policy === 'ask';
}
