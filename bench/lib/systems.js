// What is measured: the floor (a plain async function in the host with the same JSON work), and the runtime in each form.
import { makeBig } from './programs.js';

const functions = {
  echo: async (args) => args,
  big: async () => bigValue(),
  slow: async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { ok: true };
  },
};

let big;

/** The value that `tools.big` returns; made when it is first asked for, since a cold start must not pay for it. */
export function bigValue() {
  big ??= makeBig();
  return big;
}

function floor() {
  const AsyncFunction = (async () => {}).constructor;
  const copied = (value) => JSON.parse(JSON.stringify(value));
  const tools = Object.fromEntries(
    Object.entries(functions).map(([name, body]) => [name, async (args) => copied(await body(copied(args)))]),
  );
  return { run: (source) => new AsyncFunction('tools', source)(tools), dispose: async () => {} };
}

/**
 * Opens a system. `name` is `floor`, or `ENGINE/PLACEMENT` with an optional `/RUNS` (programs per process).
 *
 * @param from URL of the package's built entry
 * @default that of this tree
 *
 * @example
 * const system = await openSystem('isolated-vm/process');
 */
export async function openSystem(name, from = 'ptc-runtime') {
  if (name === 'floor') return floor();
  const [engine, placement, runs] = name.split('/');
  const { createTools, defineTool, ptcExecutor, sandboxRuntime, toolCallId } = await import(from);
  const tools = createTools();
  const render = (_args, value) => [{ type: 'text', text: typeof value === 'string' ? value : 'value' }];
  for (const [tool, execute] of Object.entries(functions)) {
    tools.register(
      defineTool({
        name: tool,
        description: tool,
        parameters: { i: { type: 'number' }, ms: { type: 'number' } },
        output: { schema: { type: 'json' }, render },
        isConcurrencySafe: () => true,
        execute,
      }),
    );
  }
  const runtime = sandboxRuntime({
    engine,
    placement,
    memoryMb: 256,
    computeMs: 60_000,
    maxCalls: 1_000_000,
    ...(runs === undefined ? {} : { runsPerProcess: Number(runs) }),
  });
  tools.setExecutor(ptcExecutor({ runtime, maxParallelSubCalls: 20 }));
  let calls = 0;
  return {
    async run(code) {
      calls += 1;
      const args = JSON.stringify({ code, description: 'bench' });
      const { results } = await tools.execute({
        calls: [{ callId: toolCallId(`c${calls}`), name: 'run_code', arguments: args }],
        signal: new AbortController().signal,
      });
      const { result } = results[0];
      if (result.isError) throw new Error(result.error.message);
      return result.value.result;
    },
    dispose: () => runtime.dispose(),
  };
}
