// A large result goes into a store; head, tail and a notice stay.
import { createTools, memorySpillStore, spill } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
const store = memorySpillStore();
tools.register(tool('log', async () => 'line of the log\n'.repeat(500)));
spill(tools, { maxInlineBytes: 200, store });
const shown = text(await call(tools, 'log'));
console.log(Buffer.byteLength(shown) <= 200, shown.endsWith('The host keeps the rest as memory:1.]'));
console.log(store.read('memory:1').content.length > 5000);
