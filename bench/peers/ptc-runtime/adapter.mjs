// ptc-runtime as one system of a harness that runs each of its folders: see "Beside other systems" in bench/README.md.
// `node bench/peers/place.js` puts it into every ptc-runtime folder; what differs is `bench.sandbox` of the package.json beside it.
import { readFileSync } from 'node:fs';
import { createTools, defineTool, ptcExecutor, sandboxRuntime, toolCallId } from 'ptc-runtime';

const { name, bench } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** What the harness's tools take. */
const PARAMETERS = { echo: { i: 'number' }, big: { i: 'number' }, slow: { ms: 'number' } };

let tools;
let runtime;
let calls = 0;

export default {
  name: name.replace(/^env-/, ''),
  language: 'js',

  /** Registers the harness's functions as tools and starts the runtime. */
  async setup(functions) {
    tools = createTools();
    for (const [tool, execute] of Object.entries(functions)) {
      const parameters = Object.entries(PARAMETERS[tool] ?? {}).map(([key, type]) => [
        key,
        { type, required: true },
      ]);
      tools.register(
        defineTool({
          name: tool,
          description: tool,
          parameters: Object.fromEntries(parameters),
          output: { schema: { type: 'json' }, render: () => [{ type: 'text', text: 'value' }] },
          isConcurrencySafe: () => true,
          execute,
        }),
      );
    }
    const limitMs = globalThis.BENCH_TIMEOUT ?? 60_000;
    runtime = sandboxRuntime({
      memoryMb: 256,
      computeMs: limitMs,
      wallMs: limitMs,
      maxCalls: 1_000_000,
      ...bench.sandbox,
    });
    tools.setExecutor(ptcExecutor({ runtime, maxParallelSubCalls: 20 }));
  },

  /** Runs a program as a model would: one `run_code` call, through the whole pipeline. */
  async run(code) {
    calls += 1;
    const { results } = await tools.execute({
      calls: [
        {
          callId: toolCallId(`bench-${calls}`),
          name: 'run_code',
          arguments: JSON.stringify({ code, description: 'bench' }),
        },
      ],
      signal: new AbortController().signal,
    });
    const [{ result }] = results;
    if (result.isError) throw new Error(result.error.message);
    return result.value.result;
  },

  async dispose() {
    await runtime.dispose();
  },
};
