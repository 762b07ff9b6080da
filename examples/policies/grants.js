// "Always for this tool" is a grant: kept by the tool's source and own name, consulted by the rules.
import { createGrants, createTools, rules } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
tools.register(tool('write'), { source: 'files' });
tools.register(tool('write_2'), { source: 'elsewhere', sourceName: 'write' });
const grants = createGrants(tools);
tools.setApproval({
  request(_request, exec) {
    grants.allowForSession(exec);
    return 'allowed-once';
  },
});
rules(tools, { rules: [{ decision: 'ask' }], grants });
for (const name of ['write', 'write', 'write_2']) console.log(text(await call(tools, name)));
