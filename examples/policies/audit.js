// One line per decision, with the rule that made it.
import { audit, createTools, rules } from 'ptc-runtime';
import { call, tool } from './support.js';

const tools = createTools();
tools.register(tool('drop_table'));
audit(tools, {
  write(line) {
    const { tool, policy, rule, decision } = JSON.parse(line);
    console.log(tool, policy, rule, decision); // drop_table rules dropping deny
  },
});
rules(tools, { rules: [{ name: 'dropping', decision: 'deny', tool: 'drop_*' }] });
await call(tools, 'drop_table');
