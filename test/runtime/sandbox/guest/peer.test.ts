import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPeer } from '#dist/runtime/sandbox/peer.js';
import type { EndPayload } from '#dist/runtime/sandbox/wire.js';
import { HostFrame, PeerFrame } from '#dist/runtime/sandbox/wire.js';
import { engines, GuestHost } from './guest-host.ts';

describe.each(engines)('the peer, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const echo = (args: unknown) => args;
  const types = (frames: readonly (readonly [number, number, string])[]) =>
    frames.map(([type, run]) => [type, run]);

  it('says ready before anything else, with its engine', () => {
    const [type, run, payload] = host.received[0]!;
    expect([type, run]).toEqual([PeerFrame.ready, 0]);
    expect(JSON.parse(payload)).toEqual({
      wire: 1,
      engine,
      engineVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
      pid: process.pid,
      languageLevel: expect.stringMatching(/^ES20\d\d( without Intl)?$/),
      missingLibraries: expect.arrayContaining(['es2017.sharedmemory']),
    });
  });

  it('rejects, and sends nothing, for an engine that is not there', async () => {
    const sent: unknown[] = [];
    const port = { send: (...frame: unknown[]) => sent.push(frame) };
    await expect(createPeer({ engine: 'none' as never, memoryMb: 8 }, port as never)).rejects.toThrow();
    expect(sent).toEqual([]);
  });

  it('answers every frame with exactly one that is no log', async () => {
    const program = "console.log('a'); console.log('b'); await tools.echo({}); console.log('c'); return 1";
    const { frames } = await host.run(program, { tools: { echo } });
    expect(frames.map(([name]) => name)).toEqual(['log', 'log', 'turn', 'log', 'turn']);
  });

  it('a held run is prepared first and runs when it is told to', async () => {
    const id = 1001;
    const payload = host.startPayload("console.log('ran'); const n: number = 1; return n", {}, true);
    const prepared = await host.exchange(HostFrame.start, id, payload);
    expect(types(prepared)).toEqual([[PeerFrame.prepared, id]]);
    expect(JSON.parse(prepared[0]![2])).toMatchObject({
      typedText: expect.stringContaining('const n: number = 1'),
      form: 'body',
    });
    expect(types(await host.exchange(HostFrame.go, id, ''))).toEqual([
      [PeerFrame.log, id],
      [PeerFrame.turn, id],
    ]);
  });

  it('a text that is no program ends before it is held', async () => {
    const [frame] = await host.exchange(HostFrame.start, 1002, host.startPayload('const = 1', {}, true));
    expect(frame![0]).toBe(PeerFrame.end);
    const { failure, computeMs } = JSON.parse(frame![2]) as EndPayload;
    expect(failure).toMatchObject({
      kind: 'syntax',
      position: { line: 1 },
      frame: expect.stringContaining('> 1 | const = 1'),
    });
    expect(computeMs).toBe(0);
  });

  it('a run that ended, one that never was and one that is stopped answer stopped', async () => {
    const id = 1003;
    await host.exchange(HostFrame.start, id, host.startPayload('return 1'));
    for (const type of [HostFrame.deliver, HostFrame.fire, HostFrame.go, HostFrame.stop]) {
      expect(types(await host.exchange(type, id, '[]'))).toEqual([[PeerFrame.stopped, id]]);
      expect(types(await host.exchange(type, 99_999, '[]'))).toEqual([[PeerFrame.stopped, 99_999]]);
    }
    const open = 1004;
    await host.exchange(
      HostFrame.start,
      open,
      host.startPayload('await tools.echo({})', { tools: { echo } }),
    );
    expect(types(await host.exchange(HostFrame.stop, open, ''))).toEqual([[PeerFrame.stopped, open]]);
    expect(types(await host.exchange(HostFrame.deliver, open, '[[1,0,1]]'))).toEqual([
      [PeerFrame.stopped, open],
    ]);
  });

  it.each([
    ['a start that is no JSON', HostFrame.start, '{'],
    ['a start without limits', HostFrame.start, '{"program":"return 1"}'],
    ['a second start', HostFrame.start, 'again'],
    ['a go for a run that is not held', HostFrame.go, ''],
    ['timers that are no JSON', HostFrame.fire, '{'],
  ])('M53: %s ends that run and throws nothing', async (name, type, payload) => {
    const id = 1100;
    const isOpen = !/no JSON$|without/.test(name) || type === HostFrame.fire;
    if (isOpen)
      await host.exchange(
        HostFrame.start,
        id,
        host.startPayload('await tools.echo({})', { tools: { echo } }),
      );
    const frames = await host.exchange(type, id, payload);
    expect(types(frames)).toEqual([[PeerFrame.end, id]]);
    expect((JSON.parse(frames[0]![2]) as EndPayload).failure.kind).toMatch(/^(?:protocol|sandbox-died)$/);
    expect((await host.run('return 1')).value).toBe(1);
  });

  it('M54: nothing is sent for a run after its end', async () => {
    const id = 1200;
    await host.exchange(
      HostFrame.start,
      id,
      host.startPayload('setTimeout(() => console.log(1), 1); return 1'),
    );
    expect(types(await host.exchange(HostFrame.fire, id, '[1]'))).toEqual([[PeerFrame.stopped, id]]);
  });

  it('several runs live beside one another and do not see one another', async () => {
    const [a, b] = [1301, 1302];
    const program = (n: number) => `globalThis.mine = ${n}; const r = await tools.echo({}); return [mine, r]`;
    await host.exchange(HostFrame.start, a, host.startPayload(program(1), { tools: { echo } }));
    await host.exchange(HostFrame.start, b, host.startPayload(program(2), { tools: { echo } }));
    const last = [
      ...(await host.exchange(HostFrame.deliver, b, '[[1,0,"b"]]')),
      ...(await host.exchange(HostFrame.deliver, a, '[[1,0,"a"]]')),
    ];
    expect(last.map(([type, run, text]) => [type, run, text.split('\n')[1]])).toEqual([
      [PeerFrame.turn, b, '{"state":"done","value":[2,"b"]}'],
      [PeerFrame.turn, a, '{"state":"done","value":[1,"a"]}'],
    ]);
  });

  it('a turn tells the busy time so far, and the end the heap as well', async () => {
    const { frames } = await host.run(
      'let n = 0; for (let i = 0; i < 1e5; i++) n += i; await tools.echo({}); return n',
      { tools: { echo } },
    );
    const heads = frames
      .filter(([name]) => name === 'turn')
      .map(([, text]) => text.split('\n')[0]!.split(' ').map(Number));
    expect(heads).toHaveLength(2);
    expect(heads[0]![0]).toBeGreaterThan(0);
    expect(heads[1]![0]).toBeGreaterThanOrEqual(heads[0]![0]!);
    expect(heads[1]![1]).toBeGreaterThan(100_000);
  });

  it('a peer without spare guests makes one for each run', async () => {
    const bare = await GuestHost.open({ engine, spareGuests: 0 });
    expect((await bare.run('return 1')).value).toBe(1);
    expect((await bare.run('return 2')).value).toBe(2);
    bare.dispose();
  });

  it('a run with another heap than the spare guests have gets a guest of its own', async () => {
    expect((await host.run('return 1', { limits: { memoryMb: 40 } })).value).toBe(1);
  });

  it('spare guests are built again after a run, when the peer is idle', async () => {
    const bare = await GuestHost.open({ engine, spareGuests: 1 });
    for (let i = 0; i < 3; i++) {
      expect((await bare.run(`return ${i}`)).value).toBe(i);
      // Answered at once: the guest was there already.
      bare.peer.receive(HostFrame.start, 5000 + i, bare.startPayload('return 1'));
      expect(bare.received.at(-1)?.slice(0, 2)).toEqual([PeerFrame.turn, 5000 + i]);
      await bare.peer.idle();
    }
    bare.dispose();
  });

  it('a disposed peer has let go of its runs and answers that it knows none', async () => {
    const bare = await GuestHost.open({ engine });
    await bare.exchange(HostFrame.start, 1, bare.startPayload('await tools.echo({})', { tools: { echo } }));
    bare.dispose();
    bare.dispose();
    expect(types(await bare.exchange(HostFrame.deliver, 1, '[[1,0,1]]'))).toEqual([[PeerFrame.stopped, 1]]);
  });
});
