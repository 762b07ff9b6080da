// A sensitive call in a run that has read something untrusted becomes a question.
import { createTools, provenance } from 'ptc-runtime';
import { agent, tool } from './support.js';

const tools = createTools();
tools.register(tool('fetch_page'), { kind: 'fetch', source: 'web' });
tools.register(tool('send_mail'));
provenance(tools, { untrusted: [{ kind: 'fetch' }], sensitive: [{ tool: 'send_*' }] });
// Two calls of one run: they have the same root.
const run = (callId, name) =>
  tools.pipeline.execute({
    callId,
    rootCallId: 'run',
    name,
    arguments: {},
    agent,
    signal: AbortSignal.timeout(1000),
  });
await run('run:1', 'fetch_page');
console.log((await run('run:2', 'send_mail')).error.message);
// "send_mail" is sensitive, and this run has read untrusted text from "fetch_page" (web)
