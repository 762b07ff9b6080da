import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

/** A program, whether a rejection in it is unhandled, and whether an engine without a report of its own can tell. */
type Sample = readonly [name: string, program: string, unhandled: boolean, seenWithoutReport?: boolean];

const later = 'await tools.echo({}); await tools.echo({});';

const samples: readonly Sample[] = [
  ['a call that nobody looks at', `tools.fail({}); ${later} return 1`, true, true],
  ['a call with a catch', `tools.fail({}).catch(() => {}); ${later} return 1`, false],
  [
    'a call that is awaited later',
    `const p = tools.fail({}); ${later} try { await p } catch {} return 1`,
    false,
  ],
  ['a call that is caught later', `const p = tools.fail({}); ${later} p.catch(() => {}); return 1`, false],
  [
    'calls that are settled later',
    `const p = [tools.fail({}), tools.fail({})]; ${later} await Promise.allSettled(p); return 1`,
    false,
  ],
  ['a call with then only', `tools.fail({}).then(() => 1); ${later} return 1`, true],
  ['a call with finally only', `tools.fail({}).finally(() => {}); ${later} return 1`, true],
  ['a floating async helper', `const f = async () => { await tools.fail({}) }; f(); ${later} return 1`, true],
  [
    'a floating helper that is caught',
    `const f = async () => { await tools.fail({}) }; f().catch(() => {}); ${later} return 1`,
    false,
  ],
  ['an async forEach', `[1, 2].forEach(async () => { await tools.fail({}) }); ${later} return 1`, true],
  [
    'started calls, awaited one by one',
    `const ps = [1, 2, 3].map(() => tools.fail({})); let n = 0; for (const p of ps) { try { await p } catch { n++ } } return n`,
    false,
  ],
  [
    'a helper awaited later',
    `const p = (async () => { throw new Error('x') })(); ${later} await p.catch(() => {}); return 1`,
    false,
  ],
  ['a plain async throw', `(async () => { throw new Error('x') })(); ${later} return 1`, true],
  [
    'an async timer callback',
    `setTimeout(async () => { await tools.fail({}) }, 1); await new Promise((r) => setTimeout(r, 9)); ${later} return 1`,
    true,
    true,
  ],
  [
    'a timer callback that throws',
    `setTimeout(() => { throw new Error('x') }, 1); await new Promise((r) => setTimeout(r, 9)); return 1`,
    true,
    true,
  ],
  [
    'a microtask that throws',
    `queueMicrotask(() => { throw new Error('x') }); ${later} return 1`,
    true,
    true,
  ],
  [
    'an async microtask',
    `queueMicrotask(async () => { throw new Error('x') }); ${later} return 1`,
    true,
    true,
  ],
  [
    'a promise that a timer callback returns, handled elsewhere',
    `let q; setTimeout(() => q = tools.fail({}), 1); await new Promise((r) => setTimeout(r, 9)); try { await q } catch {} return 1`,
    false,
  ],
  ['Promise.reject that nobody looks at', `Promise.reject(new Error('x')); ${later} return 1`, true],
  [
    'Promise.reject that is caught late',
    `const p = Promise.reject(new Error('x')); ${later} await p.catch(() => {}); return 1`,
    false,
  ],
  [
    'the losers of Promise.all',
    `try { await Promise.all([tools.fail({}), tools.echo({}).then(() => tools.fail({}))]) } catch {} ${later} return 1`,
    false,
  ],
  [
    'the losers of a race',
    `await Promise.race([tools.echo({}), tools.fail({})]).catch(() => {}); ${later} return 1`,
    false,
  ],
  [
    'two failures, one handled late',
    `const a = tools.fail({ n: 1 }); tools.fail({ n: 2 }); ${later} try { await a } catch {} return 1`,
    true,
    true,
  ],
  [
    'an abandoned generator',
    `async function* g() { yield tools.fail({}) } g().next(); ${later} return 1`,
    true,
  ],
  [
    'a thenable resolved with a failing call',
    `const p = Promise.resolve(tools.fail({})); ${later} try { await p } catch {} return 1`,
    false,
  ],
  ['a call returned by the body', 'try { return await tools.fail({}) } catch { return 1 }', false],
  ['an unknown tool that nobody awaits', `tools.nope({}); ${later} return 1`, true, true],
  ['a refused argument that nobody awaits', `tools.echo(5); ${later} return 1`, true, true],
  ['a refused argument that is caught', `tools.echo(5).catch(() => {}); ${later} return 1`, false],
  [
    'a reason that is no error',
    `Promise.reject({ a: 1 }); Promise.reject('text').catch(() => {}); ${later} return 1`,
    true,
  ],
  [
    'reasons that are no errors, all handled late',
    `const p = [{ a: 1 }, 'text', undefined, 5, null, Symbol('s')].map((r) => Promise.reject(r)); ${later} await Promise.allSettled(p); return 1`,
    false,
  ],
];

describe.each(engines)('rejections that nobody handles, %s', (engine) => {
  let host: GuestHost;
  const reports = engine === 'isolated-vm';
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const tools = {
    echo: (args: unknown) => args,
    fail: ({ n = 0 }) => {
      throw new Error(`boom ${n}`);
    },
  };
  const run = (program: string) => host.run(program, { tools });

  it.each(samples.map(([name, ...sample]) => ({ name, sample })))('M33, M32: $name', async ({ sample }) => {
    const [program, unhandled, seenWithoutReport = false] = sample;
    const { failure, hasValue } = await run(program);
    const told = unhandled && (reports || seenWithoutReport);
    expect(failure?.kind).toBe(told ? 'exception' : undefined);
    expect(hasValue).toBe(!told);
  });

  it('M33: of 1,500 failures that are all handled late but one, that one is told', async () => {
    const program = `const all = Array.from({ length: 1500 }, (_, n) => tools.fail({ n })); ${later} for (let i = 0; i < 1500; i++) if (i !== 1400) try { await all[i] } catch {}
      return 1`;
    const { failure } = await run(program);
    expect(failure?.message.split('\n')[0]).toBe('ToolCallError: boom 1400');
  });

  it('M33: 20,000 rejections that are handled late are no failure, and take little memory', async () => {
    const program = `const first = Promise.reject(new Error('first')); ${later} first.catch(() => {});
      const all = Array.from({ length: 20_000 }, async (_, n) => { throw new Error('number ' + n) }); ${later}
      let n = 0; for (const one of all) { try { await one } catch { n++ } }
      return n`;
    const { value, failure } = await host.run(program, { tools, limits: { memoryMb: 32 } });
    expect([value, failure]).toEqual([20_000, undefined]);
  });

  it('M33: the failure is the reason of the first one, at its place, even though the body returned', async () => {
    const { failure } = await run(`const a = 1;\ntools.fail({ n: 7 });\n${later}\nreturn a`);
    expect(failure?.message.split('\n')[0]).toBe('ToolCallError: boom 7');
    expect(failure?.position).toMatchObject({ line: 2 });
  });

  it('M14, M33: its place is found behind a long message, and never read from one', async () => {
    for (const message of ["'x'.repeat(50000)", "'x\\n    at program.ts:1:1'"]) {
      const { failure } = await run(
        `const a = 1;\nPromise.reject(new Error(${message}));\n${later}\nreturn a`,
      );
      expect([message, failure?.position?.line]).toEqual([message, reports ? 2 : undefined]);
    }
  });

  it('M33: the error that the body threw itself wins', async () => {
    const { failure } = await run(`tools.fail({}); ${later} throw new Error('the body')`);
    expect(failure?.message.split('\n')[0]).toBe('Error: the body');
  });

  it('M33, M35: a rejection explains a program that is stuck better than the standstill does', async () => {
    const { failure } = await run(`tools.fail({}); ${later} await new Promise(() => {})`);
    expect(failure).toMatchObject({ kind: 'exception', message: expect.stringContaining('boom') });
  });

  it('M32: promises that have not rejected when the body returns are discarded', async () => {
    const { value, failure } = await run('new Promise(() => {}); void tools.fail({}); return 1');
    expect([value, failure]).toEqual([1, undefined]);
  });

  it('the constructor of a promise stays what it is, before and after a rejection that nobody handled', async () => {
    const program = `const look = () => [Promise.resolve().constructor === Promise, Promise.prototype.constructor === Promise, tools.echo({}).constructor === Promise];
      const before = look(); const own = Object.getOwnPropertyDescriptor(Promise.prototype, 'constructor');
      const p = tools.fail({}); ${later}
      const after = look(); try { await p } catch {}
      class Mine extends Promise {}
      return [before, after, own.writable, own.enumerable, Mine.resolve(1) instanceof Mine, Mine.resolve(1).then(() => {}) instanceof Mine]`;
    expect((await run(program)).value).toEqual([
      [true, true, true],
      [true, true, true],
      true,
      false,
      true,
      true,
    ]);
  });
});
