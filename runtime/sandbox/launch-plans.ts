import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { grantedFiles, PROCESS_FOLDER } from './granted-files.js';
import type { ResolvedSandboxOptions } from './options.js';

/** One way to start a sandbox process. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether Node's permission model keeps the process from files, processes and workers. */
  readonly isConfined: boolean;
}

/** The modules of a sandbox process; replaced in tests. */
export interface ChildModules {
  /** Path of the script that is started. */
  readonly main: string;
  /** URL of the module that makes the peer. */
  readonly peer: string;
}

/** The modules of this package: the build joins each with what it imports, and all that a process loads lies beside them. */
export const OWN_MODULES: ChildModules = {
  main: join(PROCESS_FOLDER, 'main.js'),
  peer: pathToFileURL(join(PROCESS_FOLDER, 'peer.js')).href,
};

/** CPU seconds that a process may use in its whole life beside the budget of one program; it is replaced long before. */
const LIFE_CPU_SECONDS = 600;

/** Stack that a QuickJS guest may use: some 1,500 calls deep instead of 400, KiB. */
const QUICKJS_STACK_KB = 256;

/** What V8 may use so that such a guest's deepest recursion still ends inside the guest, KiB. */
const NATIVE_STACK_KB = 6500;

/**
 * A program is short: code that the engine optimises is mostly thrown away with its isolate before it has paid, and the
 * compiler's threads take the processor from the host. Hence later than by default, by the flags of each Node that was measured.
 */
const LATE_OPTIMISATION: Readonly<Record<string, readonly string[]>> = {
  20: ['--interrupt-budget=270000', '--no-verify-snapshot-checksum'],
  22: ['--invocation-count-for-maglev=2000', '--invocation-count-for-turbofan=20000'],
  24: ['--invocation-count-for-maglev=2000', '--invocation-count-for-turbofan=20000'],
  26: ['--invocation-count-for-maglev=2000', '--invocation-count-for-turbofan=20000'],
};

/**
 * The young generation that isolated-vm gives a guest of some memory, and no more for the process itself: what it drops with
 * every run would otherwise spread over 16 MiB before it is collected.
 */
const semiSpaceMb = (memoryMb: number): number =>
  Math.max(1, Math.round(2 ** Math.min(4, memoryMb / 128) / 3));

/** The stack that a process must have for that, bytes. */
const LARGE_STACK_BYTES = 8 * 1024 * 1024;

/**
 * The ways to start a sandbox process here, the safest first; each later one does without something that a system may lack.
 *
 * @example
 * const [best] = launchPlans(options, OWN_MODULES);
 */
export function launchPlans(options: ResolvedSandboxOptions, modules: ChildModules): readonly LaunchPlan[] {
  const { engine, memoryMb } = options;
  const isRoomy = hasLargeStack();
  const choice = {
    engine,
    memoryMb,
    peer: modules.peer,
    ...(isRoomy && { quickjsStackKb: QUICKJS_STACK_KB }),
  };
  const script = [modules.main, JSON.stringify(choice)];
  const stack = isRoomy ? [`--stack-size=${NATIVE_STACK_KB}`] : [];
  const confinement = permissionFlags(modules);
  const young = `--max-semi-space-size=${semiSpaceMb(memoryMb)}`;
  const engineFlags = LATE_OPTIMISATION[process.versions.node.split('.')[0] ?? ''] ?? [];
  const plans: LaunchPlan[] = [];
  for (const wrap of wrappers(options.computeMs)) {
    for (const flags of confinement === undefined ? [[]] : [confinement, []]) {
      const nodeFlags = ['--no-node-snapshot', '--no-warnings', young, ...engineFlags, ...stack, ...flags];
      const node = [process.execPath, ...nodeFlags, ...script];
      const [command, ...args] = [...wrap, ...node];
      plans.push({ command: command!, args, isConfined: flags.length > 0 });
    }
  }
  return plans;
}

/** Whether the processes started here have a large stack, as far as the system tells. */
function hasLargeStack(): boolean {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max stack size\s+(\S+)/m.exec(limits)?.[1];
    return soft === 'unlimited' || Number(soft) >= LARGE_STACK_BYTES;
  } catch {
    return false;
  }
}

/** The flag that turns the permission model on, where this Node has one. */
function permissionFlags({ main, peer }: ChildModules): readonly string[] | undefined {
  const flag = ['--permission', '--experimental-permission'].find((name) =>
    process.allowedNodeEnvironmentFlags.has(name),
  );
  if (flag === undefined) return undefined;
  const files = new Set([...grantedFiles(), main, fileURLToPath(peer)]);
  return [flag, '--allow-addons', ...[...files].map((file) => `--allow-fs-read=${file}`)];
}

/**
 * What stands in front of the command: something that ends the process when the host dies while a program computes. Idle
 * processes see the end of their input.
 */
function wrappers(computeMs: number): readonly (readonly string[])[] {
  if (process.platform === 'win32') return [[]];
  const seconds = LIFE_CPU_SECONDS + Math.ceil(computeMs / 1000);
  const shell = ['/bin/sh', '-c', `ulimit -c 0; ulimit -t ${seconds}; exec "$@"`, 'sh'];
  const setpriv = onPath('setpriv');
  return setpriv === undefined ? [shell, []] : [[setpriv, '--pdeathsig', 'KILL', '--'], shell, []];
}

/**
 * Where a command is, or `undefined`.
 *
 * @example
 * onPath('prlimit') // '/usr/bin/prlimit'
 */
export function onPath(command: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, command);
    try {
      if (folder === '') continue;
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
