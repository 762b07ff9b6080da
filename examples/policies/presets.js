// A preset writes rules by kind of tool; own rules stand before them.
import { approvals, createTools, preset, rules } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
tools.register(tool('look'), { kind: 'read' });
tools.register(tool('format'), { kind: 'edit' });
tools.register(tool('remove'), { kind: 'delete' });
rules(tools, { preset: 'read-only', rules: [{ decision: 'allow', tool: 'format' }] });
approvals(tools, { policy: preset('read-only').approval });
for (const name of ['look', 'format', 'remove']) console.log(text(await call(tools, name)));
// "look", "format", Error: No rule allows the call of "remove"
