import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeerFrame, type PeerFrameType } from '#dist/runtime/sandbox/wire.js';
import { flush } from '../../support/gate.ts';
import { scriptedRun, toolsOf } from './scripted-run.ts';

const CAP = 400;

/** A conversation that a real guest could hold: prints, calls, sleeps, calls again, returns. */
const REAL: readonly (readonly [PeerFrameType, string])[] = [
  [PeerFrame.log, '["starting","two"]'],
  [
    PeerFrame.turn,
    '1 10\n{"state":"waiting","calls":[[1,0,0,{"a":1},{"position":[1,2]}],[2,0,1,{}]],"timers":[[1,1]]}',
  ],
  [PeerFrame.turn, '2 10\n{"state":"waiting","calls":[[3,0,0,{"b":[1,2,{"c":null}]}]],"clears":[1]}'],
  [PeerFrame.log, '["three"]'],
  [PeerFrame.turn, '3 20\n{"state":"done","value":{"ok":true},"note":"fine"}'],
  [PeerFrame.end, '{"failure":{"kind":"exception","message":"Error: late"},"computeMs":3,"heapBytes":20}'],
];

const frameType = fc.oneof(
  fc.constantFrom(...Object.values(PeerFrame)),
  fc.integer({ min: 0, max: 255 }) as fc.Arbitrary<PeerFrameType>,
);

/** Changes one text here and there: bytes cut out, doubled, replaced by what hurts most. */
const mutation = fc.record({
  frame: fc.nat(),
  at: fc.nat(),
  cut: fc.integer({ min: 0, max: 12 }),
  insert: fc.oneof(
    fc.constantFrom(
      '',
      '-0',
      '1e999',
      '__proto__',
      'null',
      '[',
      '{',
      '"',
      '\\ud800',
      '9007199254740993',
      ',',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  ),
});

const junk = fc.tuple(
  frameType,
  fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => `0 0\n${text}`),
    fc.json(),
    fc.constantFrom(...REAL.map(([, payload]) => payload)),
  ),
);

interface Conversation {
  readonly frames: readonly (readonly [PeerFrameType, Buffer | string])[];
}

const mutated: fc.Arbitrary<Conversation> = fc
  .tuple(
    fc.array(mutation, { minLength: 1, maxLength: 4 }),
    fc.shuffledSubarray(REAL.map((_, index) => index)),
  )
  .map(([mutations, order]) => {
    const frames = (order.length > 3 ? order : REAL.map((_, index) => index)).map(
      (index) => [...REAL[index]!] as [PeerFrameType, string],
    );
    for (const { frame, at, cut, insert } of mutations) {
      const target = frames[frame % frames.length]!;
      const place = at % (target[1].length + 1);
      target[1] = target[1].slice(0, place) + insert + target[1].slice(place + cut);
    }
    return { frames };
  });

const hostile = fc.oneof(
  mutated,
  fc.array(junk, { maxLength: 12 }).map((frames): Conversation => ({ frames })),
);

describe('whatever a peer says', () => {
  it('M49, M50, M53, E106: the host never throws, calls only what was declared, keeps to the ledger, and settles once', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async ({ frames }) => {
        const invoked: unknown[] = [];
        const run = scriptedRun({
          bindings: toolsOf({ echo: (args) => invoked.push(args), none: async () => null }),
          options: { maxOutputBytes: CAP, maxLogEntries: 10, maxCalls: 5, maxPendingCalls: 3 },
        });
        let settled = 0;
        void run.result.finally(() => {
          settled += 1;
        });
        for (const [type, payload] of frames) {
          run.answer(type, payload);
          await flush();
        }
        run.session.abort('the end');
        const { logs, value, error } = await run.result;
        expect(settled).toBe(1);
        expect(invoked.length).toBeLessThanOrEqual(5);
        for (const args of invoked) expect(args).toBeTypeOf('object');
        const said =
          error === undefined
            ? value === undefined
              ? ''
              : JSON.stringify(value)
            : JSON.stringify(error.message);
        expect(Buffer.byteLength(JSON.stringify(logs)) + Buffer.byteLength(said)).toBeLessThanOrEqual(CAP);
        expect(error !== undefined && value !== undefined).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('M49: an untouched conversation is understood', async () => {
    const run = scriptedRun({ bindings: toolsOf({ echo: (args) => args, none: async () => null }) });
    for (const [type, payload] of REAL) {
      run.answer(type, payload);
      await flush();
    }
    const { value, logs, note, error } = await run.result;
    expect({ value, logs, note, error }).toEqual({
      value: { ok: true },
      logs: ['starting', 'two', 'three'],
      note: 'fine',
      error: undefined,
    });
  });
});
