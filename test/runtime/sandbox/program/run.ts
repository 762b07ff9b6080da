import vm from 'node:vm';
import { prepareProgram } from '#dist/runtime/sandbox/program/prepare.js';
import type { PreparedRun, ReadyRun } from '#dist/runtime/sandbox/program/prepared-run.js';

export const NAMES = ['tools', 'ToolCallError'] as const;

type Tools = Record<string, (args: never) => unknown>;

/** The tools that the programs of these tests call. */
export const TOOLS: Tools = {
  add: async ({ a, b }: { a: number; b: number }) => a + b,
  echo: async (args: unknown) => args,
  list: async ({ n }: { n: number }) => Array.from({ length: n }, (_, id) => ({ id, name: `row ${id}` })),
};

const MEMBERS = [{ global: 'tools', members: Object.keys(TOOLS) }];

export const prepare = (text: string): PreparedRun => prepareProgram(text, NAMES, MEMBERS);

/** A program that must be ready. */
export const ready = (text: string): ReadyRun => {
  const run = prepare(text);
  if (!run.ok) throw new Error(`refused: ${JSON.stringify(run.failure)}`);
  return run;
};

/** The failure of a text that must be refused. */
export const refusal = (text: string) => {
  const run = prepare(text);
  if (run.ok) throw new Error(`not refused: ${run.code}`);
  return run.failure;
};

const start = (run: ReadyRun): Promise<unknown> => {
  const make = vm.runInThisContext(run.code, {
    filename: 'program.ts',
    columnOffset: run.columnOffset,
  }) as (...names: unknown[]) => () => Promise<unknown>;
  return make(TOOLS, class ToolCallError extends Error {}).call(undefined);
};

/** What a program returns. */
export const resultOf = async (text: string): Promise<unknown> => start(ready(text));

/** Where a program throws, in its own text. */
export const placeOf = async (text: string): Promise<{ line: number; column: number } | undefined> => {
  const run = ready(text);
  try {
    await start(run);
  } catch (thrown) {
    const found = /program\.ts:(\d+):(-?\d+)/.exec(String((thrown as Error).stack));
    return found ? run.toSource(Number(found[1]), Number(found[2])) : undefined;
  }
  throw new Error('the program did not throw');
};
