import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGrants } from '#dist/policies/grants.js';
import { PRESET_NAMES, type PresetName, preset } from '#dist/policies/presets.js';
import type { Rule } from '#dist/policies/rules/rule.js';
import { parseRules } from '#dist/policies/rules/rules-file.js';
import { RULES_FILE_SCHEMA } from '#dist/policies/rules/rules-file-schema.js';
import { type RulesOptions, rules } from '#dist/policies/rules.js';
import type { ToolRegistrationOptions } from '#dist/runtime/contract/scope.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost } from './policy-host.ts';

function ruledHost(
  options: RulesOptions,
  registered: Readonly<Record<string, ToolRegistrationOptions>> = { tool: {} },
) {
  const host = policyHost();
  for (const [name, about] of Object.entries(registered)) host.tools.register(makeTool(name), about);
  const questions: (string | undefined)[] = [];
  host.tools.setApproval({
    request: ({ reason }) => {
      questions.push(reason);
      return 'rejected';
    },
  });
  const dispose = rules(host.tools, options);
  /** `allow`, `ask` or `deny`, as the call shows it. */
  const decides = async (name: string, args: unknown = {}): Promise<string> => {
    const before = questions.length;
    const result = await host.call(name, args);
    if (!result.isError) return 'allow';
    return questions.length > before ? 'ask' : 'deny';
  };
  return { ...host, questions, dispose, decides };
}

const list = (...list: Rule[]): RulesOptions => ({ rules: list });

describe('rules', () => {
  it('of rules that do not deny the first that matches decides, a matching deny is final wherever it stands, and the rest is denied', async () => {
    const host = ruledHost(
      list(
        { decision: 'ask', tool: 'read_secret' },
        { decision: 'allow', tool: 'read_*' },
        { decision: 'deny', tool: '*_key', reason: 'keys stay here' },
      ),
      { read_a: {}, read_secret: {}, read_key: {}, write: {} },
    );
    expect(await host.decides('read_a')).toBe('allow');
    expect(await host.decides('read_secret')).toBe('ask');
    expect(await host.decides('read_key')).toBe('deny');
    expect(outcomeOf(await host.call('read_key'))).toBe('keys stay here');
    expect(outcomeOf(await host.call('write'))).toBe('No rule allows the call of "write"');
  });

  it('a last rule without conditions is the word for the rest', async () => {
    for (const decision of ['allow', 'ask', 'deny'] as const) {
      const host = ruledHost(list({ decision: 'allow', tool: 'a' }, { decision }), { a: {}, b: {} });
      expect(await host.decides('a')).toBe('allow');
      expect(await host.decides('b')).toBe(decision);
    }
  });

  it('source, kind and declared effects are conditions; what is not declared is other, and not so', async () => {
    const registered = {
      mail: { source: 'office', kind: 'fetch', destructive: true },
      look: { source: 'files', kind: 'read', readOnly: true, idempotent: true },
      bare: {},
    } as const;
    const decides = async (rule: Omit<Rule, 'decision'>): Promise<readonly string[]> => {
      const host = ruledHost(list({ decision: 'allow', ...rule }), registered);
      const allowed: string[] = [];
      for (const name of Object.keys(registered))
        if ((await host.decides(name)) === 'allow') allowed.push(name);
      return allowed;
    };
    expect(await decides({ source: 'off*' })).toEqual(['mail']);
    expect(await decides({ source: ['office', 'files'] })).toEqual(['mail', 'look']);
    expect(await decides({ kind: ['read', 'fetch'] })).toEqual(['mail', 'look']);
    expect(await decides({ kind: 'other' })).toEqual(['bare']);
    expect(await decides({ readOnly: true })).toEqual(['look']);
    expect(await decides({ readOnly: false })).toEqual(['mail', 'bare']);
    expect(await decides({ destructive: true })).toEqual(['mail']);
    expect(await decides({ idempotent: true, source: 'office' })).toEqual([]);
  });

  it.each<[string, Rule, readonly unknown[], readonly unknown[]]>([
    [
      'a literal',
      { decision: 'deny', arguments: [{ at: '$.mode', equals: { a: 1, b: [2] } }] },
      [{ mode: { b: [2], a: 1 } }],
      [{ mode: { a: 1 } }, {}],
    ],
    [
      'a glob',
      { decision: 'deny', arguments: [{ at: 'cmd', glob: 'rm *' }] },
      [{ cmd: 'rm -rf /' }, { cmd: ['rm x'] }, { cmd: { line: 'rm x' } }],
      [{ cmd: 'xrm a' }, { cmd: 'rm' }, { other: 'rm x' }],
    ],
    [
      'a regular expression',
      { decision: 'deny', arguments: [{ at: '$..url', regex: '^https?://[^/]*evil' }] },
      [{ url: 'http://evil' }, { deep: [{ url: 'https://an.evil.example' }] }],
      [{ url: 'http://good/evil' }],
    ],
    [
      'a path, however it is written',
      { decision: 'deny', arguments: [{ at: 'files[*].path', path: 'secret/**' }] },
      ['secret/key', 'a/../secret/key', './secret', 'secret/', 'a//..//secret//x', 'a\\..\\secret\\x'].map(
        (path) => ({ files: [{ path: 'ok' }, { path }] }),
      ),
      [{ files: [{ path: 'secrets' }, { path: '../secret' }] }, { files: [] }],
    ],
    [
      'a glob over what a text leads to',
      { decision: 'deny', arguments: [{ at: 'path', glob: 'secret/*' }] },
      [{ path: 'a/../secret/x' }, { path: './secret/x' }],
      [{ path: 'public/x' }],
    ],
    [
      'a literal that a text leads to',
      { decision: 'deny', arguments: [{ at: 'path', equals: 'etc/passwd' }] },
      [{ path: 'etc/x/../passwd' }, { path: 'etc/passwd' }],
      [{ path: 'etc/passwd2' }],
    ],
    [
      'a URL that goes up',
      { decision: 'deny', arguments: [{ at: 'url', glob: 'https://x.example/admin*' }] },
      [{ url: 'https://x.example/a/../admin' }, { url: 'HTTPS://X.example/admin' }],
      [{ url: 'https://x.example/a' }],
    ],
  ])('a deny by %s matches where one value fits', async (_, rule, denied, passed) => {
    const host = ruledHost({ rules: [rule], otherwise: 'allow' });
    for (const args of denied) expect([args, await host.decides('tool', args)]).toEqual([args, 'deny']);
    for (const args of passed) expect([args, await host.decides('tool', args)]).toEqual([args, 'allow']);
  });

  it.each<[string, Rule, readonly unknown[], readonly unknown[]]>([
    [
      'every value has to fit, and there has to be one',
      { decision: 'allow', arguments: [{ at: 'paths[*]', path: 'src/**' }] },
      [{ paths: ['src/a', 'src/b/c'] }],
      [{ paths: ['src/a', 'etc'] }, { paths: [] }, {}, { paths: ['src/../etc'] }],
    ],
    [
      'a glob that goes up does not slip through',
      { decision: 'allow', arguments: [{ at: 'path', glob: 'src/*' }] },
      [{ path: 'src/a' }, { path: 'src/a/../b' }],
      [{ path: 'src/../secret' }, { path: 'src/..' }, { path: ['src/a'] }],
    ],
    [
      'a regular expression that goes up does not slip through',
      { decision: 'allow', arguments: [{ at: 'path', regex: '^src/' }] },
      [{ path: 'src/a' }],
      [{ path: 'src/../secret' }, { path: 'src\\..\\secret' }],
    ],
    [
      'a literal is the literal',
      { decision: 'allow', arguments: [{ at: 'n', equals: 3 }] },
      [{ n: 3 }],
      [{ n: '3' }, { n: [3] }],
    ],
  ])('an allow: %s', async (_, rule, allowed, denied) => {
    const host = ruledHost({ rules: [rule] });
    for (const args of allowed) expect([args, await host.decides('tool', args)]).toEqual([args, 'allow']);
    for (const args of denied) expect([args, await host.decides('tool', args)]).toEqual([args, 'deny']);
  });

  it('with a root, relative and absolute paths are the same place', async () => {
    const rule: Rule = { decision: 'deny', arguments: [{ at: 'path', path: 'secret/**' }] };
    const host = ruledHost({ rules: [rule], otherwise: 'allow', root: '/work' });
    for (const path of ['secret/x', '/work/secret/x', '../work/secret', '/work/a/../secret']) {
      expect([path, await host.decides('tool', { path })]).toEqual([path, 'deny']);
    }
    expect(await host.decides('tool', { path: '/secret/x' })).toBe('allow');
  });

  it.each<[string, readonly unknown[], string]>([
    [
      'a bad expression',
      [{ name: 'r', decision: 'deny', arguments: [{ at: 'a', regex: '(' }] }],
      '"r": argument "a"',
    ],
    [
      'a bad path',
      [{ name: 'r', decision: 'deny', arguments: [{ at: '$.a[', glob: 'x' }] }],
      '"r": argument "$.a["',
    ],
    [
      'two ways to compare',
      [{ name: 'r', decision: 'deny', arguments: [{ at: 'a', glob: 'x', regex: 'x' }] }],
      '"r"',
    ],
    ['no way to compare', [{ name: 'r', decision: 'deny', arguments: [{ at: 'a' }] }], '"r"'],
    [
      'an unknown kind',
      [
        { decision: 'allow', tool: 'a' },
        { decision: 'deny', kind: 'wirte' },
      ],
      '"#2"',
    ],
    ['an unknown key', [{ name: 'r', decision: 'allow', tols: 'a' }], '"r"'],
    ['an unknown decision', [{ name: 'r', decision: 'maybe' }], '"r"'],
    [
      'a RegExp of code',
      [{ name: 'r', decision: 'deny', arguments: [{ at: 'a', regex: /x/ }] }],
      '"r": wanted JSON',
    ],
    ['no rule at all', ['deny'], '"#1"'],
    [
      'one name twice',
      [
        { name: 'r', decision: 'allow', tool: 'a' },
        { name: 'r', decision: 'ask', tool: 'b' },
      ],
      '"r"',
    ],
    [
      'the same calls twice',
      [
        { decision: 'allow', tool: 'a' },
        { decision: 'allow', tool: 'a' },
      ],
      '"#2": it overlaps rule "#1"',
    ],
    [
      'the same calls, other words',
      [
        { decision: 'allow', tool: 'a' },
        { decision: 'ask', tool: 'a' },
      ],
      '"#2": it contradicts rule "#1"',
    ],
    [
      'an allow that a deny covers',
      [
        { decision: 'allow', tool: 'read_a' },
        { decision: 'deny', tool: 'read_*' },
      ],
      '"#1": it contradicts rule "#2"',
    ],
    [
      'a rule behind a wider one',
      [
        { decision: 'allow', tool: ['x', 'r*'] },
        { decision: 'ask', tool: 'read*', kind: 'edit' },
      ],
      '"#2": it can never apply',
    ],
    [
      'a rule behind one for everything',
      [{ decision: 'allow' }, { decision: 'ask', tool: 'a' }],
      '"#2": it can never apply',
    ],
  ])('%s is an error at load that names the rule', (_, wrong, named) => {
    const { tools } = policyHost();
    expect(() => rules(tools, { rules: wrong as Rule[] })).toThrow(`Cannot use rule ${named}`);
  });

  it('rules that only meet are no conflict', () => {
    const { tools } = policyHost();
    const fine: Rule[] = [
      { decision: 'deny', tool: 'read_*', arguments: [{ at: 'p', path: 'secret/**' }] },
      { decision: 'allow', tool: 'read_*' },
      { decision: 'ask', tool: '*' },
      { decision: 'deny', tool: '*', kind: 'delete' },
    ];
    expect(() => rules(tools, { rules: fine })).not.toThrow();
    expect(() => rules(tools, { rules: 'all' as never })).toThrow('an array');
    expect(() => rules(tools, { grants: {} as never })).toThrow('"grants"');
    expect(() => rules(tools, { otherwise: 'no' as never })).toThrow('"otherwise"');
    expect(() => rules(tools, { preset: 'yolo' as never })).toThrow('"preset"');
  });

  it('a program is let through and its calls are judged; a rule that names its carrier judges that too', async () => {
    const host = ptcHost({
      plays: {
        main: async ({ tools }) => {
          const outcome = (name: string) =>
            tools[name]!().then(
              () => 'ran',
              (error: Error) => error.message,
            );
          return [await outcome('read'), await outcome('write')];
        },
      },
    });
    host.tools.register(makeTool('read'));
    host.tools.register(makeTool('write'));
    const dispose = rules(
      host.tools,
      list({ decision: 'allow', tool: 'read' }, { decision: 'deny', tool: '*', kind: 'edit' }),
    );
    expect((await host.run('main')).value).toEqual({
      logs: [],
      result: ['ran', 'No rule allows the call of "write"'],
    });
    dispose();
    rules(host.tools, list({ decision: 'deny', tool: 'run_code', reason: 'no programs today' }));
    expect(outcomeOf(await host.run('main'))).toBe('no programs today');
  });

  it('an inner listener that is stricter wins, and two questions become one', async () => {
    const strict = ruledHost(list({ decision: 'allow' }));
    const lift = strict.tools.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'inner' }));
    expect(outcomeOf(await strict.call('tool'))).toBe('inner');
    lift();
    strict.tools.on('tools/pre-execute', async () => ({ kind: 'ask', reason: 'inner asks' }));
    expect(await strict.decides('tool')).toBe('ask');
    const asking = ruledHost(list({ decision: 'ask', reason: 'rule asks' }));
    asking.tools.on('tools/pre-execute', async () => ({ kind: 'ask', reason: 'inner asks' }));
    await asking.call('tool');
    expect(asking.questions).toEqual(['rule asks; inner asks']);
  });

  it("a store of grants that throws denies, with the policy's name", async () => {
    const host = ruledHost({
      rules: [{ decision: 'ask' }],
      grants: {
        ...createGrants(policyHost().tools),
        use: () => {
          throw new Error('gone');
        },
      },
    });
    expect(outcomeOf(await host.call('tool'))).toBe('Policy "rules" failed: gone');
  });
});

describe('presets', () => {
  const kinds = ['read', 'search', 'edit', 'delete', 'move', 'execute', 'fetch', 'other'] as const;

  it.each<[PresetName, Readonly<Record<string, string>>]>([
    ['read-only', { read: 'allow', search: 'allow' }],
    [
      'ask-for-writes',
      { read: 'allow', search: 'allow', ...Object.fromEntries(kinds.slice(2).map((kind) => [kind, 'ask'])) },
    ],
    ['full-access', Object.fromEntries(kinds.map((kind) => [kind, 'allow']))],
  ])('Q24: %s decides by kind, and only through the rules policy', async (name, wanted) => {
    const registered = Object.fromEntries(kinds.map((kind) => [kind, kind === 'other' ? {} : { kind }]));
    const host = ruledHost({ preset: name }, registered);
    for (const kind of kinds)
      expect([kind, await host.decides(kind)]).toEqual([kind, wanted[kind] ?? 'deny']);
    host.dispose();
    for (const kind of kinds) expect(await host.decides(kind)).toBe('allow');
  });

  it('Q24: each bundles an approval policy, and own rules stand before its rules', async () => {
    expect(PRESET_NAMES.map((name) => [name, preset(name).approval])).toEqual([
      ['read-only', 'never'],
      ['ask-for-writes', 'ask'],
      ['full-access', 'ask'],
    ]);
    const host = ruledHost(
      {
        preset: 'ask-for-writes',
        rules: [
          { decision: 'allow', tool: 'format' },
          { decision: 'deny', tool: 'peek' },
        ],
      },
      { format: { kind: 'edit' }, save: { kind: 'edit' }, peek: { kind: 'read' } },
    );
    expect(await host.decides('format')).toBe('allow');
    expect(await host.decides('save')).toBe('ask');
    expect(await host.decides('peek')).toBe('deny');
  });
});

describe('rules files', () => {
  it('Q24: the package ships the schema that files are checked with', () => {
    expect(JSON.parse(readFileSync('policies/rules.schema.json', 'utf8'))).toEqual(RULES_FILE_SCHEMA);
  });

  it('a file says what the policy takes', () => {
    const text = JSON.stringify({
      $schema: './rules.schema.json',
      preset: 'read-only',
      otherwise: 'ask',
      root: '/work',
      rules: [{ decision: 'allow', tool: ['a', 'b*'], arguments: [{ at: '$.x', equals: null }] }],
    });
    const file = parseRules(text, 'rules.json');
    expect(file).toEqual({
      preset: 'read-only',
      otherwise: 'ask',
      root: '/work',
      rules: [{ decision: 'allow', tool: ['a', 'b*'], arguments: [{ at: '$.x', equals: null }] }],
    });
    expect(() => rules(policyHost().tools, file)).not.toThrow();
  });

  it.each([
    ['{', 'Cannot read rules of "r.json"'],
    ['{"rules":[{"decision":"allow","kind":"wirte"}]}', 'Cannot use rules of "r.json": Cannot use rule "#1"'],
    ['{"rules":[{"name":"mine","decision":"allow","tool":3}]}', 'rule "mine"'],
    ['{"rulez":[]}', 'Cannot use rules of "r.json"'],
    ['{"rules":{}}', 'file.rules'],
    ['{"preset":"yolo"}', 'file.preset'],
    ['[]', 'Cannot use rules of "r.json"'],
    ['null', 'Cannot use rules of "r.json"'],
  ])('%s is refused with its name', (text, message) => {
    expect(() => parseRules(text, 'r.json')).toThrow(message);
  });
});
