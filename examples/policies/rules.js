// An ordered list by kind and arguments; a denial is final, and nothing slips through as a/../secret.
import { createTools, rules } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
tools.register(tool('read_file'), { kind: 'read' });
rules(tools, {
  rules: [
    { decision: 'allow', kind: ['read', 'search'] },
    { name: 'secrets', decision: 'deny', arguments: [{ at: '$.path', path: 'secret/**' }] },
  ],
});
console.log(text(await call(tools, 'read_file', { path: 'src/index.ts' }))); // "read_file"
console.log(text(await call(tools, 'read_file', { path: 'src/../secret/key' })));
// Error: Rule "secrets" denies the call of "read_file"
