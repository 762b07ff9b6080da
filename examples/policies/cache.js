// Reading tools are answered from an earlier call, until something is written.
import { cache, createTools } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
let reads = 0;
const read = async () => {
  reads += 1;
  return `read ${reads}`;
};
tools.register(tool('read', read), { readOnly: true });
tools.register(tool('write'));
cache(tools, { scope: 'host', maxAgeMs: 10_000, maxEntries: 100 });
for (const name of ['read', 'read', 'write', 'read']) console.log(text(await call(tools, name)));
// "read 1", "read 1", "write", "read 2"
