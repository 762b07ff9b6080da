import {
  type CodeBindingCall,
  type CodeBindingNamespace,
  type CodeRunRequest,
  type SandboxOptions,
  type SandboxRuntime,
  sandboxRuntime,
  ToolTimeoutError,
} from 'ptc-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../../support/gate.ts';
import { toolsOf } from './scripted-run.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Programs from end to end: the same claims for each engine and each placement. */
export function engineSuite(engine: 'isolated-vm' | 'quickjs', placement: 'process' | 'in-process'): void {
  describe(`${engine}, ${placement}`, () => {
    const runtimes: SandboxRuntime[] = [];
    const make = (options: SandboxOptions = {}) => {
      const runtime = sandboxRuntime({ engine, placement, minIdle: 0, ...options });
      runtimes.push(runtime);
      return runtime;
    };
    let shared: SandboxRuntime;
    /** Short on computing, long on waiting. */
    let strict: SandboxRuntime;
    beforeAll(async () => {
      shared = make();
      strict = make({ computeMs: 300, wallMs: 20_000 });
      await Promise.all([shared.warm(), strict.warm()]);
    });
    afterAll(() => Promise.all(runtimes.map((runtime) => runtime.dispose())));

    const run = (
      program: string,
      bindings: readonly CodeBindingNamespace[] = [],
      request: Partial<CodeRunRequest> = {},
    ) => shared.run({ program, bindings, ...request });

    it('M1, M2, M5: a program returns nothing, null, or any JSON', async () => {
      const values = [
        '',
        'return null',
        'return { a: [1, "x", true] }',
        'const x: number = 20; return x * 2 + 2',
      ];
      const results = await Promise.all(values.map((program) => run(program)));
      expect(results.map((result) => ('value' in result ? result.value : 'absent'))).toEqual([
        'absent',
        null,
        { a: [1, 'x', true] },
        42,
      ]);
      expect(results[0]?.stats).toMatchObject({ engine, placement, calls: 0 });
    });

    it('M16: each run has a fresh world', async () => {
      await run('(globalThis as any).left = 1; (Array.prototype as any).left = 2;');
      expect((await run('return [typeof (globalThis as any).left, typeof ([] as any).left]')).value).toEqual([
        'undefined',
        'undefined',
      ]);
    });

    it('M44, M45: arguments and results cross as they are', async () => {
      const seen: unknown[] = [];
      const value = { text: 'a"\\\n\u0000\ud800😀', list: [1.5, -7, 1e21, null], __proto: {}, empty: {} };
      const { value: returned } = await run(
        `return await tools.echo(${JSON.stringify(value)})`,
        toolsOf({
          echo: (args) => {
            seen.push(args);
            return args;
          },
        }),
      );
      expect([seen, returned]).toEqual([[value], value]);
    });

    it('M43: a failed call is a ToolCallError with the name of the tool and a code of the library', async () => {
      const { value } = await run(
        `const out: any[] = [];
for (const name of ['plain', 'coded', 'foreign']) {
  try { await (tools as any)[name]({}); } catch (e: any) {
    out.push([e instanceof ToolCallError, e.name, e.toolName, e.message, e.code ?? null]);
  }
}
return out;`,
        toolsOf({
          plain: () => Promise.reject(new Error('no such file')),
          coded: () => Promise.reject(new ToolTimeoutError('too slow')),
          foreign: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' })),
        }),
      );
      expect(value).toEqual([
        [true, 'ToolCallError', 'plain', 'no such file', null],
        [true, 'ToolCallError', 'coded', 'too slow', 'TOOL_TIMEOUT'],
        [true, 'ToolCallError', 'foreign', 'gone', null],
      ]);
    });

    it('E110, M43: without an error class a failed call is a plain Error', async () => {
      const { value } = await run(
        'try { await plain.fail({}); } catch (e: any) { return [e.constructor === Error, e.name, e.message, Object.keys(e)]; }',
        [{ global: 'plain', functions: { fail: () => Promise.reject(new Error('no')) } }],
      );
      expect(value).toEqual([true, 'Error', 'no', []]);
    });

    it('E101: a giant stack never crosses', async () => {
      const { error, stats } = await run(
        'const e = new Error("x"); e.stack = "S".repeat(20_000_000); throw e;',
      );
      expect(error?.kind).toBe('exception');
      expect(stats.bytesOut).toBeLessThan(100_000);
    });

    it('M28: more calls than may be in flight wait inside the program, and each gets its own answer', async () => {
      let open = 0;
      let most = 0;
      const { value, stats } = await run(
        'return await Promise.all(Array.from({ length: 300 }, (_, i) => tools.double({ i })))',
        toolsOf({
          double: async (args) => {
            open += 1;
            most = Math.max(most, open);
            await null;
            open -= 1;
            return (args as { i: number }).i * 2;
          },
        }),
      );
      expect(value).toEqual(Array.from({ length: 300 }, (_, i) => i * 2));
      expect([most, stats.calls]).toEqual([128, 300]);
    });

    it('M28: the call over the number of calls of a run rejects and names the limit', async () => {
      const runtime = make({ maxCalls: 3 });
      const { value } = await runtime.run({
        program: `for (let i = 1; ; i++) {
  try { await tools.f({}); } catch (e: any) { return [i, e.name, e.message]; }
}`,
        bindings: toolsOf({ f: () => 1 }),
      });
      expect(value).toEqual([4, 'ToolCallError', expect.stringContaining('3')]);
    });

    it('M28: arguments over the cap per message reject inside the program, and the host is not asked', async () => {
      let asked = 0;
      const runtime = make({ maxMessageBytes: 1000 });
      const { value } = await runtime.run({
        program: `try { await tools.f({ x: "x".repeat(1000) }); } catch (e: any) { return [e.name, e.message]; }`,
        bindings: toolsOf({
          f: () => {
            asked += 1;
          },
        }),
      });
      expect(value).toEqual(['ToolCallError', expect.stringContaining('1000')]);
      expect(asked).toBe(0);
    });

    it('M28: results that exceed the queue together arrive all the same', async () => {
      const runtime = make({ maxQueuedBytes: 50_000 });
      const { value } = await runtime.run({
        program:
          'return (await Promise.all([1, 2, 3, 4, 5].map((n) => tools.big({ n })))).map((s: any) => s.length)',
        bindings: toolsOf({ big: () => 'x'.repeat(30_000) }),
      });
      expect(value).toEqual([30_000, 30_000, 30_000, 30_000, 30_000]);
    });

    it('M48: a value nested a thousand levels goes to a tool, comes back, and is returned', async () => {
      const { value } = await run(
        `let x: any = [];
for (let i = 1; i < 1000; i++) x = [x];
const back: any = await tools.echo({ x });
return back.x;`,
        toolsOf({ echo: (args) => args }),
      );
      expect(JSON.stringify(value)).toBe(JSON.stringify(nested(1000)));
    });

    it('M47: a value deeper than the bound is an error that names the bound', async () => {
      const { error } = await run('let x: any = []; for (let i = 0; i < 200_000; i++) x = [x]; return x;');
      expect(error?.kind).toBe('invalid-output');
      expect(error?.message).toContain('2000');
    });

    it('E97: waiting for a tool or a timer consumes no compute', async () => {
      const { value, stats } = await strict.run({
        program: 'await tools.sleep({}); await new Promise((r) => setTimeout(r, 400)); return "slept";',
        bindings: toolsOf({ sleep: () => sleep(500).then(() => null) }),
      });
      expect(value).toBe('slept');
      expect(stats.computeMs).toBeLessThan(300);
      expect(stats.wallMs).toBeGreaterThan(899);
    });

    it('M36, E96, M22: a hot loop ends by the compute budget while a decoy call is pending; what was printed is kept', async () => {
      const never = gate();
      const { error, logs } = await strict.run({
        program: 'void tools.decoy({}); await tools.quick({}); console.log("stage 1"); for (;;) {}',
        bindings: toolsOf({ decoy: () => never.promise, quick: () => 1 }),
      });
      expect(error).toMatchObject({ kind: 'timeout', budget: 'compute', limit: 300 });
      expect(error?.calls).toMatchObject({
        completed: [{ n: 2, name: 'quick', ok: true }],
        inFlight: [{ n: 1, name: 'decoy' }],
      });
      expect(logs).toEqual(['stage 1']);
      expect((await strict.run({ program: 'return 1', bindings: [] })).value).toBe(1);
    });

    it('M36, M37: a program that waits too long ends by the wall budget, which a run may lower', async () => {
      const never = gate();
      const { error } = await run(
        'console.log("before"); await tools.slow({}); return 1;',
        toolsOf({ slow: () => never.promise }),
        { timeoutMs: 200 },
      );
      expect(error).toMatchObject({ kind: 'timeout', budget: 'wall', limit: 200 });
      expect(error?.calls?.inFlight.map(({ name }) => name)).toEqual(['slow']);
      expect(error?.message).toContain('in flight: slow');
    });

    it('M36: once a budget has ended no code of the program runs, no catch and no finally', async () => {
      const called: string[] = [];
      const { error } = await strict.run({
        program: `try { for (;;) {} } catch { await tools.log({}); } finally { await tools.log({}); }`,
        bindings: toolsOf({ log: () => called.push('log') }),
      });
      expect([error?.kind, called]).toEqual(['timeout', []]);
    });

    it('M39, M40: an abort ends a program that waits, and its calls hear of it', async () => {
      const controller = new AbortController();
      const called = gate<CodeBindingCall>();
      const never = gate();
      const running = run(
        'await tools.slow({}); return 1;',
        toolsOf({
          slow: (_, call) => {
            called.open(call);
            return never.promise;
          },
        }),
        { signal: controller.signal },
      );
      const { signal } = await called.promise;
      expect(signal.aborted).toBe(false);
      controller.abort('enough');
      expect((await running).error).toMatchObject({ kind: 'abort', message: 'enough' });
      expect(signal.aborted).toBe(true);
    });

    it('M35: a program that nothing can wake any more ends at once', async () => {
      const { error } = await run('await new Promise(() => {});');
      expect(error?.kind).toBe('deadlock');
    });

    it('M17, E98: timers fire in order, can be cleared, and repeat', async () => {
      const { value } = await run(`const out: string[] = [];
setTimeout(() => out.push('c'), 30);
setTimeout(() => out.push('a'), 1);
const cleared = setTimeout(() => out.push('never'), 5);
clearTimeout(cleared);
let ticks = 0;
await new Promise<void>((resolve) => {
  const timer = setInterval(() => { ticks += 1; if (ticks === 3) { clearInterval(timer); resolve(); } }, 15);
});
out.push('b');
return out.sort().concat(String(ticks));`);
      expect(value).toEqual(['a', 'b', 'c', '3']);
    });

    it('E104: a race is won by the first to settle, and the loser is dropped', async () => {
      const late = gate();
      const { value, unawaited } = await run(
        'return await Promise.race([tools.slow({}), tools.fast({})])',
        toolsOf({ slow: () => late.promise, fast: () => 'fast' }),
      );
      late.open();
      expect(value).toBe('fast');
      expect(unawaited?.map(({ name }) => name)).toEqual(['slow']);
    });

    it('M36: a call that the program gives up is told so', async () => {
      const aborted = gate<string>();
      const { value } = await run(
        `const controller = new AbortController();
const call = tools.slow({}, { signal: controller.signal });
setTimeout(() => controller.abort(), 1);
try { await call; } catch (e: any) { return e.name; }`,
        toolsOf({
          slow: (_, { signal }) =>
            new Promise(() => signal.addEventListener('abort', () => aborted.open('aborted'))),
        }),
      );
      expect([value, await aborted.promise]).toEqual(['ToolCallError', 'aborted']);
    });

    it('M24, M25: output over the cap fails the run, and what fits of the logs stays', async () => {
      const runtime = make({ maxOutputBytes: 2000 });
      const programs = [
        'console.log("first"); for (let i = 0; i < 1000; i++) console.log("line", i);',
        'console.log("first"); return "v".repeat(5000);',
        'console.log("first"); throw new Error("cause-at-front " + "E".repeat(5000));',
      ];
      for (const program of programs) {
        const { error, logs, value } = await runtime.run({ program, bindings: [] });
        expect([error?.kind, logs[0], value]).toEqual(['output-limit', 'first', undefined]);
        expect(error?.message).toContain('2000');
        const bytes =
          Buffer.byteLength(JSON.stringify(logs)) + Buffer.byteLength(JSON.stringify(error?.message));
        expect(bytes).toBeLessThanOrEqual(2000);
      }
    });

    it('M24, E99: exactly at the cap passes, one byte over fails', async () => {
      const kinds: unknown[] = [];
      for (const [maxOutputBytes, program] of [
        [7, 'return "€"'],
        [6, 'return "€"'],
        [11, 'console.log("abc"); return "xy"'],
        [10, 'console.log("abc"); return "xy"'],
      ] as const) {
        const { error, value } = await make({ maxOutputBytes }).run({ program, bindings: [] });
        kinds.push(error?.kind ?? value);
      }
      expect(kinds).toEqual(['€', 'output-limit', 'xy', 'output-limit']);
    });

    it('M33: a rejection that nobody handles fails the run', async () => {
      const { error } = await run(
        'void tools.fail({}); await tools.ok({}); return 1;',
        toolsOf({ fail: () => Promise.reject(new Error('lost')), ok: () => sleep(20).then(() => 1) }),
      );
      expect(error?.kind).toBe('exception');
      expect(error?.message).toContain('lost');
    });

    it('M29: a returned value that is not lossless fails as invalid-output with its path, and is never replaced by text', async () => {
      const refusals: [program: string, path: string][] = [
        ['return { f: [1, () => 1] };', 'value.f[1]'],
        ['return { m: new Map() };', 'value.m'],
        ['return [10n];', 'value[0]'],
        ['return { n: NaN };', 'value.n'],
        ['const a: any = {}; a.self = a; return a;', 'value.self'],
        ['return { get x() { throw new Error("inside the getter"); } };', 'inside the getter'],
      ];
      for (const [program, part] of refusals) {
        const result = await run(program);
        expect([result.error?.kind, 'value' in result]).toEqual(['invalid-output', false]);
        expect(result.error?.message).toContain(part);
      }
    });

    it('M31: undefined and null that are thrown read as such', async () => {
      const messages = [];
      for (const thrown of ['undefined', 'null']) messages.push((await run(`throw ${thrown};`)).error);
      expect(messages).toMatchObject([
        { kind: 'exception', message: 'undefined' },
        { kind: 'exception', message: 'null' },
      ]);
    });

    it('M14, M30: an error names its line, and a syntax error too', async () => {
      const thrown = await run('const a = 1;\n\nthrow new TypeError("third line");');
      expect(thrown.error).toMatchObject({ kind: 'exception', position: { line: 3 } });
      expect(thrown.error?.message.split('\n')[0]).toBe('TypeError: third line');
      const syntax = await run('const a = 1;\nconst = 2;');
      expect(syntax.error).toMatchObject({ kind: 'syntax', position: { line: 2 } });
    });

    it('M1: beforeStart gets what was prepared, and its failure is the failure of the run', async () => {
      const seen: unknown[] = [];
      const checked = await run('const x: number = 1; return x;', [], {
        beforeStart: async (prepared) => {
          seen.push(prepared.typedText.includes('number'), prepared.lineMap[0]);
          return undefined;
        },
      });
      const refused = await run('console.log("ran"); return 1;', [], {
        beforeStart: async () => ({ kind: 'type-check', message: 'Property "x" does not exist' }),
      });
      expect([seen, checked.value]).toEqual([[true, 1], 1]);
      expect([refused.error?.kind, refused.logs]).toEqual(['type-check', []]);
    });

    it('M10, M42, E109: members are own names of any kind, and nothing else is there', async () => {
      const functions = Object.create(null) as Record<string, () => string>;
      for (const name of ['__proto__', 'constructor', 'my-mcp.tool', 'toString']) {
        Object.defineProperty(functions, name, { value: () => name, enumerable: true });
      }
      const { value } = await run(
        `const t = tools as any;
return [await t['__proto__']({}), await t.constructor({}), await t['my-mcp.tool']({}), await t.toString({}),
  typeof t.hasOwnProperty, typeof t.then, 'my-mcp.tool' in t, Object.keys(t).length];`,
        [{ global: 'tools', functions }],
      );
      expect(value).toEqual([
        '__proto__',
        'constructor',
        'my-mcp.tool',
        'toString',
        'undefined',
        'undefined',
        true,
        4,
      ]);
    });

    it('M1: a namespace may take any arguments and forward to another', async () => {
      const { value } = await run('return [await sdk.join("a", 2, [3]), await sdk.call("echo", { x: 1 })]', [
        ...toolsOf({ echo: (args) => args }),
        {
          global: 'sdk',
          functions: { join: (args) => JSON.stringify(args) },
          argumentStyle: 'list',
          forwards: { call: 'tools' },
        },
      ]);
      expect(value).toEqual(['["a",2,[3]]', { x: 1 }]);
    });

    it('M51, E107: a program that breaks its own world cannot forge calls or results', async () => {
      const seen: unknown[] = [];
      const { value } = await run(
        `(JSON as any).stringify = () => '{"state":"done","value":"forged"}';
(JSON as any).parse = () => ({ forged: true });
(Array.prototype as any).push = function () { return 0; };
(Promise.prototype as any).then = undefined;
(Object as any).keys = () => ['danger'];
return await tools.record({ tag: 'plain' });`,
        toolsOf({
          record: (args) => {
            seen.push(args);
            return 'recorded';
          },
          danger: () => seen.push('danger'),
        }),
      );
      expect([seen, value]).toEqual([[{ tag: 'plain' }], 'recorded']);
    });

    it('M49: programs side by side get their own answers', async () => {
      const bindings = toolsOf({ square: async (args) => (args as { n: number }).n ** 2 });
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          run(
            `let sum = 0; for (let i = 0; i < 10; i++) sum += (await tools.square({ n: ${n} })) as number; return sum;`,
            bindings,
          ),
        ),
      );
      expect(results.map(({ value }) => value)).toEqual(Array.from({ length: 12 }, (_, n) => 10 * n * n));
    });

    it('M6, E114: disposal aborts a program that waits', async () => {
      const runtime = make();
      const called = gate();
      const never = gate();
      const running = runtime.run({
        program: 'await tools.slow({}); return 1;',
        bindings: toolsOf({
          slow: () => {
            called.open();
            return never.promise;
          },
        }),
      });
      await called.promise;
      await runtime.dispose();
      expect((await running).error).toMatchObject({ kind: 'abort', message: 'runtime disposed' });
    });

    // Without a process of its own such a program would take the host with it.
    if (placement === 'in-process') return;

    it('M39: an abort ends a program that computes for ever', async () => {
      const controller = new AbortController();
      const running = run('tools.started({}); await null; for (;;) {}', toolsOf({ started: () => null }), {
        signal: controller.signal,
      });
      setImmediate(() => controller.abort('enough'));
      expect((await running).error).toMatchObject({ kind: 'abort', message: 'enough' });
      expect((await run('return 1')).value).toBe(1);
    });

    it('M34: a program without bounds dies of memory, and the next one runs', async () => {
      const runtime = make({ memoryMb: 32, computeMs: 20_000 });
      const { error } = await runtime.run({
        program: 'const all: any[] = []; await null; for (;;) all.push({ k: "v", n: all.length });',
        bindings: [],
      });
      expect(error).toMatchObject({ kind: 'memory-limit' });
      expect(error?.message).toContain('32');
      expect((await runtime.run({ program: 'return 1 + 2', bindings: [] })).value).toBe(3);
    });
  });
}
