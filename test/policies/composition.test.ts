import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as policies from '#dist/policies/index.js';
import { ptcHost } from '../bridge/ptc-host.ts';
import type { Play } from '../support/fake-runtime.ts';
import { makeTool } from '../support/make-tool.ts';
import { outcomeOf, policyHost, textOf } from './policy-host.ts';

/** Every policy in the order that docs/policies.md names, on one service. */
function everything(play: Play) {
  const host = ptcHost({ plays: { main: play } });
  const { tools } = host;
  const lines: Record<string, unknown>[] = [];
  const store = policies.memorySpillStore();
  const asked: string[] = [];
  let dry = false;
  const register = {
    checkpoint: () => policies.checkpoint(tools),
    redact: () => policies.redact(tools, { patterns: [/sk-[\w-]+/] }),
    spill: () => policies.spill(tools, { maxInlineBytes: 400, store, exempt: [], onWarning() {} }),
    audit: () => policies.audit(tools, { write: (line) => void lines.push(JSON.parse(line)), now: () => 0 }),
    rules: () =>
      policies.rules(tools, {
        rules: [
          { name: 'no drops', decision: 'deny', tool: 'drop' },
          { name: 'careful', decision: 'ask', tool: 'write' },
          { name: 'rest', decision: 'allow' },
        ],
      }),
    provenance: () =>
      policies.provenance(tools, { untrusted: [{ tool: 'page' }], sensitive: [{ tool: 'send' }] }),
    approvals: () =>
      policies.approvals(tools, {
        answerers: [
          ({ toolName, reason }) => {
            asked.push(`${toolName}: ${reason}`);
            return 'allowed-once';
          },
        ],
      }),
    callBudget: () => policies.callBudget(tools, { perRun: 9 }),
    dryRun: () => (dry ? policies.dryRun(tools) : () => {}),
    cache: () => policies.cache(tools),
    retry: () => policies.retry(tools, { pause: async () => {} }),
    toolTimeout: () => policies.toolTimeout(tools),
    repeatReminder: () => policies.repeatReminder(tools, { thresholds: [2], include: ['read'] }),
  };
  return {
    ...host,
    lines,
    store,
    asked,
    names: Object.keys(register),
    register(options: { readonly dry?: boolean } = {}) {
      dry = options.dry === true;
      return Object.values(register).map((add) => add());
    },
  };
}

const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => value,
    (error: Error) => error.message,
  );

const PLAY: Play = async ({ tools }) => ({
  page: await outcome(tools['page']!()),
  again: [await outcome(tools['read']!()), await outcome(tools['read']!())],
  write: await outcome(tools['write']!()),
  drop: await outcome(tools['drop']!()),
  send: await outcome(tools['send']!()),
  flaky: await outcome(tools['flaky']!()),
});

function withTools(host: ReturnType<typeof everything>) {
  const bodies: string[] = [];
  const any = {
    schema: {},
    render: (_: unknown, value: unknown) => [{ type: 'text', text: JSON.stringify(value) }],
  };
  const add = (name: string, options: object, execute: () => unknown, timeoutMs?: number) =>
    host.tools.register(
      makeTool(name, {
        output: any,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        execute: async () => {
          bodies.push(name);
          return execute();
        },
      }),
      options,
    );
  add('page', { kind: 'fetch', readOnly: true }, () => 'token sk-live-1');
  add('read', { kind: 'read', readOnly: true }, () => 'x'.repeat(1000));
  for (const name of ['write', 'drop', 'send']) add(name, {}, () => name);
  let tries = 0;
  add(
    'flaky',
    { idempotent: true, readOnly: true },
    () => {
      tries += 1;
      if (tries < 2) throw new Error('again');
      return 'second';
    },
    1000,
  );
  return bodies;
}

describe('all policies at once', () => {
  it('each does its part for the calls of a program, in the documented order', async () => {
    const host = everything(PLAY);
    host.register();
    const bodies = withTools(host);
    const result = await host.run('main');
    expect(result.value).toEqual({
      logs: [],
      result: {
        page: 'token sk-live-1',
        again: ['x'.repeat(1000), 'x'.repeat(1000)],
        write: 'write',
        drop: 'Rule "no drops" denies the call of "drop"',
        send: 'send',
        flaky: 'second',
      },
    });
    // The second read came from the cache, the denied call never ran, and the failed one ran twice.
    expect(bodies).toEqual(['page', 'read', 'write', 'send', 'flaky', 'flaky']);
    expect(host.asked).toEqual([
      'write: Rule "careful" asks before "write"',
      'send: "send" is sensitive, and this run has read untrusted text from "page"',
    ]);
    // Hidden before it was put away, so the saved copy does not show it either.
    expect(textOf(result)).toContain('left out');
    expect(
      JSON.stringify([textOf(result), host.store.read('memory:3'), host.agent.of('tool/ptc-dispatch')]),
    ).not.toContain('sk-live');
    expect(host.lines.map(({ tool, policy, decision }) => `${tool} ${policy} ${decision}`)).toEqual([
      'run_code rules allow',
      'page rules allow',
      'read rules allow',
      'read rules allow',
      'write rules ask',
      'write approvals answer',
      'drop rules deny',
      'send provenance ask',
      'send rules allow',
      'send approvals answer',
      'flaky rules allow',
    ]);
    expect(result.additionalContexts?.map(({ source }) => source)).toEqual([
      { kind: 'plugin', plugin: 'repeat-reminder' },
    ]);
  });

  it('a dry run stands outside cache, retry and deadline: nothing that writes is made', async () => {
    const host = everything(PLAY);
    host.register({ dry: true });
    const bodies = withTools(host);
    const result = await host.run('main');
    expect(bodies).toEqual(['page', 'read', 'flaky', 'flaky']);
    expect(textOf(result)).toContain('calls that were not made (2):');
  });

  it('a direct call goes through the same policies', async () => {
    const host = everything(PLAY);
    host.register();
    const bodies = withTools(host);
    const call = (name: string) =>
      host.tools.pipeline.execute({
        callId: `direct ${name}` as never,
        name,
        arguments: {},
        agent: host.agent,
        signal: host.controller.signal,
      });
    expect(textOf(await call('page'))).toBe('"token [redacted]"');
    expect(textOf(await call('read'))).toContain('left out');
    expect(outcomeOf(await call('drop'))).toBe('Rule "no drops" denies the call of "drop"');
    expect(outcomeOf(await call('write'))).toBe('ok');
    expect(outcomeOf(await call('flaky'))).toBe('ok');
    expect(bodies).toEqual(['page', 'read', 'write', 'flaky', 'flaky']);
  });

  it('once all are disposed of, calls are as they were without any', async () => {
    const host = everything(PLAY);
    const disposers = host.register();
    const bodies = withTools(host);
    for (const dispose of [...disposers, ...disposers]) dispose();
    const result = await host.run('main');
    expect((result.value as { result: { drop: string } }).result.drop).toBe('drop');
    expect(textOf(result)).toContain('sk-live-1');
    expect(bodies).toHaveLength(7);
    expect(host.lines).toEqual([]);
  });

  it('the order is the one that the documentation names', () => {
    const order = [...readFileSync('docs/policies.md', 'utf8').matchAll(/^\d+\. `(\w+)`/gm)].map(
      ([, name]) => name,
    );
    expect(order).toEqual(everything(PLAY).names);
  });
});

describe('policies out of guards and observers', () => {
  it('Q27: once a final output is seen, all further calls are denied', async () => {
    const host = policyHost();
    host.tools.register(makeTool('finish'));
    host.tools.register(makeTool('work'));
    let isFinished = false;
    host.tools.on('tools/result', ({ name }, { isError }) => {
      isFinished ||= name === 'finish' && !isError;
    });
    host.tools.guard(() => (isFinished ? 'the output is final' : undefined));
    const outcomes: string[] = [];
    for (const name of ['work', 'finish', 'work', 'finish']) outcomes.push(outcomeOf(await host.call(name)));
    expect(outcomes).toEqual(['ok', 'ok', 'the output is final', 'the output is final']);
  });

  it('Q27: a delegated child scope has its restriction before its first call', async () => {
    const host = policyHost();
    host.tools.register(makeTool('work'));
    host.tools.register(makeTool('delegate'));
    const child = { id: 'child', parent: host.agent };
    host.tools.on('tools/pre-execute', async ({ name }, next) => {
      if (name === 'delegate') host.tools.scoped(child).restrict({ allow: ['delegate'] });
      return next();
    });
    await host.call('delegate');
    expect(outcomeOf(await host.call('work', {}, { agent: child }))).toBe('UNKNOWN_TOOL');
    expect(outcomeOf(await host.call('work'))).toBe('ok');
  });
});
