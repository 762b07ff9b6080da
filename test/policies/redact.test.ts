import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Redaction, type RedactOptions, redact } from '#dist/policies/redact.js';
import type { ContentBlock } from '#dist/runtime/contract/content.js';
import { ToolTimeoutError } from '#dist/runtime/core/errors.js';
import type { JsonValue } from '#dist/runtime/core/json-value.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import type { Play } from '../support/fake-runtime.ts';
import { makeTool } from '../support/make-tool.ts';
import { policyHost, textOf } from './policy-host.ts';

const SECRET = 'sk-test-"quoted\\';
const PATTERNS: RedactOptions = { patterns: [/sk-[^ ]+/] };
const json = (value: JsonValue, render?: (value: JsonValue) => readonly ContentBlock[]) =>
  makeTool('get', {
    output: {
      schema: {},
      render: (_, rendered) => render?.(rendered) ?? [{ type: 'text', text: JSON.stringify(rendered) }],
    },
    execute: async () => value,
  });

function direct(
  value: JsonValue,
  options: RedactOptions = PATTERNS,
  render?: (value: JsonValue) => readonly ContentBlock[],
) {
  const host = policyHost();
  const redaction = redact(host.tools, options);
  host.tools.register(json(value, render));
  return { ...host, redaction };
}

function programs(play: Play, value: JsonValue, options: RedactOptions = PATTERNS) {
  const host = ptcHost({ plays: { main: play } });
  const redaction: Redaction = redact(host.tools, options);
  host.tools.register(json(value));
  const logged = () => JSON.stringify(host.agent.of('tool/ptc-dispatch'));
  return { ...host, redaction, logged };
}

describe('redact', () => {
  it('the content of a direct result stays JSON, keys and other leaves stay, and the value is whole', async () => {
    const host = direct({ token: SECRET, note: 'fine', n: 1 });
    const result = await host.call('get');
    expect(JSON.parse(textOf(result))).toEqual({ token: '[redacted]', note: 'fine', n: 1 });
    expect(result.value).toEqual({ token: SECRET, note: 'fine', n: 1 });
  });

  it('a secret field hides whatever stands below it, also in text that is JSON, numbers too; case is ignored', async () => {
    const options = { fields: ['password', '*_pin'] };
    const host = direct(
      { Password: { old: 'hunter22', codes: [123456] }, user_pin: 1, text: '{"password":"in text"}' },
      options,
    );
    expect(JSON.parse(textOf(await host.call('get')))).toEqual({
      Password: { old: '[redacted]', codes: ['[redacted]'] },
      user_pin: '[redacted]',
      text: '{"password":"[redacted]"}',
    });
  });

  it('once seen, a secret is hidden wherever it stands: plain text, several blocks, other kinds, keys', async () => {
    const render = (): readonly ContentBlock[] => [
      { type: 'text', text: 'The password is hunter22, and again: hunt' },
      { type: 'text', text: 'er22.' },
      { type: 'resource', resource: { hunter22: ['hunter22'] } },
      { type: 'image', data: 'aHVudGVyMjI=', mimeType: 'image/png' },
    ];
    const host = direct({ password: 'hunter22' }, { fields: ['password'] }, render);
    expect((await host.call('get')).content).toEqual([
      { type: 'text', text: 'The password is [redacted], and again: [redacted]' },
      { type: 'text', text: '[redacted].' },
      { type: 'resource', resource: { '[redacted]': ['[redacted]'] } },
      { type: 'image', data: 'aHVudGVyMjI=', mimeType: 'image/png' },
    ]);
  });

  it('a program gets the value; its own content, its output and the logged copy do not show it', async () => {
    const host = programs(
      async ({ tools, log }) => {
        const { token } = (await tools['get']!()) as { token: string };
        log(`token: ${token}`);
        return { token, same: token === SECRET };
      },
      { token: SECRET },
    );
    const result = await host.run('main');
    expect((result.value as { result: object }).result).toEqual({ token: SECRET, same: true });
    expect(textOf(result)).not.toContain('quoted');
    expect(textOf(result)).toContain('[redacted]');
    expect(host.logged()).toContain('[redacted]');
    expect(host.logged()).not.toContain('quoted');
  });

  it('arguments are logged as they were sent', async () => {
    const host = programs(({ tools }) => tools['get']!({ token: SECRET }), null);
    await host.run('main');
    expect(host.agent.of('tool/ptc-dispatch-start')[0]?.['arguments']).toEqual({ token: SECRET });
  });

  it('error messages are clean for the model, the program and the log, and codes stay', async () => {
    const host = policyHost();
    redact(host.tools, PATTERNS);
    host.tools.register(
      makeTool('bad', {
        execute: async () => {
          throw new ToolTimeoutError('no answer for sk-live-1 in time');
        },
      }),
    );
    const result = await host.call('bad');
    expect(result.error).toEqual({
      message: 'no answer for [redacted] in time',
      info: { name: 'ToolTimeoutError', code: 'TOOL_TIMEOUT' },
    });
    expect(textOf(result)).toBe('Error: no answer for [redacted] in time');

    const inside = programs(({ tools }) => tools['bad']!(), null);
    inside.tools.register(
      makeTool('bad', {
        execute: async () => {
          throw new Error('refused: sk-live-2');
        },
      }),
    );
    const outer = await inside.run('main');
    expect(textOf(outer)).toContain('refused: [redacted]');
    expect(JSON.stringify([outer, inside.logged()])).not.toContain('sk-live');
  });

  it.each(['tools/pre-execute', 'tools/execute', 'tools/post-execute'] as const)(
    'what an inner listener of %s throws is clean, and keeps its code',
    async (event) => {
      const host = direct('x');
      host.tools.on(event as 'tools/execute', async () => {
        throw new ToolTimeoutError('key sk-live-1');
      });
      const { error } = await host.call('get');
      expect(error).toEqual({
        message: 'key [redacted]',
        info: { name: 'ToolTimeoutError', code: 'TOOL_TIMEOUT' },
      });
    },
  );

  it('reasons of denials, feedback of blocks and contexts of listeners are clean', async () => {
    const host = direct('x');
    const lift = host.tools.on('tools/pre-execute', async () => ({
      kind: 'deny',
      reason: 'not with sk-live-1',
    }));
    expect((await host.call('get')).error?.message).toBe('not with [redacted]');
    lift();
    const text = [{ type: 'text', text: 'seen sk-live-2' }] as const;
    host.tools.on('tools/post-execute', async () => ({
      kind: 'block',
      feedback: text,
      additionalContexts: [{ role: 'user', content: text, source: { kind: 'plugin', plugin: 'p' } }],
    }));
    const blocked = await host.call('get');
    expect(JSON.stringify(blocked)).not.toContain('sk-live');
    expect(blocked.additionalContexts?.[0]?.content).toEqual([{ type: 'text', text: 'seen [redacted]' }]);
  });

  it('a secret that a note has cut is hidden as far as it shows', async () => {
    const secret = `key-${'0123456789'.repeat(30)}`;
    const host = programs(
      async ({ tools }) => {
        await tools['get']!();
        throw new Error('stop');
      },
      { password: secret },
      { fields: ['password'] },
    );
    const shown = textOf(await host.run('main'));
    expect(shown).toContain('…');
    expect(shown).not.toContain('key-');
  });

  it('a value that another policy has replaced shows no secret either: then it is hidden in the value', async () => {
    const host = direct('plain');
    host.tools.on('tools/post-execute', async () => ({ kind: 'accept', value: { token: 'sk-live-1' } }));
    const result = await host.call('get');
    expect(result.value).toEqual({ token: '[redacted]' });
    expect(textOf(result)).toBe('{"token":"[redacted]"}');
  });

  it('a failure of its own shows nothing of what it looked at', async () => {
    const host = direct('x');
    host.tools.on('tools/post-execute', async () => ({ kind: 'block', feedback: 'sk-live-1' }) as never);
    const result = await host.call('get');
    expect(textOf(result)).toBe('Error: Policy "redact" failed, so nothing of the result is shown');
  });

  it.each<[string, object]>([
    ['at least one pattern', {}],
    ['"patterns"', { patterns: /x/ }],
    ['"patterns[0]"', { patterns: ['x'] }],
    ['"patterns[0]"', { patterns: [/x*/] }],
    ['"fields[0]"', { fields: [''] }],
    ['"mode"', { fields: ['a'], mode: 'secret' }],
    ['"unwrap"', { fields: ['a'], unwrap: 'mail' }],
  ])('an option without a meaning fails the load: %s', (message, options) => {
    expect(() => redact(policyHost().tools, options)).toThrow(message);
  });
});

describe('redact, confidential', () => {
  const options: RedactOptions = { patterns: [/sk-[\w-]+/], mode: 'confidential', unwrap: ['mail'] };

  function confidential(play: Play) {
    const host = programs(play, { token: 'sk-live-1', text: 'use sk-live-1 now' }, options);
    const mailed: unknown[] = [];
    const tool = (name: string) =>
      makeTool(name, {
        output: { schema: {}, render: (_, value) => [{ type: 'text', text: JSON.stringify(value) }] },
        execute: async (args, exec) => {
          mailed.push(host.redaction.reveal(exec, args as JsonValue));
          return args;
        },
      });
    host.tools.register(tool('mail'));
    host.tools.register(tool('other'));
    return { ...host, mailed };
  }

  it('a program gets one stand-in per secret, and only a tool that the host names gets the secret back', async () => {
    const host = confidential(async ({ tools }) => {
      const got = (await tools['get']!()) as { token: string; text: string };
      const echoed = await tools['mail']!({ body: `dear ${got.token}` });
      return { got, echoed };
    });
    const result = await host.run('main');
    const { got, echoed } = (
      result.value as { result: { got: { token: string; text: string }; echoed: object } }
    ).result;
    expect(got.token).toMatch(/^secret:[0-9a-f]{24}$/);
    expect(got.text).toBe(`use ${got.token} now`);
    expect(echoed).toEqual({ body: `dear ${got.token}` });
    expect(host.mailed).toEqual([{ body: 'dear sk-live-1' }]);
    expect(JSON.stringify([result, host.agent.events])).not.toContain('sk-live');
  });

  it('a secret with a quote comes back within JSON text as JSON writes it', async () => {
    const host = confidential(async ({ tools }) => {
      const got = (await tools['quoted']!()) as { token: string; text: string };
      return tools['mail']!({ body: JSON.stringify({ token: got.token }), text: got.text });
    });
    const value = { token: SECRET, text: JSON.stringify({ token: SECRET }) };
    host.tools.register({ ...json(value), name: 'quoted' });
    await host.run('main');
    const [{ body, text }] = host.mailed as [{ body: string; text: string }];
    expect([body, text].map((part) => JSON.parse(part))).toEqual([{ token: SECRET }, { token: SECRET }]);
  });

  it('a tool that is not named, and a call that no longer runs, get nothing', async () => {
    const host = confidential(({ tools }) => tools['other']!({ body: 'x' }));
    expect(textOf(await host.run('main'))).toContain('Cannot reveal secrets to "other"');
    const late = confidential(({ tools }) => tools['get']!());
    let kept: Parameters<Redaction['reveal']>[0] | undefined;
    late.tools.on('tools/execute', (exec, next) => {
      kept = exec as never;
      return next();
    });
    await late.run('main');
    expect(() => late.redaction.reveal({ ...kept!, name: 'mail' }, 'x')).toThrow('Cannot reveal');
  });
});

describe('redact, for random placements', () => {
  const secret = fc
    .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 20 })
    // A secret of signs alone may stand in the syntax of the log's own JSON.
    .filter((text) => /[A-Za-z0-9]{2}/.test(text) && !'[redacted]'.includes(text));
  /** Mostly what JSON itself is made of. */
  const signs = fc
    .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', ' ', '\n', 'ab', 'c1', 'true', '12'), {
      minLength: 4,
      maxLength: 9,
    })
    .map((parts) => parts.join(''))
    .filter((text) => text.length >= 8 && /[a-z0-9]{2}/.test(text));

  it('what is JSON stays JSON of the same shape, the whole content or among prose, whatever signs a secret is made of', async () => {
    const leaf = fc.oneof(signs, fc.constantFrom('ab', 'c1', '', 'x'), fc.constantFrom(12, true, null));
    const value = fc.array(fc.dictionary(fc.constantFrom('ab', 'c1', 'x"y', '{'), leaf), { maxLength: 3 });
    // Two keys that are hidden become one when they are parsed.
    const shape = (part: unknown): unknown =>
      Array.isArray(part) ? part.map(shape) : typeof part === 'object' && part !== null ? {} : 0;
    await fc.assert(
      fc.asyncProperty(signs, value, fc.nat({ max: 30 }), async (hidden, rows, at) => {
        const text = JSON.stringify(rows);
        // One that stands across the syntax of this very text.
        for (const known of [hidden, text.slice(at, at + 12)]) {
          if (known.length < 8 || !/[a-z0-9]{2}/.test(known)) continue;
          const prose = `Result: {"rows":${text}}\nthen {nothing} [more`;
          const host = direct({ password: known }, { fields: ['password'] }, () => [
            { type: 'text', text },
            { type: 'text', text: prose },
          ]);
          const [whole = '', among = ''] = (
            (await host.call('get')).content as readonly { readonly text: string }[]
          ).map((block) => block.text);
          expect(`${whole}|${among}`.includes(known)).toBe(false);
          expect(shape(JSON.parse(whole))).toEqual(shape(rows));
          const end = among.lastIndexOf('\nthen ');
          expect(shape(JSON.parse(among.slice(among.indexOf('{'), end)))).toEqual({});
        }
      }),
      { numRuns: 300 },
    );
  });

  it('no known secret stands in content, whether split over fields, within JSON text, or printed by a program', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(secret, signs),
        fc.nat({ max: 2 }),
        fc.nat({ max: 19 }),
        fc.string(),
        async (hidden, nesting, cut, around) => {
          let nested: JsonValue = { password: hidden };
          for (let level = 0; level < nesting; level += 1) nested = { inner: JSON.stringify(nested) };
          const value: JsonValue = {
            nested,
            around: `${around}${hidden}${around}`,
            parts: [hidden.slice(0, cut), hidden.slice(cut)],
            [`key ${hidden}`]: 1,
          };
          const host = programs(
            async ({ tools, log }) => {
              const got = await tools['get']!();
              log(`${around}${hidden}`);
              log(JSON.stringify(JSON.stringify(got)));
              return got;
            },
            value,
            { fields: ['password'] },
          );
          const outer = await host.run('main');
          for (const text of [textOf(outer), host.logged()]) {
            expect(text.includes(hidden)).toBe(false);
            expect(text.includes(JSON.stringify(hidden).slice(1, -1))).toBe(false);
          }
          const plain = direct({ password: hidden, value }, { fields: ['password'] });
          const shown = textOf(await plain.call('get'));
          expect(shown.includes(hidden)).toBe(false);
          expect(() => JSON.parse(shown)).not.toThrow();
          const split = direct({ password: hidden }, { fields: ['password'] }, () => [
            { type: 'text', text: `${around}${hidden.slice(0, cut)}` },
            { type: 'text', text: `${hidden.slice(cut)}${around}` },
          ]);
          const blocks = (await split.call('get')).content as readonly { readonly text: string }[];
          expect(
            blocks
              .map(({ text }) => text)
              .join('')
              .includes(hidden),
          ).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });
});
