// Only reading tools run; the others answer with a marked placeholder.
import { createTools, dryRun } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
tools.register(tool('list'), { readOnly: true });
tools.register(
  tool('remove', async () => {
    throw new Error('this must not run');
  }),
);
dryRun(tools);
console.log(text(await call(tools, 'list'))); // "list"
console.log(text(await call(tools, 'remove', { path: 'a' }))); // {"dryRun":true} … [dry run] remove({"path":"a"})
