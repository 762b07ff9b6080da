import { describe, expect, it } from 'vitest';
import { PtcError, ToolNotFoundError } from '#dist/runtime/core/errors.js';
import { cancellation } from '#dist/runtime/pipeline/cancellation.js';
import { failureOf, failureResult } from '#dist/runtime/pipeline/outcome.js';
import { AFTER_START, BEFORE_DISPATCH } from './cancel-texts.ts';
import { callInput, coded, failureParts, fakeHost, fakeTool, text, uncoded } from './fake-host.ts';

const UNPRINTABLE = uncoded('[unprintable error]');

class QuotaError extends PtcError {
  constructor(options?: { cause?: unknown }) {
    super('QUOTA_EXCEEDED', 'over quota', options);
  }
}

const hostileProxy = new Proxy(
  {},
  {
    get: () => {
      throw new Error('get');
    },
    has: () => {
      throw new Error('has');
    },
    getPrototypeOf: () => {
      throw new Error('getPrototypeOf');
    },
  },
);

const THROWN: readonly [string, unknown, unknown][] = [
  ['an Error', new Error('boom'), uncoded('boom')],
  ['an object with a message', { message: 'told' }, uncoded('told')],
  ['an object with a code alone', { code: 500 }, uncoded('[object Object]')],
  ['a string', 'plain', uncoded('plain')],
  ['undefined', undefined, uncoded('undefined')],
  ['null', null, uncoded('null')],
  ['a symbol', Symbol('s'), uncoded('Symbol(s)')],
  ['a bigint', 12n, uncoded('12')],
  ['a message that is no string', { message: 5 }, uncoded('[object Object]')],
  ['a proxy that traps everything', hostileProxy, UNPRINTABLE],
  ['an object without conversion', Object.create(null), UNPRINTABLE],
  ['a coded error', new QuotaError(), coded('QuotaError', 'QUOTA_EXCEEDED', 'over quota')],
  ['a foreign code', Object.assign(new Error('missing'), { code: 'ENOENT' }), uncoded('missing')],
];

describe('what was thrown', () => {
  it.each(THROWN)(
    'P64, P65, P68, E60, E61: %s, thrown by the body, makes a failure with one text block',
    async (_, thrown, expected) => {
      const host = fakeHost(
        fakeTool({
          execute: async () => {
            throw thrown;
          },
        }),
      );
      const result = await host.pipeline.execute(callInput());
      expect(failureParts(result)).toEqual(expected);
      expect(host.observed.map((each) => each.result)).toEqual([result]);
    },
  );

  it.each(THROWN)(
    'P68, P18, P39, P55: %s makes the same failure, thrown by any listener, guard or callback',
    async (_, thrown, expected) => {
      const fail = () => {
        throw thrown;
      };
      for (const event of ['tools/pre-execute', 'tools/execute', 'tools/post-execute'] as const) {
        const host = fakeHost(fakeTool());
        host.on(event, fail);
        expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(expected);
      }
      const guarded = fakeHost(fakeTool());
      guarded.guards.push(fail);
      expect(failureParts(await guarded.pipeline.execute(callInput()))).toEqual(expected);
      for (const hook of ['projectContent', 'finalizeContent'] as const) {
        const host = fakeHost(fakeTool({ [hook]: fail }));
        expect(failureParts(await host.pipeline.execute(callInput()))).toEqual(expected);
      }
    },
  );

  it('P64, E61: the content is exactly one text block, and the message has no prefix', () => {
    const failure = failureOf({ code: 500 });
    expect(failure).toEqual({
      isError: true,
      error: { message: '[object Object]' },
      content: [text('Error: [object Object]')],
    });
    expect(Object.keys(failure.error)).toEqual(['message']);
  });

  it('P65, P66: a coded error keeps the name of its subclass and its code; its cause stays on the host', async () => {
    const cause = new Error('socket');
    const error = new QuotaError({ cause });
    expect([error.name, error.code, error.cause]).toEqual(['QuotaError', 'QUOTA_EXCEEDED', cause]);
    expect(failureOf(error).error).toEqual({
      message: 'over quota',
      info: { name: 'QuotaError', code: 'QUOTA_EXCEEDED' },
    });
    expect(failureOf(new ToolNotFoundError('gone')).error.info).toEqual({
      name: 'ToolNotFoundError',
      code: 'UNKNOWN_TOOL',
    });
  });

  it('P15, P34: the two cancellation results are pinned', () => {
    expect(failureParts(cancellation('ABORTED_BEFORE_DISPATCH'))).toEqual(BEFORE_DISPATCH);
    expect(failureParts(cancellation('ABORTED'))).toEqual(AFTER_START);
  });

  it('P59: a failure made by hand is frozen in every part', () => {
    const failure = failureResult('x', { name: 'A', code: 'B' });
    for (const part of [failure, failure.error, failure.error.info, failure.content, failure.content[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});
