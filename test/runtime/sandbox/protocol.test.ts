import { describe, expect, it } from 'vitest';
import { PeerFrame, type PeerFrameType } from '#dist/runtime/sandbox/wire.js';
import { flush } from '../../support/gate.ts';
import { type ScriptedRun, scriptedRun, toolsOf } from './scripted-run.ts';

const waiting = { state: 'waiting' } as const;
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Plays one frame to a fresh run with one tool; tells how it ended and how often the tool was called. */
async function play(frames: (run: ScriptedRun) => void, options = {}) {
  let invoked = 0;
  const run = scriptedRun({
    bindings: [
      ...toolsOf({
        echo: (args) => {
          invoked += 1;
          return args;
        },
      }),
      { global: 'sdk', functions: { search: () => [] }, argumentStyle: 'list' },
    ],
    options: { maxDepth: 50, maxPendingCalls: 3, maxCalls: 4, maxTimers: 2, ...options },
  });
  frames(run);
  await flush();
  run.session.abort('still running');
  const { error, value } = await run.result;
  return { kind: error?.kind, message: error?.message, invoked, left: run.line.left, value };
}

const raw =
  (body: string, costs = '1 1') =>
  (run: ScriptedRun) =>
    run.answer(PeerFrame.turn, `${costs}\n${body}`);
const turn = (extra: object) => (run: ScriptedRun) => run.turn({ ...waiting, ...extra });
const call = (...parts: unknown[]) => turn({ calls: [parts] });
const frame = (type: number, payload: Buffer | string) => (run: ScriptedRun) =>
  run.answer(type as PeerFrameType, payload);

const end = (failure: unknown, costs: object = { computeMs: 0, heapBytes: 0 }) =>
  frame(PeerFrame.end, JSON.stringify({ failure, ...costs }));

const FORGED: readonly (readonly [string, (run: ScriptedRun) => void])[] = [
  ['a turn without costs', raw('{"state":"done"}', '')],
  ['a turn with negative costs', raw('{"state":"done"}', '-1 0')],
  ['a turn with endless costs', raw('{"state":"done"}', '1e999 0')],
  ['a turn that is no JSON', raw('{"state":')],
  ['a turn that is a list', raw('[]')],
  ['a turn that is null', raw('null')],
  ['an empty payload', frame(PeerFrame.turn, '')],
  ['no UTF-8', frame(PeerFrame.turn, Buffer.from('1 1\n{"state":"done","value":"\xff"}', 'latin1'))],
  ['a turn without a state', raw('{}')],
  ['a turn of an unknown state', raw('{"state":"finished"}')],
  ['an inherited state', raw('{"__proto__":{"state":"done"}}')],
  ['a turn with an unknown key', raw('{"state":"done","error":"x"}')],
  ['a completion with value and error', raw('{"state":"done","value":1,"failure":{"kind":"exception"}}')],
  ['a value without a completion', raw('{"state":"waiting","value":1}')],
  ['a note that is no text', raw('{"state":"done","note":{}}')],
  ['a value that is minus zero', raw('{"state":"done","value":-0}')],
  ['a value that is infinite', raw('{"state":"done","value":[1e999]}')],
  ['a completion that is too deep', raw(`{"state":"done","value":${deep(60)}}`)],
  ['a completion that would exhaust the stack', raw(`{"state":"done","value":${deep(500_000)}}`)],
  ['calls that are no list', turn({ calls: { 0: [1, 0, 0, {}], length: 1 } })],
  ['a call that is no list', turn({ calls: [{ id: 1 }] })],
  ['a call without arguments', call(1, 0, 0)],
  ['a call with too much', call(1, 0, 0, {}, {}, {})],
  ['a first call that is not number 1', call(2, 0, 0, {})],
  ['a call number 0', call(0, 0, 0, {})],
  ['a call number that is text', call('1', 0, 0, {})],
  [
    'the same call twice',
    turn({
      calls: [
        [1, 0, 0, {}],
        [1, 0, 0, {}],
      ],
    }),
  ],
  [
    'calls out of order',
    turn({
      calls: [
        [1, 0, 0, {}],
        [3, 0, 0, {}],
        [2, 0, 0, {}],
      ],
    }),
  ],
  ['a namespace that was not declared', call(1, 7, 0, {})],
  ['a negative namespace', call(1, -1, 0, {})],
  ['a member that was not declared', call(1, 0, 1, {})],
  ['a member by the name of a prototype', call(1, 0, 'constructor', {})],
  ['a namespace by the name of a prototype', call(1, '__proto__', 0, {})],
  ['a member that is a fraction', call(1, 0, 0.5, {})],
  ['arguments that are no object', call(1, 0, 0, 'x')],
  ['arguments that are null', call(1, 0, 0, null)],
  ['arguments that are a list where an object is wanted', call(1, 0, 0, [])],
  ['arguments that are an object where a list is wanted', call(1, 1, 0, {})],
  ['arguments with minus zero', raw('{"state":"waiting","calls":[[1,0,0,{"a":-0}]]}')],
  ['a position of the wrong shape', call(1, 0, 0, {}, { position: [1] })],
  ['a place that is no text', call(1, 0, 0, {}, { at: [1, 2] })],
  ['a position at line 0', call(1, 0, 0, {}, { position: [0, 1] })],
  ['a signal that is no mark', call(1, 0, 0, {}, { signal: true })],
  ['a deadline that is negative', call(1, 0, 0, {}, { timeoutMs: -1 })],
  ['an extra that nobody knows', call(1, 0, 0, {}, { token: 'x' })],
  ['more calls in flight than may be', turn({ calls: [1, 2, 3, 4].map((id) => [id, 0, 0, {}]) })],
  ['a call given up that was never made', turn({ cancels: [[1, 'x']] })],
  ['a call given up without a reason', turn({ calls: [[1, 0, 0, {}]], cancels: [[1]] })],
  ['timers that are no list', turn({ timers: 1 })],
  ['a timer out of order', turn({ timers: [[2, 1]] })],
  ['a timer without a delay', turn({ timers: [[1]] })],
  ['a timer in the past', turn({ timers: [[1, -1]] })],
  ['a timer that no host timer can hold', turn({ timers: [[1, 2_147_483_648]] })],
  [
    'more timers than may be',
    turn({
      timers: [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
    }),
  ],
  ['a cleared timer that was never armed', turn({ clears: [1] })],
  ['an end that is no JSON', frame(PeerFrame.end, '{')],
  ['an end without costs', end({ kind: 'exception', message: 'x' }, {})],
  ['an end without a failure', end(undefined)],
  ['an end of a kind that only the host may say', end({ kind: 'abort', message: 'x' })],
  ['an end of a kind by the name of a prototype', end({ kind: 'constructor', message: 'x' })],
  ['an end without a message', end({ kind: 'exception' })],
  ['an end with a value', end({ kind: 'exception', message: 'x' }, { computeMs: 0, heapBytes: 0, value: 1 })],
  ['a log that is no JSON', frame(PeerFrame.log, '[')],
  ['a log that is no list', frame(PeerFrame.log, '"x"')],
  ['a log of things that are no text', frame(PeerFrame.log, '["a",1]')],
  ['a log that is no UTF-8', frame(PeerFrame.log, Buffer.from([0x5b, 0xff, 0x5d]))],
  ['a second ready', frame(PeerFrame.ready, '{"wire":1}')],
  ['a stop that nobody asked for', frame(PeerFrame.stopped, '')],
  ['a preparation that nobody asked for', frame(PeerFrame.prepared, '{}')],
  ['a frame type that does not exist', frame(99, '')],
];

describe('a peer that breaks the protocol', () => {
  it.each(FORGED)(
    'M44, M49, M50, M53, E106: %s fails the run, and no binding is invoked',
    async (_, frames) => {
      const { kind, invoked, left, value } = await play(frames);
      expect({ kind, invoked, left, value }).toEqual({
        kind: 'protocol',
        invoked: 0,
        left: 'broken',
        value: undefined,
      });
    },
  );

  it('M50: an answer beyond those that were asked for fails the run', async () => {
    const { kind, invoked } = await play((run) => {
      run.turn({ ...waiting, timers: [[1, 1000]] });
      run.turn({ ...waiting, calls: [[1, 0, 0, {}]] });
    });
    expect([kind, invoked]).toEqual(['protocol', 0]);
  });

  it('M28: the call over the number of calls of a run fails it, since its guest should have refused it', async () => {
    const { kind, invoked, message } = await play(
      turn({ calls: [1, 2, 3, 4, 5].map((id) => [id, 0, 0, {}]) }),
      { maxPendingCalls: 10 },
    );
    expect([kind, invoked]).toEqual(['protocol', 0]);
    expect(message).toContain('more than 4 calls');
  });

  it('M49: calls of a turn with a flaw anywhere are not invoked', async () => {
    const { kind, invoked } = await play(turn({ calls: [[1, 0, 0, {}]], timers: [[5, 1]] }));
    expect([kind, invoked]).toEqual(['protocol', 0]);
  });

  it('M49: an own key called __proto__ is data like any other', async () => {
    const seen: unknown[] = [];
    const run = scriptedRun({
      bindings: toolsOf({
        echo: (args) => {
          seen.push(JSON.stringify(args));
          return 1;
        },
      }),
    });
    run.answer(PeerFrame.turn, '0 0\n{"state":"waiting","calls":[[1,0,0,{"__proto__":{"polluted":1}}]]}');
    await flush();
    run.turn({ state: 'done' });
    await run.result;
    expect([seen, Object.hasOwn(Object.prototype, 'polluted')]).toEqual([
      ['{"__proto__":{"polluted":1}}'],
      false,
    ]);
  });

  it('M44: negative numbers, exponents and dates in text are no reason to refuse a call', async () => {
    const args = { a: -0.5, b: 1e21, c: '-0', d: '2024-01-05', e: -1e-7 };
    const { kind, invoked } = await play(call(1, 0, 0, args));
    expect([kind, invoked]).toEqual(['abort', 1]);
  });
});
