// A question is put to somebody, who may say why not.
import { approvals, createTools, rules } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
tools.register(tool('deploy'));
rules(tools, { rules: [{ decision: 'ask', tool: 'deploy', reason: 'it goes live' }] });
approvals(tools, {
  answerers: [({ reason }, exec) => ({ outcome: 'rejected', note: `${reason} with ${exec.arguments.to}` })],
  timeoutMs: 60_000,
});
console.log(text(await call(tools, 'deploy', { to: 'everybody' })));
// Error: The call of "deploy" was rejected by the approver: it goes live with everybody
