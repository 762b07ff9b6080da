// A tool that says it may be repeated is tried again; the deadline inside it holds for each attempt.
import { createTools, retry, toolTimeout } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
let attempts = 0;
const fetchPage = async () => {
  attempts += 1;
  if (attempts < 3) throw new Error('try again later');
  return `page, after ${attempts} attempts`;
};
tools.register({ ...tool('fetch_page', fetchPage), timeoutMs: 1000 }, { idempotent: true });
retry(tools, { attempts: 3, backoffMs: 5 });
toolTimeout(tools);
console.log(text(await call(tools, 'fetch_page'))); // "page, after 3 attempts"
