import type { ToolDefinition } from '../../runtime/contract/definition.js';
import type { ToolExecution } from '../../runtime/contract/execution.js';
import type { ToolRegistrationOptions } from '../../runtime/contract/scope.js';
import type { Disposer, ToolsService } from '../../runtime/contract/service.js';
import type { AiSdkTool, CallableAiSdkTool } from './ai-sdk-types.js';
import { executionOptions, type ImportAiSdkToolOptions, readAiSdkTool } from './import-ai-sdk-tool.js';

/** How a tool set is registered. */
export interface RegisterAiSdkToolsOptions extends Omit<ImportAiSdkToolOptions, 'isConcurrencySafe'> {
  /** What the registry is told of a tool beside its definition. One that is `readOnly` may overlap with others. */
  readonly registration?: ((name: string, tool: AiSdkTool) => ToolRegistrationOptions) | undefined;
}

/**
 * Registers the tools of an AI SDK tool set under their keys.
 *
 * A tool that `needsApproval` makes an `ask` decision for each such call, a program's calls included; a host's approver
 * answers it, and without one it is denied.
 *
 * @returns what removes them all
 * @throws whatever `register` throws; nothing of the set stays registered then
 * @example
 * const remove = await registerAiSdkTools(tools, { weather, search });
 */
export async function registerAiSdkTools(
  tools: ToolsService,
  toolSet: Readonly<Record<string, AiSdkTool>>,
  options: RegisterAiSdkToolsOptions = {},
): Promise<Disposer> {
  const { registration, ...importing } = options;
  const imported = await Promise.all(
    Object.entries(toolSet).map(async ([name, tool]) => {
      const told = registration?.(name, tool) ?? {};
      const isConcurrencySafe = told.readOnly === true;
      const read = await readAiSdkTool(name, tool, { ...importing, isConcurrencySafe });
      return { ...read, tool: tool as unknown as CallableAiSdkTool, told };
    }),
  );
  const needs = new Map<ToolDefinition, (exec: ToolExecution) => Promise<boolean>>();
  const disposers: Disposer[] = [];
  const dispose = () => {
    for (const undo of disposers.splice(0).reverse()) undo();
  };
  try {
    for (const { tool, definition, check, told } of imported) {
      disposers.push(tools.register(definition, told));
      const { needsApproval } = tool;
      if (!needsApproval) continue;
      needs.set(definition, async (exec) => {
        if (needsApproval === true) return true;
        const checked = (await check?.(exec.arguments)) ?? { value: exec.arguments };
        // What the tool's own check refuses never reaches the tool, so there is nothing to approve.
        return 'value' in checked && (await needsApproval(checked.value, executionOptions(exec, importing)));
      });
    }
    if (needs.size > 0) {
      disposers.push(
        tools.on('tools/pre-execute', async (exec, next) => {
          const decision = await next();
          if (decision.kind !== 'allow') return decision;
          const definition = tools.executable(exec.name, exec.agent, exec.toolSet);
          const asks = definition === undefined ? undefined : needs.get(definition);
          return asks !== undefined && (await asks(exec)) ? { kind: 'ask' } : decision;
        }),
      );
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return dispose;
}
