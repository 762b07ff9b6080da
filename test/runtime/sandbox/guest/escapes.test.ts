import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

/** Looks for the host through a value's constructors. */
const probe = `const probe = (make) => { try { return typeof make().constructor.constructor('return typeof process === "undefined" ? undefined : process')() } catch { return 'blocked' } };`;

/** Each returns what it found; "object" would be the host's process. */
const probes: readonly (readonly [name: string, body: string])[] = [
  [
    'a caught tool failure',
    `let e; try { await tools.fail({}) } catch (error) { e = error } return [probe(() => e), probe(() => e.toolName), probe(() => e.stack)]`,
  ],
  [
    'a refused call',
    `let e; try { await tools.echo(() => 1) } catch (error) { e = error } return [probe(() => e)]`,
  ],
  [
    'members and console',
    `return [probe(() => tools.echo), probe(() => console.log), probe(() => sdk.search), probe(() => tools.nope)]`,
  ],
  [
    'a borrowed __proto__ getter',
    `const read = ({}).__lookupGetter__?.('__proto__') ?? Object.getPrototypeOf; return [tools.echo, console.log].map((f) => probe(() => ({ constructor: { constructor: read.call(f).constructor } })))`,
  ],
  [
    'a stolen species',
    `const got = []; const p = tools.fail({}); Object.defineProperty(p, 'constructor', { value: { [Symbol.species]: function (start) { start((v) => got.push(v), (e) => got.push(e)) } } }); p.then(() => 0); await tools.echo({}); await tools.echo({}); return got.map((g) => probe(() => g)).concat('none')`,
  ],
  [
    'an error with a symbol for a name',
    `const e = new Error('x'); e.name = Symbol('odd'); try { return [typeof e.stack] } catch (inner) { return [probe(() => inner)] }`,
  ],
  [
    'the frames of a formatter',
    `const seen = []; Error.prepareStackTrace = (e, sites) => { for (const s of sites ?? []) for (const k of ['getThis', 'getFunction', 'getFileName', 'getEvalOrigin']) try { const v = s[k]?.(); if (v !== undefined && v !== null && typeof v !== 'string') seen.push(v) } catch {} return '' };
     try { tools.echo({ get x() { return new Error().stack } }) } catch {} try { await tools.fail({}) } catch (e) { e.stack } new Error().stack; await null; new Error().stack; return seen.filter((v) => v !== globalThis).map((v) => probe(() => v)).concat('none')`,
  ],
  [
    'caller and arguments',
    `const tries = [() => tools.echo.caller, () => tools.echo.arguments, () => (function f() { return f.caller })()]; return tries.map((t) => { try { return probe(() => t()) } catch { return 'blocked' } })`,
  ],
  [
    'indirect eval and Function',
    `return [typeof (0, eval)('this').process, typeof Function('return this')().process, typeof [].constructor.constructor('return this')().process]`,
  ],
  [
    'traps that see the prelude',
    `const seen = []; const spy = new Proxy({}, { get(t, k, r) { seen.push(r); return undefined }, ownKeys() { seen.push(this); return [] }, getPrototypeOf() { seen.push(this); return null } }); try { await tools.echo({ spy }) } catch {} return seen.map((s) => probe(() => s)).concat('none')`,
  ],
  [
    'a thenable argument and a thenable result',
    `const got = []; await tools.echo({ then: (...a) => got.push(...a) }).catch(() => {}); return got.map((g) => probe(() => g)).concat('none')`,
  ],
  [
    'a dynamic import',
    `try { const m = await import('node:process'); return [typeof m] } catch (e) { return [probe(() => e)] }`,
  ],
  [
    'async and generator constructors',
    `const A = (async () => {}).constructor, G = (function* () {}).constructor; return [typeof await A('return typeof process')(), [...G('yield typeof process')()][0]].map((t) => t === 'string' || t === 'undefined' ? 'undefined' : t)`,
  ],
];

describe.each(engines)('ways out of the guest, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const tools = {
    echo: (args: unknown) => args,
    fail: () => {
      throw new Error('boom');
    },
  };

  it.each(probes)('M17, M47, E106: nothing of the host is reached through %s', async (_name, body) => {
    const { value, failure } = await host.run(`${probe}\n${body}`, { tools });
    for (const found of failure === undefined ? (value as string[]) : []) {
      expect(['undefined', 'blocked', 'none', 'string', 'function']).toContain(found);
    }
    if (failure !== undefined) expect(failure.kind).toMatch(/^(?:exception|syntax)$/);
    expect((await host.run('return await tools.echo({ a: 1 })', { tools })).value).toEqual({ a: 1 });
  });

  it('M47: an error whose traps throw while arguments are read is a failure of that call only', async () => {
    const program = `const bomb = new Proxy({}, { getPrototypeOf() { throw (f) => f }, get() { throw new Error('get trap') } });
      let first = 'resolved';
      try { await tools.echo({ get field() { throw bomb } }) } catch { first = 'rejected' }
      return { first, after: await tools.echo({ a: 3 }) }`;
    expect((await host.run(program, { tools })).value).toEqual({ first: 'rejected', after: { a: 3 } });
  });

  it('M49: what a program says cannot be taken for what the prelude says', async () => {
    const program = `console.log('W{"state":"done","value":"forged"}\\n'); console.log(']'); return 'F{"kind":"exception"}'`;
    const { value, logs } = await host.run(program);
    expect(value).toBe('F{"kind":"exception"}');
    expect(logs).toEqual(['W{"state":"done","value":"forged"}\n', ']']);
  });

  it('the name of a function cannot forge the place of a call', async () => {
    const program = `const f = { ['program.ts:9:9],"x":[1']: () => tools.echo({}) }; await Object.values(f)[0](); return 1`;
    const { value, calls } = await host.run(program, { tools });
    expect(value).toBe(1);
    expect(calls[0]![4]?.position?.[0] ?? 1).toBeLessThan(10);
  });
});
