/** The options of the sandbox that commands share, parsed. */
export interface SandboxFlags {
  readonly engine?: 'auto' | 'isolated-vm' | 'quickjs';
  readonly placement?: 'process' | 'in-process';
  readonly computeMs?: number;
  readonly wallMs?: number;
  readonly memoryMb?: number;
  readonly maxOutputBytes?: number;
  readonly maxParallel?: number;
}

/**
 * The part of a command's options that the sandbox takes.
 *
 * @example
 * sandboxRuntime({ ...sandboxBudgets(options) });
 */
export function sandboxBudgets(options: SandboxFlags): Omit<SandboxFlags, 'maxParallel'> {
  const { engine, placement, computeMs, wallMs, memoryMb, maxOutputBytes } = options;
  const given = Object.entries({ engine, placement, computeMs, wallMs, memoryMb, maxOutputBytes });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
