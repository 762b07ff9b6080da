import { type McpServerConfig, registerMcpTools } from 'ptc-runtime/adapters/mcp-client';
import { afterEach, describe, expect, it } from 'vitest';
import { gate } from '../../support/gate.ts';
import { stdioServer } from '../../support/mcp-host.ts';
import { type McpHttpTestServer, startMcpHttpServer } from '../../support/mcp-http-server.ts';
import { type Answerer, runCode, type Served, served, textOf } from '../../support/mcp-served.ts';

const FORM = {
  message: 'Which branch?',
  requestedSchema: {
    type: 'object',
    properties: { branch: { type: 'string', default: 'main' } },
    required: ['branch'],
  },
};
const ELICIT = { method: 'elicitation/create', params: FORM };
const SAMPLE = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
};
const program = (asked: object) => `return await tools.ask(${JSON.stringify(asked)})`;
const answerOf = (result: { readonly content?: unknown }) => JSON.parse(textOf(result));

describe.each(['stdio', 'http'] as const)('what a server behind asks, over %s', (transport) => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function open(config: Partial<McpServerConfig> = {}): Promise<Served> {
    const host = await served();
    closers.push(() => host.close());
    let server = stdioServer({}, config);
    if (transport === 'http') {
      const remote: McpHttpTestServer = await startMcpHttpServer();
      closers.push(() => remote.close());
      server = { name: 'local', url: remote.url, headers: {}, ...config } as McpServerConfig;
    }
    const mcp = await registerMcpTools(host.tools, [server], {
      elicit: (question) => host.service.elicit(question),
      sample: (question) => host.service.sample(question),
    });
    closers.push(() => mcp.close());
    return host;
  }

  it.each(['legacy', 'auto'] as const)(
    'is put to the person whose call it was given, and the answer goes back to it (%s)',
    async (era) => {
      const host = await open();
      const seen: unknown[] = [];
      const connected = await host.connect(era, (message, { requestedSchema }) => {
        seen.push(message, requestedSchema);
        return { action: 'accept', content: { branch: 'next' } };
      });
      const answer = await runCode(connected, program(ELICIT));
      expect(answerOf(answer)).toEqual({ action: 'accept', content: { branch: 'next' } });
      expect(seen).toEqual(['"local" asks: Which branch?', FORM.requestedSchema]);
      expect(host.warnings).toEqual([]);
    },
  );

  it.each(['decline', 'cancel'] as const)('%s is told as that', async (action) => {
    const host = await open();
    const connected = await host.connect('legacy', () => ({ action }));
    expect(answerOf(await runCode(connected, program(ELICIT)))).toEqual({ action });
  });

  it.each(['legacy', 'auto'] as const)(
    'is declined where the client takes no forms, which is told in a line (%s)',
    async (era) => {
      const host = await open();
      expect(answerOf(await runCode(await host.connect(era), program(ELICIT)))).toEqual({
        action: 'decline',
      });
      expect(host.warnings).toEqual([
        'a question of "local" was declined: the client that called offers no elicitation',
      ]);
    },
  );

  it('of two clients, only the one that is meant is asked; where that cannot be told, nobody is', async () => {
    const host = await open();
    const asked: string[] = [];
    const bothAsk = gate();
    const answerAs =
      (name: string): Answerer =>
      async () => {
        asked.push(name);
        if (asked.length === 2) bothAsk.open();
        await bothAsk.promise;
        return { action: 'accept', content: { branch: name } };
      };
    const [one, two] = [
      await host.connect('legacy', answerAs('one')),
      await host.connect('legacy', answerAs('two')),
    ];
    if (transport === 'stdio') {
      const waits = new AbortController();
      const pending = runCode(one, 'await tools.hang({})', waits.signal).catch(() => {});
      await expect.poll(() => one.heard.progress.length).toBe(1);
      expect(answerOf(await runCode(two, program(ELICIT)))).toEqual({ action: 'decline' });
      waits.abort();
      await pending;
      expect(asked).toEqual([]);
      expect(host.warnings[0]).toContain('calls of several clients were under way');
      return;
    }
    const answers = await Promise.all([one, two].map((client) => runCode(client, program(ELICIT))));
    expect(answers.map((answer) => answerOf(answer).content.branch)).toEqual(['one', 'two']);
    expect(asked.sort()).toEqual(['one', 'two']);
  });

  it('asks a model only where its configuration lets it', async () => {
    const reply = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } };
    const withModel = async (host: Served) => {
      const connected = await host.connect(
        'legacy',
        () => ({ action: 'decline' }),
        () => reply,
      );
      return answerOf(await runCode(connected, program(SAMPLE)));
    };
    expect((await withModel(await open())).error.code).toBe(-32601);
    const allowed = await open({ sampling: true });
    expect(await withModel(allowed)).toEqual(reply);
    const { error } = answerOf(await runCode(await allowed.connect('legacy'), program(SAMPLE)));
    expect(error.message).toContain('No model was asked: the client that called offers no sampling');
  });
});
