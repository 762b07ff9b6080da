import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorInfo, errorMessage, UNPRINTABLE_ERROR } from '#dist/runtime/core/error-text.js';
import {
  AbortError,
  CodeRunFailedError,
  JsonSchemaError,
  PtcError,
  ToolArgsError,
  ToolNotFoundError,
  ToolOutcomeUnknownError,
  ToolOutputError,
  ToolTimeoutError,
} from '#dist/runtime/core/errors.js';

describe('coded errors', () => {
  const coded: [PtcError, string, string][] = [
    [new AbortError('ABORTED_BEFORE_DISPATCH', 'm'), 'AbortError', 'ABORTED_BEFORE_DISPATCH'],
    [new AbortError('ABORTED', 'm'), 'AbortError', 'ABORTED'],
    [new ToolNotFoundError('m'), 'ToolNotFoundError', 'UNKNOWN_TOOL'],
    [new ToolArgsError(['m']), 'ToolArgsError', 'INVALID_ARGS'],
    [new ToolOutputError('m'), 'ToolOutputError', 'INVALID_TOOL_OUTPUT'],
    [new JsonSchemaError(['m']), 'JsonSchemaError', 'UNSUPPORTED_SCHEMA'],
    [new ToolOutcomeUnknownError('m'), 'ToolOutcomeUnknownError', 'TOOL_OUTCOME_UNKNOWN'],
    [new CodeRunFailedError('m'), 'CodeRunFailedError', 'CODE_RUN_FAILED'],
    [new ToolTimeoutError('m'), 'ToolTimeoutError', 'TOOL_TIMEOUT'],
  ];

  it.each(coded)('P65, P66: %s has its name and its code', (error, name, code) => {
    expect(error).toBeInstanceOf(PtcError);
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.code]).toEqual([name, code]);
    expect(errorInfo(error)).toEqual({ name, code });
    expect(Object.keys(error)).not.toContain('name');
    expect(error.stack).toContain(error.message);
  });

  it('P66: a subclass of an application has its own name and code, and keeps its cause', () => {
    class QuotaError extends PtcError {}
    const cause = new Error('no credit');
    const error = new QuotaError('QUOTA', 'over quota', { cause });
    expect([error.name, error.code, error.message, error.cause]).toEqual([
      'QuotaError',
      'QUOTA',
      'over quota',
      cause,
    ]);
    expect('cause' in new QuotaError('QUOTA', 'over quota')).toBe(false);
    expect(new QuotaError('QUOTA', 'm', { cause: undefined })).toHaveProperty('cause', undefined);
  });

  it('V26, F3: of many violations a message tells the first and how many more there are, and keeps them all', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `list[${i}]: wanted a string, received ${i}`);
    const { message, violations } = new ToolArgsError(many);
    expect(violations).toHaveLength(5000);
    expect(message.split('; ')).toHaveLength(20);
    expect(message.endsWith('list[18]: wanted a string, received 18; … and 4981 more')).toBe(true);
    const twenty = many.slice(0, 20);
    expect(new ToolArgsError(twenty).message).toBe(`Invalid arguments: ${twenty.join('; ')}`);
    expect(new ToolArgsError([`${'k'.repeat(100_000)}: is required`]).message.length).toBeLessThan(600);
  });

  it('V11, V26: schema and argument errors keep their violations and join them with a semicolon', () => {
    const violations = ['a: is required', 'b: wanted a string, received 1'];
    for (const error of [new ToolArgsError(violations), new JsonSchemaError(violations)]) {
      expect(error.violations).toEqual(violations);
      expect(error.message).toMatch(/: a: is required; b: wanted a string, received 1$/);
    }
  });
});

describe('what is read of a thrown value', () => {
  it('P64, E61: the message of an error, a string message of an object, else the text of the value', () => {
    expect(errorMessage(new TypeError('bad'))).toBe('bad');
    expect(errorMessage(new Error(''))).toBe('');
    expect(errorMessage({ message: 'from an object' })).toBe('from an object');
    expect(errorMessage({ message: 5 })).toBe('[object Object]');
    expect(errorMessage({ code: 500 })).toBe('[object Object]');
    expect(errorMessage('plain')).toBe('plain');
    expect(errorMessage(undefined)).toBe('undefined');
    expect(errorMessage(null)).toBe('null');
    expect(errorMessage(Symbol('s'))).toBe('Symbol(s)');
    expect(errorMessage(5n)).toBe('5');
    expect(errorMessage(['a', 'b'])).toBe('a,b');
  });

  it('P64, E60: a hostile value becomes a fixed text', () => {
    const raise = () => {
      throw new Error('trap');
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const hostile = [
      new Proxy(new Error('x'), { get: raise, getPrototypeOf: raise, has: raise }),
      revoked.proxy,
      Object.create(null),
      { toString: raise, message: 1 },
      { toString: () => ({}), valueOf: () => ({}) },
      Object.defineProperty({}, 'message', { get: raise }),
    ];
    for (const thrown of hostile) {
      expect(errorMessage(thrown)).toBe(UNPRINTABLE_ERROR);
      expect(errorInfo(thrown)).toBeUndefined();
    }
  });

  it('P64, P65: both are total', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withSymbol: true, withNullPrototype: true } as object),
        (thrown) => {
          expect(typeof errorMessage(thrown)).toBe('string');
          expect(errorInfo(thrown)).toBeUndefined();
        },
      ),
    );
  });

  it('P65: ordinary errors and look-alikes have no identity', () => {
    expect(errorInfo(new TypeError('x'))).toBeUndefined();
    expect(errorInfo({ name: 'ToolArgsError', code: 'INVALID_ARGS' })).toBeUndefined();
    expect(errorInfo(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeUndefined();
    const spoilt = Object.defineProperty(new ToolNotFoundError('x'), 'code', { value: 5 });
    expect(errorInfo(spoilt)).toBeUndefined();
    const throwing = Object.defineProperty(new ToolNotFoundError('x'), 'name', {
      get() {
        throw new Error('no');
      },
    });
    expect(errorInfo(throwing)).toBeUndefined();
  });
});
