import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolDefinition } from '#dist/runtime/contract/definition.js';
import { callInput, context, fakeHost, fakeTool, text } from './fake-host.ts';

/** What may come out of a listener or a callback instead of what is wanted. */
const HOSTILE: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 7,
  () => 'text',
  () => [],
  () => ({}),
  () => ({ kind: 'accept', content: undefined, value: undefined }),
  () => ({ kind: 'accept', value: 1n }),
  () => ({ kind: 'accept', value: { a: 2 }, additionalContexts: [context('d')] }),
  () => ({ kind: 'accept', content: [text('c')] }),
  () => ({ kind: 'block', feedback: [] }),
  () => ({ kind: 'block', feedback: 5 }),
  () => ({ kind: 'allow' }),
  () => ({ kind: 'deny', reason: 'no' }),
  () => ({ kind: 'deny' }),
  () => ({ kind: 'ask' }),
  () => ({ kind: 'cancel' }),
  () => ({ isError: false, value: 3, content: [], concludesTurn: true }),
  () => ({ isError: false, value: () => {} }),
  () => ({ isError: true, error: { message: 'm' }, content: [text('m')], meta: new Map() }),
  () => ({
    isError: true,
    error: { message: 'm' },
    content: [text('m')],
    additionalContexts: [context('w')],
  }),
  () => ({ isError: true }),
  () => Object.create(null),
  () => [text('blocks')],
  () => [{ type: 'text' }],
  () => Promise.reject(new Error('a rejection')),
  () =>
    new Proxy(
      {},
      {
        get: (_target, key) => {
          if (key === 'then') return undefined;
          throw new Error('trap');
        },
        ownKeys: () => {
          throw new Error('trap');
        },
        getOwnPropertyDescriptor: () => {
          throw new Error('trap');
        },
        getPrototypeOf: () => {
          throw new Error('trap');
        },
      },
    ),
  () => ({
    get then(): never {
      throw { toString: null };
    },
  }),
];

const THROWN: readonly unknown[] = [
  new Error('boom'),
  undefined,
  { toString: null },
  Object.create(null),
  'text',
];

type Move = 'delegate' | 'hostile' | 'throw' | 'reject' | 'twice' | 'drop' | 'catch';
interface Step {
  readonly move: Move;
  readonly pick: number;
  /** Aborts the caller before or after the move. */
  readonly abort: 'none' | 'before' | 'after';
  readonly turns: number;
  readonly replacesSignal: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  move: fc.constantFrom<Move>(
    'delegate',
    'delegate',
    'delegate',
    'hostile',
    'throw',
    'reject',
    'twice',
    'drop',
    'catch',
  ),
  pick: fc.nat(1_000),
  abort: fc.constantFrom('none', 'none', 'none', 'none', 'before', 'after'),
  turns: fc.nat(3),
  replacesSignal: fc.boolean(),
});

const plan = fc.record({
  pre: fc.array(step, { maxLength: 3 }),
  guard: fc.option(step),
  around: fc.array(step, { maxLength: 3 }),
  body: step,
  post: fc.array(step, { maxLength: 3 }),
  render: fc.option(step),
  project: fc.option(step),
  finalize: fc.option(step),
  observers: fc.array(step, { maxLength: 2 }),
  approver: fc.option(step),
  args: fc.constantFrom<unknown>({ a: 1 }, [], null, 'text', 1n, undefined, new Map()),
  preAborted: fc.constantFrom(false, false, false, true),
  staged: fc.boolean(),
});

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

async function wait(turns: number) {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

/** Every object reachable from a value, itself included. */
function reachable(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(reachable)];
}

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', onUnhandled));
afterAll(() => void process.off('unhandledRejection', onUnhandled));

describe('whatever listeners, callbacks and callers do', () => {
  it('P56, P57, P59, P60, P67, P68: a call settles once, with one deep-frozen result, one result event and at most one body and one final content', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (chosen) => {
        const controller = new AbortController();
        const counts = { body: 0, finalize: 0, running: 0 };
        let abortedBeforeFinal: boolean | undefined;
        const sync = (each: Step): unknown => {
          if (each.abort !== 'none') controller.abort();
          if (each.move === 'throw') throw pick(THROWN, each.pick);
          if (each.move === 'reject') return Promise.reject(pick(THROWN, each.pick));
          return pick(HOSTILE, each.pick)();
        };
        const listener =
          (each: Step) =>
          async (...args: unknown[]) => {
            const next = args.at(-1) as () => Promise<unknown>;
            counts.running += 1;
            try {
              if (each.abort === 'before') controller.abort();
              await wait(each.turns);
              if (each.replacesSignal && args.length === 2) {
                (args[0] as { signal: unknown }).signal =
                  each.pick % 3 === 0 ? 'none' : new AbortController().signal;
              }
              const outcome = await perform(each, next);
              if (each.abort === 'after') controller.abort();
              return outcome as never;
            } finally {
              counts.running -= 1;
            }
          };
        const tool = fakeTool({
          output: {
            schema: {},
            render: () => (chosen.render === null ? [text('r')] : (sync(chosen.render) as never)),
          },
          execute: async (_args, exec) => {
            counts.body += 1;
            counts.running += 1;
            try {
              await wait(chosen.body.turns);
              exec.deferContext(context('tool'));
              if (chosen.body.pick % 2 === 0) exec.concludeTurn();
              if (chosen.body.abort !== 'none') controller.abort();
              return chosen.body.move === 'delegate' ? { ok: true } : sync(chosen.body);
            } finally {
              counts.running -= 1;
            }
          },
          ...(chosen.project !== null && { projectContent: () => sync(chosen.project!) as never }),
          finalizeContent: (() => {
            counts.finalize += 1;
            abortedBeforeFinal = controller.signal.aborted;
            return chosen.finalize === null ? undefined : sync(chosen.finalize);
          }) as never,
        } satisfies Partial<ToolDefinition>);
        const host = fakeHost(tool);
        for (const each of chosen.pre) host.on('tools/pre-execute', listener(each));
        for (const each of chosen.around) host.on('tools/execute', listener(each));
        for (const each of chosen.post) host.on('tools/post-execute', listener(each));
        for (const each of chosen.observers) host.on('tools/result', () => sync(each) as never);
        if (chosen.guard !== null) host.guards.push(() => sync(chosen.guard!) as never);
        if (chosen.approver !== null) host.approvals = { request: () => sync(chosen.approver!) as never };
        if (chosen.preAborted) controller.abort();
        const input = callInput({
          arguments: chosen.args,
          signal: controller.signal,
          agent: { id: 'a' },
        });
        let result: Awaited<ReturnType<typeof host.pipeline.execute>>;
        if (chosen.staged) {
          const call = host.pipeline.stage(input);
          if (await call.prepare()) await call.dispatch();
          result = await call.finish();
        } else result = await host.pipeline.execute(input);

        expect(counts.running).toBe(0);
        expect(counts.body).toBeLessThanOrEqual(1);
        expect(counts.finalize).toBe(1);
        expect(host.observed.map((each) => each.result)).toEqual([result]);
        expect(host.observed[0]!.result).toBe(result);
        expect(reachable(result).filter((part) => !Object.isFrozen(part))).toEqual([]);
        expect(Object.isFrozen(host.observed[0]!.exec)).toBe(true);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(Object.hasOwn(result, 'value')).toBe(!result.isError);
        if (result.isError) expect(result.concludesTurn).toBeUndefined();
        if (result.concludesTurn) expect([counts.body, chosen.body.pick % 2]).toEqual([1, 0]);
        if (!result.isError) expect(abortedBeforeFinal).toBe(false);
        await wait(5);
        expect(host.observed).toHaveLength(1);
      }),
      { numRuns: 1_500 },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

async function perform(each: Step, next: () => Promise<unknown>): Promise<unknown> {
  switch (each.move) {
    case 'delegate':
      return next();
    case 'twice':
      await next();
      return next();
    case 'drop':
      void next();
      return pick(HOSTILE, each.pick)();
    case 'catch':
      try {
        return await next();
      } catch {
        return pick(HOSTILE, each.pick)();
      }
    case 'throw':
      throw pick(THROWN, each.pick);
    case 'reject':
      return Promise.reject(pick(THROWN, each.pick));
    case 'hostile':
      return pick(HOSTILE, each.pick)();
  }
}
