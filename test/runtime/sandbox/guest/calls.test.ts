import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostFrame } from '#dist/runtime/sandbox/wire.js';
import { engines, GuestHost, HANG } from './guest-host.ts';

const badOptions: readonly (readonly [string, string])[] = [
  ['5', 'its second argument is for options, { timeoutMs, signal }: received 5'],
  ['null', 'its second argument is for options, { timeoutMs, signal }: received null'],
  ['{ timeoutMs: 0 }', 'timeoutMs must be a positive number of milliseconds up to 2147483647, received 0'],
  [
    '{ timeoutMs: Infinity }',
    'timeoutMs must be a positive number of milliseconds up to 2147483647, received Infinity',
  ],
  ['{ signal: {} }', 'signal must be an AbortSignal'],
  [
    '{ b: 2 }',
    'a call has no option "b": the options are timeoutMs and signal, everything else belongs into the one arguments object',
  ],
  ['{ get timeoutMs() { throw 1 } }', 'its options cannot be read: 1'],
];

describe.each(engines)('calls of a program, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const echo = (args: unknown) => args;
  const hang = () => HANG;

  it('ids count from 1 over the whole run, and all calls of one turn come in one frame', async () => {
    const program = `const first = await Promise.all([tools.echo({ n: 1 }), tools.echo({ n: 2 })]);
      return [first, await tools.echo({ n: 3 })]`;
    const { value, turns } = await host.run(program, { tools: { echo } });
    expect(value).toEqual([[{ n: 1 }, { n: 2 }], { n: 3 }]);
    expect(turns.map((turn) => (turn.calls ?? []).map(([id]) => id))).toEqual([[1, 2], [3], []]);
  });

  it('arguments are taken at the call: what the program changes later does not cross', async () => {
    const program = `const args = { n: 1 }; const p = tools.echo(args); args.n = 2; return (await p).n`;
    expect((await host.run(program, { tools: { echo } })).value).toBe(1);
  });

  it('M28: more calls than may be pending wait in the guest, in order', async () => {
    const program =
      'return (await Promise.all([...Array(7).keys()].map((n) => tools.echo({ n })))).map((r) => r.n)';
    const { value, turns } = await host.run(program, { tools: { echo }, limits: { maxPendingCalls: 3 } });
    expect(value).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(turns.map((turn) => (turn.calls ?? []).map(([, , , args]) => (args as { n: number }).n))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6],
      [],
    ]);
  });

  it('M28: a turn carries as many bytes of arguments as it may, and one call at least', async () => {
    const program =
      "await Promise.all([...Array(4).keys()].map((n) => tools.echo({ n, s: 'x'.repeat(500) }))); return 1";
    const { turns } = await host.run(program, { tools: { echo }, limits: { maxQueuedBytes: 4000 } });
    expect(turns.map((turn) => turn.calls?.length ?? 0)).toEqual([2, 2, 0]);
    const narrow = await host.run(program, { tools: { echo }, limits: { maxQueuedBytes: 10 } });
    expect(narrow.turns.map((turn) => turn.calls?.length ?? 0)).toEqual([1, 1, 1, 1, 0]);
  });

  it('M28: the call over the limit of the run rejects with the class of the namespace and names the limit', async () => {
    const program = `const out = [];
      for (let i = 0; i < 4; i++) try { await tools.echo({ i }); out.push(i) } catch (e) { out.push([e instanceof ToolCallError, e.message]) }
      return out`;
    const { value, calls } = await host.run(program, { tools: { echo }, limits: { maxCalls: 3 } });
    expect(value).toEqual([
      0,
      1,
      2,
      [true, 'Cannot call "tools.echo": this run has made 3 calls, which is its limit'],
    ]);
    expect(calls).toHaveLength(3);
  });

  it('M28: arguments larger than a message are refused at the exact byte, multibyte characters counted', async () => {
    const overhead = '{"s":""}'.length;
    const program = (count: number) =>
      `try { await tools.echo({ s: 'ä'.repeat(${count}) }); return 'sent' } catch (e) { return e.message }`;
    const maxMessageBytes = 2000 + overhead;
    const limits = { maxMessageBytes };
    expect((await host.run(program(1000), { tools: { echo }, limits })).value).toBe('sent');
    expect((await host.run(program(1001), { tools: { echo }, limits })).value).toBe(
      `Cannot call "tools.echo": its arguments are larger than ${maxMessageBytes} bytes of JSON`,
    );
    expect((await host.run(program(4000), { tools: { echo }, limits })).value).toBe(
      `Cannot call "tools.echo": args is larger than ${maxMessageBytes} bytes of JSON`,
    );
  });

  it('each call carries its place in the text of the model', async () => {
    const program = `const near = await tools.echo({ n: 1 });
async function inner() {
  return await tools.echo({ n: 2 });
}
await inner();
await Promise.all([1, 2].map((n) =>
  tools.echo({ n })));
return sdk.call('echo', {})`;
    const { calls } = await host.run(program, { tools: { echo } });
    const places = calls.map(
      ([, , , , extra]) =>
        extra?.position ??
        /^(\d+):(\d+)/
          .exec(extra?.at ?? '')
          ?.slice(1)
          .map(Number),
    );
    expect(places.map((place) => place?.[0])).toEqual([1, 3, 7, 7, 8]);
    const lines = program.split('\n');
    for (const [line, column] of places as [number, number][]) {
      const text = lines[line - 1]!;
      const start = text.search(/tools|sdk/);
      expect(column).toBeGreaterThanOrEqual(start + 1);
      expect(column).toBeLessThanOrEqual(text.length);
    }
  });

  it('a deadline of its own rejects a call at once and has the host give it up', async () => {
    const program = `try { await tools.hang({}, { timeoutMs: 50 }) } catch (e) { return [e instanceof ToolCallError, e.code, e.message, e.toolName] }`;
    const { value, turns, calls } = await host.run(program, { tools: { hang } });
    expect(value).toEqual([true, 'TOOL_TIMEOUT', 'No answer within 50 ms', 'hang']);
    expect(calls[0]![4]).toMatchObject({ timeoutMs: 50 });
    expect(turns[0]!.timers).toEqual([[1, 50]]);
    expect(turns.at(-1)).toMatchObject({ cancels: [[1, 'No answer within 50 ms']] });
  });

  it('an answer in time clears the deadline', async () => {
    const { value, turns } = await host.run('return await tools.echo({ a: 1 }, { timeoutMs: 50 })', {
      tools: { echo },
    });
    expect(value).toEqual({ a: 1 });
    expect(turns.at(-1)!.clears).toEqual([1]);
  });

  it('a signal gives up the calls that are in flight, keeps its reason as the cause, and refuses later ones unsent', async () => {
    const program = `const c = new AbortController(); const out = [];
      const p = Promise.allSettled([tools.hang({}, { signal: c.signal }), tools.echo({}, { signal: c.signal }), tools.hang({}, { signal: c.signal })]);
      await tools.echo({}); c.abort(new RangeError('enough'));
      for (const r of await p) out.push(r.status === 'fulfilled' ? 'ok' : [r.reason.code, r.reason.message, r.reason.cause.name]);
      try { await tools.echo({}, { signal: c.signal }) } catch (e) { out.push([e.code, e.message]) }
      return out`;
    const { value, turns, calls } = await host.run(program, { tools: { hang, echo } });
    const given = ['ABORTED', 'The call was given up: RangeError: enough', 'RangeError'];
    expect(value).toEqual([
      given,
      'ok',
      given,
      ['ABORTED', 'Cannot call "tools.echo": its signal is aborted already: RangeError: enough'],
    ]);
    expect(turns.at(-1)!.cancels?.map(([id]) => id)).toEqual([1, 3]);
    expect(calls).toHaveLength(4);
    expect(calls[0]![4]).toMatchObject({ signal: 1 });
  });

  it('a call that is given up before it was sent is never sent, and makes room for the next', async () => {
    const program = `const c = new AbortController();
      const first = tools.hang({ n: 1 }, { signal: c.signal }); const queued = tools.hang({ n: 2 }, { signal: c.signal }); const later = tools.echo({ n: 3 });
      first.catch(() => {}); queued.catch(() => {});
      setTimeout(() => c.abort(), 5);
      return (await later).n`;
    const { value, calls } = await host.run(program, {
      tools: { hang, echo },
      limits: { maxPendingCalls: 1 },
    });
    expect(value).toBe(3);
    expect(calls.map(([id, , , args]) => [id, (args as { n: number }).n])).toEqual([
      [1, 1],
      [2, 3],
    ]);
  });

  it.each(badOptions)(
    'options that mean nothing are refused and nothing is sent: %s',
    async (options, problem) => {
      const program = `try { await tools.echo({}, ${options}); return 'sent' } catch (e) { return [e.code, e.message] }`;
      const { value, calls } = await host.run(program, { tools: { echo } });
      expect(value).toEqual(['INVALID_ARGS', `Cannot call "tools.echo": ${problem}`]);
      expect(calls).toEqual([]);
    },
  );

  it('C38: results are told one by one: a race is won by the one that comes first', async () => {
    const program = `const t = (n) => tools.echo({ n }).then((r) => r.n); return await Promise.race([t(1), t(2), t(3)])`;
    expect((await host.run(program, { tools: { echo }, reverse: true })).value).toBe(3);
  });

  it('a result for a call that is not open is ignored', async () => {
    const id = 5000;
    const payload = host.startPayload('return [await tools.echo({}), await tools.echo({})]', {
      tools: { echo },
    });
    await host.exchange(HostFrame.start, id, payload);
    await host.exchange(HostFrame.deliver, id, '[[7,0,"no"],[1,0,"one"]]');
    const last = await host.exchange(HostFrame.deliver, id, '[[1,0,"again"],[2,0,"two"]]');
    expect(last.map(([, , text]) => text.split('\n')[1])).toEqual(['{"state":"done","value":["one","two"]}']);
  });

  it('C62: calls that nobody awaited come with the end, as never started', async () => {
    const { turns, value } = await host.run('void tools.echo({ late: 1 }); return 1', { tools: { echo } });
    expect(value).toBe(1);
    expect(turns).toHaveLength(1);
    expect(turns[0]!.calls?.map((call) => call[3])).toEqual([{ late: 1 }]);
  });
});
