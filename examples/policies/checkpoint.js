// The session is safe before a body runs; what a crash left open is ended when the session is opened again.
import { checkpoint, createTools, recoverUnknownOutcomes } from 'ptc-runtime';
import { agent, call, text, tool } from './support.js';

const tools = createTools();
agent.session.flush = async () => console.log('flushed'); // flushed
checkpoint(tools);
tools.register(tool('write'));
console.log(text(await call(tools, 'write'))); // "write"

const open = { turn: 1, step: 1, callId: 'lost', name: 'write', arguments: '{}' };
const session = {
  id: 'opened again',
  append: (type, { error }) => console.log(type, error.code), // tool/result TOOL_OUTCOME_UNKNOWN
  events: (type) => (type === 'tool/call' ? [open] : []),
};
recoverUnknownOutcomes(session);
