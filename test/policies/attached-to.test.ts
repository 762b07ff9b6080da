import { createTools } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import * as policies from '#dist/policies/index.js';

const { checkpoint, createGrants, memorySpillStore, toolTimeout } = policies;

/** Every policy with options that are fine, over whatever stands for the service. */
const POLICIES: Readonly<Record<string, (tools: never) => unknown>> = {
  approvals: (tools) => policies.approvals(tools),
  audit: (tools) => policies.audit(tools, { write: () => {} }),
  cache: (tools) => policies.cache(tools),
  callBudget: (tools) => policies.callBudget(tools, { maxCalls: 5 } as never),
  checkpoint: (tools) => policies.checkpoint(tools),
  createGrants: (tools) => policies.createGrants(tools),
  dryRun: (tools) => policies.dryRun(tools),
  provenance: (tools) => policies.provenance(tools, { sources: [], sinks: [] } as never),
  redact: (tools) => policies.redact(tools, { patterns: [/secret/] }),
  repeatReminder: (tools) => policies.repeatReminder(tools),
  retry: (tools) => policies.retry(tools),
  rules: (tools) => policies.rules(tools, {}),
  spill: (tools) => policies.spill(tools, { maxInlineBytes: 400, store: memorySpillStore() } as never),
  toolTimeout: (tools) => policies.toolTimeout(tools),
};

describe('what a policy is attached to', () => {
  it.each(Object.entries(POLICIES))('%s refuses what is no tools service, in our words', (name, attach) => {
    for (const [wrong, received] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [{}, 'an object'],
      ['tools', '"tools"'],
    ] as const) {
      expect(() => attach(wrong as never)).toThrow(
        `Cannot use policy "${name}": wanted a tools service made by createTools, received ${received}`,
      );
    }
  });

  it.each(Object.entries({ toolTimeout, checkpoint, createGrants }))(
    '%s has no options, so one that is given is refused',
    (name, policy) => {
      const attach = policy as (...args: unknown[]) => unknown;
      expect(() => attach(createTools(), 5000)).toThrow(
        `Cannot use policy "${name}": wanted the tools service alone, received 5000 too`,
      );
      expect(() => attach(createTools(), undefined)).toThrow(TypeError);
    },
  );

  it('rules without options says that they are wanted', () => {
    const rules = policies.rules as (...args: unknown[]) => unknown;
    expect(() => rules(createTools())).toThrow(
      'Cannot read options of "rules": wanted an object, received undefined',
    );
  });
});
