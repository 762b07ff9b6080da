import { approvals, createGrants, redact, rules, toolCallId } from 'ptc-runtime';
import { expect } from 'vitest';
import { type CaseHost, type CaseHostOptions, type CaseOutcome, namedTool } from '../support/case-host.ts';

/** How one case is judged where its header names no plain value. */
export interface Expectation {
  readonly options?: Partial<CaseHostOptions>;
  readonly check?: (outcome: CaseOutcome, host: CaseHost) => void | Promise<void>;
  /** Why the case is not run through a program here. */
  readonly elsewhere?: string;
}

const MIB = 1024 * 1024;

const noObject = ({ run }: CaseOutcome): void => {
  expect(run.error).toBeUndefined();
  expect(JSON.stringify(run.value)).not.toContain('"object"');
};
const fails =
  (kind: string, ...texts: string[]) =>
  ({ result, run, text }: CaseOutcome): void => {
    expect(result.isError).toBe(true);
    expect(run.error?.kind).toBe(kind);
    for (const wanted of texts) expect(text).toContain(wanted);
  };
const failsAs =
  (kinds: readonly string[]) =>
  ({ run }: CaseOutcome): void => {
    expect(kinds).toContain(run.error?.kind);
  };
const value =
  (wanted: unknown) =>
  ({ run }: CaseOutcome): void => {
    expect(run.error).toBeUndefined();
    expect(run.value).toEqual(wanted);
  };

/** Keyed by the case's number. */
export const expectations: Readonly<Record<string, Expectation>> = {
  '001': { check: noObject },
  '003': { check: noObject },
  '004': { check: ({ run }) => expect((run.value as { after: number }).after).toBe(3) },
  '006': { check: noObject },
  '007': { check: noObject },
  '009': { check: noObject },
  '010': {
    check: ({ run }, { bodies, recorded }) => {
      expect(bodies).not.toContain('danger');
      if (!run.error) expect(recorded).toEqual(['plain']);
    },
  },
  '012': { check: value({ hostPath: false }) },
  '013': { elsewhere: 'no option takes cached code' },
  '014': { options: { computeMs: 500 }, check: fails('timeout') },
  '016': { options: { wallMs: 2000 }, check: fails('deadlock') },
  '017': {
    options: { wallMs: 2000, maxCalls: 1000 },
    check: async ({ run }, { bodies }) => {
      expect(run.error).not.toBeUndefined();
      const before = bodies.length;
      await new Promise((resolve) => setImmediate(resolve));
      expect(bodies.length).toBe(before);
    },
  },
  '019': { options: { memoryMb: 64 }, check: failsAs(['memory-limit']) },
  '020': { options: { memoryMb: 128 }, check: failsAs(['memory-limit', 'timeout', 'exception']) },
  '022': { options: { memoryMb: 64 }, check: failsAs(['memory-limit']) },
  '023': {
    options: { memoryMb: 32 },
    check: ({ run }) => {
      if (run.error) expect(['memory-limit', 'exception']).toContain(run.error.kind);
      else expect(run.value).toBe(268_435_456);
    },
  },
  '025': { elsewhere: 'host steps' },
  '026': { options: { computeMs: 500 }, check: fails('timeout') },
  '028': {
    options: { wallMs: 2000, computeMs: 1000 },
    check: failsAs(['timeout', 'memory-limit', 'exception']),
  },
  '029': { options: { computeMs: 1000 }, check: fails('timeout') },
  '031': {
    options: { maxOutputBytes: 20_000 },
    check: (outcome) => {
      fails('output-limit', 'Error: cause-at-front')(outcome);
      expect(Buffer.byteLength(outcome.run.error?.message ?? '')).toBeLessThanOrEqual(20_000);
    },
  },
  '032': {
    options: { maxContentBytes: 20_000 },
    check: (outcome) => {
      value('finished')(outcome);
      expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(20_000);
    },
  },
  '034': { check: fails('invalid-output') },
  '035': {
    check: ({ run }) => (run.error ? expect(run.error.kind).toBe('syntax') : expect(run.value).toBe(1)),
  },
  '037': { check: value('done') },
  '038': { options: { computeMs: 300, wallMs: 10_000 } },
  '040': { elsewhere: 'host steps' },
  '056': {
    check: (outcome) => (outcome.run.error ? fails('syntax', 'ecorator')(outcome) : value('Tagged')(outcome)),
  },
  '057': {
    check: (outcome) => {
      fails('syntax', 'SyntaxError')(outcome);
      expect(outcome.run.error?.position?.line).toBe(3);
    },
  },
  '059': { check: ({ run }) => expect(run.error?.position?.line).toBe(4) },
  '060': { options: { computeMs: 300 }, check: fails('timeout') },
  '062': { check: fails('exception', '409', 'version conflict') },
  '063': { check: fails('exception', 'undefined') },
  '068': { check: fails('exception', 'mirror one', 'mirror two') },
  '069': {
    options: { computeMs: 300 },
    check: (outcome) => {
      fails('timeout', 'record', 'stage 1 complete')(outcome);
      expect(outcome.run.error?.calls?.completed.map(({ name }) => name)).toEqual(['record']);
    },
  },
  '070': { check: fails('invalid-output', 'bigint') },
  '072': { check: fails('invalid-output', 'value.list[0]') },
  '073': {
    check: ({ result, run, text }) => {
      expect(result.isError).toBe(false);
      expect('value' in run).toBe(false);
      expect(text).toContain('completed with no output');
    },
  },
  '079': { check: fails('invalid-output', 'ircular') },
  '081': { check: fails('invalid-output', 'sum', 'await') },
  '082': { check: fails('invalid-output', 'lazy field') },
  '084': {
    options: {
      tools: [
        {
          ...namedTool('secretTool'),
          execute: async () => ({ token: 'sk-test-"quoted\\\\', note: 'fine', n: 1 }),
        },
      ],
      setup: (tools) => void redact(tools, { patterns: [/sk-[^ ]+/] }),
    },
    check: (outcome, { events }) => {
      value({ keys: ['n', 'note', 'token'], n: 1 })(outcome);
      const logged = events.find(({ type }) => type === 'tool/ptc-dispatch');
      const [block] = (logged?.payload['content'] ?? []) as { text: string }[];
      expect(JSON.parse(block?.text ?? '')).toEqual({ token: '[redacted]', note: 'fine', n: 1 });
    },
  },
  '085': {
    check: ({ run }, { bodies }) => {
      expect(run.error).toBeUndefined();
      expect(new Set(Object.values(run.value as object))).toEqual(new Set(['rejected']));
      expect(bodies).toEqual([]);
    },
  },
  '087': {
    check: (outcome, { bodies }) => {
      value(['function', 3])(outcome);
      expect(bodies).toEqual(['add']);
    },
  },
  '088': {
    options: { tools: ['then', 'toJSON', 'catch'].map(namedTool) },
    check: async (outcome, host) => {
      value('alive')(outcome);
      expect(host.bodies).toEqual([]);
      const reached = await host.run('return await sdk.call("then", {})');
      expect(reached.run.value).toEqual({ reached: 'then', args: {} });
      const others = await host.run(
        'return [await tools.toJSON({}), await tools.catch({})].map((r: any) => r.reached)',
      );
      expect(others.run.value).toEqual(['toJSON', 'catch']);
    },
  },
  '094': {
    options: {
      tools: ['console', 'tools', 'exec', 'Promise', 'JSON', 'globalThis', 'undefined', 'result'].map(
        namedTool,
      ),
    },
  },
  '096': { check: fails('exception', 'functions is not defined', 'tools.add(') },
  '133': { check: startsAndEndsMatch },
  '134': {
    check: (outcome, host) => {
      value('done')(outcome);
      expect(host.recorded).toEqual([]);
      startsAndEndsMatch(outcome, host);
    },
  },
  '130': {
    check: (outcome, host) => {
      value('quick')(outcome);
      // What had not finished is named; what finished in time may have gone on to record. Nothing happens later.
      const open = outcome.run.unawaited ?? [];
      for (const { name } of open) expect(outcome.text).toContain(name);
      if (host.recorded.length === 0) expect(host.bodies).not.toContain('record');
      startsAndEndsMatch(outcome, host);
    },
  },
  '136': {
    check: (outcome, { recorded }) => {
      value('first')(outcome);
      expect(recorded).toEqual(['kept']);
    },
  },
  '140': {
    check: (outcome, { recorded }) => {
      fails('exception', 'main problem')(outcome);
      expect(recorded).toEqual(['cleanup']);
    },
  },
  '142': { elsewhere: 'host steps' },
  '143': { elsewhere: 'host steps' },
  '159': { elsewhere: 'MCP servers' },
  '162': {
    check: ({ run }, { bodies }) => {
      expect(run.error).toBeUndefined();
      expect(run.value).toEqual({ handles: [] });
      expect(bodies).not.toContain('danger');
    },
  },
  '160': {
    check: (outcome, { bodies, recorded }) => {
      value(['denied', 'ok'])(outcome);
      expect(bodies).toEqual(['record']);
      expect(recorded).toHaveLength(1);
    },
  },
  '163': {
    check: (outcome, { bodies }) => {
      value('denied')(outcome);
      expect(bodies).toEqual([]);
    },
  },
  '165': {
    options: {
      setup: (tools) =>
        void approvals(tools, { answerers: [() => ({ outcome: 'rejected', note: 'not today' })] }),
    },
  },
  '166': {
    options: {
      computeMs: 500,
      wallMs: 2000,
      pauseWallDuringApprovals: true,
      setup: (tools) =>
        void approvals(tools, {
          answerers: [() => new Promise((resolve) => setTimeout(resolve, 3000, 'allowed-once'))],
        }),
    },
    check: value('approved'),
  },
  '169': {
    options: {
      tools: ['read-only', 'read_only'].map(namedTool),
      setup: (tools, agent) => {
        const grants = createGrants(tools);
        rules(tools, {
          rules: [{ decision: 'ask', tool: ['read-only', 'read_only'] }],
          otherwise: 'allow',
          grants,
        });
        approvals(tools, { answerers: [() => 'rejected'] });
        const callId = toolCallId('earlier');
        grants.allowForSession({ agent, name: 'read-only', arguments: {}, callId, rootCallId: callId });
      },
    },
    check: (outcome, { bodies }) => {
      value(['ran', 'asked-and-denied'])(outcome);
      expect(bodies).toEqual(['read-only']);
    },
  },
  '171': {
    options: {
      approval: {
        request: (() => {
          let asked = 0;
          return async () => {
            asked += 1;
            return asked < 3 ? ('allowed-once' as const) : ('rejected' as const);
          };
        })(),
      },
    },
  },
  '178': { check: value(3) },
  '183': { check: fails('syntax', 'import', 'tools.') },
  '186': { check: (outcome) => fails(outcome.run.error?.kind ?? 'exception', 'TypeScript')(outcome) },
  '187': { check: fails('exception', 'parsed') },
  '189': {
    check: ({ run, text }) => {
      expect(run.error).toBeUndefined();
      for (const wanted of ['a: 1', 'c: 2', "'k'", '5n', 'inner text', 'undefined', 'null'])
        expect(text).toContain(wanted);
      expect(text).not.toContain('[object Object]');
    },
  },
  '190': { check: fails('exception', 'broke at 2', 'step 1', 'step 2') },
};

function startsAndEndsMatch(_: CaseOutcome, { events }: CaseHost): void {
  const ids = (type: string) =>
    events.filter((event) => event.type === type).map(({ payload }) => payload['subCallId']);
  expect([...ids('tool/ptc-dispatch')].sort()).toEqual([...ids('tool/ptc-dispatch-start')].sort());
}

/** Largest content that any case may hand to the model. */
export const CONTENT_CAP_BYTES = 64 * 1024 + MIB;
