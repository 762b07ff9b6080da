import { ptcExecutor } from '../bridge/index.js';
import { createTools, sandboxRuntime } from '../runtime/index.js';
import { openToolSources, type ToolSources } from './tool-sources.js';

/** The options of `ptc sdk`, parsed. */
export interface SdkCommandOptions extends ToolSources {
  /** Whose language level is named. */
  readonly engine?: 'auto' | 'isolated-vm' | 'quickjs';
}

/**
 * Prints the text that a model is given: the sections of the prompt, and `run_code` with its description.
 *
 * @throws {UsageError} when a source of tools cannot be read
 * @example
 * process.exitCode = await sdkCommand({ tools: ['tools.js'], mcp: [], allowMissing: false });
 */
export async function sdkCommand(options: SdkCommandOptions): Promise<number> {
  const warn = (line: string): void => void process.stderr.write(`ptc: ${line}\n`);
  const tools = createTools({ onWarning: warn });
  const { close } = await openToolSources(tools, options, warn);
  const runtime = sandboxRuntime({ minIdle: 0, engine: options.engine ?? 'auto' });
  try {
    tools.setExecutor(ptcExecutor({ runtime }));
    const { schemas, sections = [] } = tools.describe();
    const parts = [
      ...schemas.map(({ name, description }) => `${name}: ${description}`),
      ...sections.map(({ text }) => text),
    ];
    process.stdout.write(`${parts.join('\n\n')}\n`);
    return 0;
  } finally {
    await Promise.all([runtime.dispose(), close()]);
  }
}
