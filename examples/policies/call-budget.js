// So many calls of a run, of a tool, a minute; the reason says what is left.
import { callBudget, createTools } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
tools.register(tool('search'));
callBudget(tools, { perMinute: 2, maxCost: 10, cost: ({ arguments: args }) => args.pages ?? 1 });
console.log(text(await call(tools, 'search', { pages: 3 }))); // "search"
console.log(text(await call(tools, 'search', { pages: 20 }))); // Error: The call of "search" costs 20, …
console.log(text(await call(tools, 'search'))); // "search"
console.log(text(await call(tools, 'search'))); // Error: The limit of 2 calls a minute is reached, …
