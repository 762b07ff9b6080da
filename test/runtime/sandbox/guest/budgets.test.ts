import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost, HANG } from './guest-host.ts';

const LOOP = 'for (;;) {}';

/** Programs that compute without end, each in another place. */
const loops: readonly (readonly [name: string, program: string])[] = [
  ['the body', LOOP],
  ['a promise job', `Promise.resolve().then(() => { ${LOOP} }); return await new Promise(() => {})`],
  ['what follows a call', `await tools.echo({}); ${LOOP}`],
  ['what follows a failed call', `try { await tools.fail({}) } catch { ${LOOP} }`],
  ['a timer', `setTimeout(() => { ${LOOP} }, 1); await new Promise(() => {})`],
  ['a flood of promise jobs', 'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})'],
  ['a regular expression', "return /^(a+)+$/.test('a'.repeat(40) + 'b')"],
  ['catch and finally', `for (;;) { try { ${LOOP} } catch {} finally { continue } }`],
  [
    'a swallowed interrupt in a job',
    'const busy = async (n) => { await null; while (n >= 0) n++ }; for (;;) { try { await busy(0) } catch {} }',
  ],
  [
    'a generator that will not end',
    `function* g() { try { for (;;) yield 1 } finally { ${LOOP} } } for (const x of g()) break;`,
  ],
  ['a getter of the value', `return { get a() { ${LOOP} } }`],
  ['toJSON of the value', `return { toJSON() { ${LOOP} } }`],
  ['a trap of the value', `return new Proxy({}, { ownKeys() { ${LOOP} } })`],
  ['a trap of an argument', `await tools.echo(new Proxy({}, { ownKeys() { ${LOOP} } }))`],
  [
    'the message of the error',
    `throw Object.defineProperty(new Error('x'), 'message', { get() { ${LOOP} } })`,
  ],
  ['the stack of the error', `throw Object.defineProperty(new Error('x'), 'stack', { get() { ${LOOP} } })`],
  ['traps of what is thrown', `throw new Proxy(new Error('x'), { get() { ${LOOP} } })`],
  ['what the log shows', `console.log(new Proxy({}, { ownKeys() { ${LOOP} } }))`],
  [
    'a formatter of stacks',
    `Error.prepareStackTrace = () => { ${LOOP} }; await tools.echo({}); String(new Error('x').stack); ${LOOP}`,
  ],
  [
    'a listener of a signal',
    `const c = new AbortController(); c.signal.onabort = () => { ${LOOP} }; c.abort()`,
  ],
];

describe.each(engines)('budgets of a program, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const tools = {
    echo: (args: unknown) => args,
    hang: () => HANG,
    fail: () => {
      throw new Error('boom');
    },
  };

  it.each(loops)(
    'M36, M30: an endless loop in %s ends by the compute budget, and the next program runs',
    async (_name, program) => {
      const { failure } = await host.run(program, { tools, limits: { computeMs: 250 } });
      expect(failure).toMatchObject({
        kind: 'timeout',
        budget: 'compute',
        limit: 250,
        message: 'The program was busy for longer than its compute budget of 250 ms',
      });
      expect((await host.run('return 1')).value).toBe(1);
    },
  );

  it('M36: once the budget has ended nothing more of the program is heard', async () => {
    const program = `console.log('before'); queueMicrotask(() => console.log('a job'));
      Promise.resolve().then(() => console.log('another job'));
      try { ${LOOP} } catch { console.log('a catch') } finally { console.log('a finally'); tools.echo({}) }`;
    const { logs, failure, calls, frames } = await host.run(program, { tools, limits: { computeMs: 250 } });
    expect(failure?.kind).toBe('timeout');
    expect(logs).toEqual(['before']);
    expect(calls).toEqual([]);
    expect(frames.map(([name]) => name)).toEqual(['log', 'end']);
  });

  it('M36: jobs that are left when the budget ends are never run, however long they would take', async () => {
    const program = `Promise.resolve().then(() => { ${LOOP} }); queueMicrotask(() => { ${LOOP} }); for (let i = 0; i < 120; i++) console.log(i); ${LOOP}`;
    const { failure, logs } = await host.run(program, { limits: { computeMs: 250 } });
    expect(failure?.kind).toBe('timeout');
    expect(logs).toHaveLength(120);
  });

  it('M36, E96: computing counts over all turns, beside a call that is pending', async () => {
    const program = `void tools.hang({}); for (;;) { const end = Date.now() + 10; while (Date.now() < end); await tools.echo({}) }`;
    const { failure, calls } = await host.run(program, { tools, limits: { computeMs: 300 } });
    expect(failure).toMatchObject({ kind: 'timeout', budget: 'compute', limit: 300 });
    expect(failure!.used).toBeGreaterThanOrEqual(300);
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.length).toBeLessThan(200);
  });

  it('M36, E97: a budget that is spent between entries ends the run before the next one', async () => {
    const program = `const end = Date.now() + 190; while (Date.now() < end); await tools.echo({}); const more = Date.now() + 190; while (Date.now() < more); await tools.echo({}); console.log('after'); ${LOOP}`;
    const { failure } = await host.run(program, { tools, limits: { computeMs: 200 } });
    expect(failure?.kind).toBe('timeout');
  });

  it.each([
    ['objects', 'const kept = []; for (;;) kept.push({ n: kept.length })'],
    ['objects after a call', 'await tools.echo({}); const kept = []; for (;;) kept.push({ a: kept.length })'],
    ['objects in a job', 'const kept = []; await null; for (;;) kept.push({ k: "v" })'],
    ['text', "const kept = []; for (let i = 0; ; i++) kept.push(String(i).padEnd(1024 * 1024, 'z'))"],
  ])(
    'M34, M41: memory that runs out by %s is told as such, and the next program runs',
    async (_name, program) => {
      const { failure, hasValue, frames } = await host.run(program, { tools, limits: { memoryMb: 32 } });
      expect(failure).toMatchObject({
        kind: 'memory-limit',
        limit: 32,
        message: expect.stringContaining('32 MiB'),
      });
      expect(hasValue).toBe(false);
      const { computeMs } = JSON.parse(frames.at(-1)![1]) as { computeMs: number };
      expect(computeMs).toBeGreaterThan(1);
      expect((await host.run('return await tools.echo({ a: 3 })', { tools })).value).toEqual({ a: 3 });
    },
  );

  it('M34: an allocation that the engine refuses with an error of the language stays an exception', async () => {
    const { failure } = await host.run('return new ArrayBuffer(1e15).byteLength');
    expect(failure).toMatchObject({ kind: 'exception', message: expect.stringContaining('RangeError') });
  });
});
