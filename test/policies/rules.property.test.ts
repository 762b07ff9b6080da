import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalisePath, pathPattern } from '#dist/policies/rules/paths.js';
import type { Rule } from '#dist/policies/rules/rule.js';
import { rules } from '#dist/policies/rules.js';
import { wildcard } from '#dist/policies/wildcard.js';
import type { PreToolDecision } from '#dist/runtime/contract/decisions.js';
import type { ToolRegistrationOptions } from '#dist/runtime/contract/scope.js';
import { makeTool } from '../support/make-tool.ts';
import { policyHost } from './policy-host.ts';

const NAMES = ['a', 'ab', 'b', 'ba'];
const KINDS = ['read', 'edit', 'other'] as const;
const SOURCES = ['s', 't'];

const registration: fc.Arbitrary<ToolRegistrationOptions> = fc.record(
  {
    source: fc.constantFrom(...SOURCES),
    kind: fc.constantFrom(...KINDS),
    readOnly: fc.boolean(),
    destructive: fc.boolean(),
  },
  { requiredKeys: [] },
);
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 4 });
const segment = fc.constantFrom('a', 'b', '..', '.', '');
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/') || 'a');
const condition = fc.oneof(
  fc.record({
    at: fc.constantFrom('p', '$.p', '$..p'),
    path: fc.constantFrom('a/**', 'b', '*/a', '**/b', 'a/b'),
  }),
  fc.record({ at: fc.constant('n'), equals: fc.integer({ min: 0, max: 2 }) }),
);
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    decision: fc.constantFrom('allow', 'ask', 'deny'),
    tool: fc.oneof(pattern, fc.array(pattern, { minLength: 1, maxLength: 2 })),
    source: fc.constantFrom('s', 't', '*'),
    kind: fc.uniqueArray(fc.constantFrom(...KINDS), { minLength: 1 }),
    readOnly: fc.boolean(),
    destructive: fc.boolean(),
    arguments: fc.array(condition, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['decision'] },
) as fc.Arbitrary<Rule>;

/** The whole of a pattern as a regular expression, written with no thought of speed. */
const naiveWildcard = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[^\w]/g, '\\$&'))
      .join('[^]*')}$`,
  );

function naivePath(wanted: string, given: string): boolean {
  const walk = (parts: readonly string[], folders: readonly string[]): boolean => {
    const [part, ...rest] = parts;
    if (part === undefined) return folders.length === 0;
    if (part === '**') return folders.some((_, i) => walk(rest, folders.slice(i))) || walk(rest, []);
    return folders[0] !== undefined && naiveWildcard(part).test(folders[0]) && walk(rest, folders.slice(1));
  };
  return walk(naiveNormal(wanted), naiveNormal(given));
}

function naiveNormal(text: string): readonly string[] {
  const stack: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    const isUp = part === '..' && stack.length > 0 && stack.at(-1) !== '..';
    if (isUp) stack.pop();
    else if (part !== '..' || !text.startsWith('/')) stack.push(part);
  }
  if (text.startsWith('/')) return ['', ...(stack.length === 0 ? [''] : stack)];
  return stack.length === 0 ? ['.'] : stack;
}

interface Args {
  readonly p?: string;
  readonly n?: number;
}

function naive(list: readonly Rule[], name: string, about: ToolRegistrationOptions, args: Args): string {
  const matches = (one: Rule): boolean => {
    if (one.tool !== undefined && ![one.tool].flat().some((part) => naiveWildcard(part).test(name)))
      return false;
    if (one.source !== undefined && !(about.source && naiveWildcard(String(one.source)).test(about.source))) {
      return false;
    }
    if (one.kind !== undefined && ![one.kind].flat().includes(about.kind ?? 'other')) return false;
    if (one.readOnly !== undefined && one.readOnly !== (about.readOnly ?? false)) return false;
    if (one.destructive !== undefined && one.destructive !== (about.destructive ?? false)) return false;
    return (one.arguments ?? []).every((wanted) =>
      wanted.path === undefined
        ? args.n === wanted.equals
        : args.p !== undefined && naivePath(wanted.path, args.p),
    );
  };
  if (list.slice(0, -1).some((one) => one.decision === 'deny' && matches(one))) return 'deny';
  return (
    list.find((one) => matches(one) && (one.decision !== 'deny' || one === list.at(-1)))?.decision ?? 'deny'
  );
}

describe('rules, for random lists', () => {
  it('decide as a naive interpreter of the same list does', async () => {
    let usable = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 5 }),
        registration,
        fc.constantFrom(...NAMES),
        fc.record({ p: path, n: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: [] }),
        async (list, about, name, args) => {
          const host = policyHost();
          host.tools.register(makeTool(name), about);
          let isAsked = false;
          host.tools.setApproval({
            request: () => {
              isAsked = true;
              return 'rejected';
            },
          });
          try {
            rules(host.tools, { rules: list });
          } catch {
            // One of the rules can never apply.
            return;
          }
          usable += 1;
          const result = await host.call(name, args);
          const decided = result.isError ? (isAsked ? 'ask' : 'deny') : 'allow';
          // With no last rule without conditions a last deny is like any other.
          expect(decided).toBe(naive([...list, { decision: 'deny' }], name, about, args));
        },
      ),
      { numRuns: 600 },
    );
    expect(usable).toBeGreaterThan(200);
  });

  it('no sequence of other listeners turns a denial of a rule or a guard into a run', async () => {
    const other = fc.record({
      says: fc.constantFrom<'next' | PreToolDecision>(
        'next',
        { kind: 'allow' },
        { kind: 'ask' },
        { kind: 'cancel' },
        { kind: 'deny', reason: 'other' },
      ),
      isFirst: fc.boolean(),
      prepend: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(other, { maxLength: 6 }), fc.boolean(), async (others, byRule) => {
        const host = policyHost();
        let bodies = 0;
        host.tools.register(
          makeTool('tool', {
            execute: async () => {
              bodies += 1;
              return 'ran';
            },
          }),
        );
        host.tools.setApproval({ request: () => 'allowed-once' });
        const add = ({ says, prepend }: (typeof others)[number]): void =>
          void host.tools.on('tools/pre-execute', async (_, next) => (says === 'next' ? next() : says), {
            prepend,
          });
        for (const one of others.filter(({ isFirst }) => isFirst)) add(one);
        if (byRule) rules(host.tools, { rules: [{ decision: 'deny', tool: 'tool' }], otherwise: 'allow' });
        else host.tools.guard(() => 'guarded');
        for (const one of others.filter(({ isFirst }) => !isFirst)) add(one);
        expect((await host.call('tool')).isError).toBe(true);
        expect(bodies).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('a wildcard matches what its regular expression matches, and a path pattern what a walk over folders does', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '*', '\n'), maxLength: 8 }),
        (wanted, text) => {
          expect(wildcard(wanted)(text)).toBe(naiveWildcard(wanted).test(text));
        },
      ),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '*', '**', 'a*'), { minLength: 1, maxLength: 4 }),
        path,
        (parts, text) => {
          expect(pathPattern(parts.join('/'))(text)).toBe(naivePath(parts.join('/'), text));
          expect(normalisePath(normalisePath(text))).toBe(normalisePath(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('Q15: a pattern with many stars takes no time to fail', () => {
    expect(wildcard('*a*a*a*a*a*a*a*a*a*b')('a'.repeat(50_000))).toBe(false);
  });
});
