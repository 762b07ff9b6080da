// What a model reads has no secrets; JSON stays JSON, and the value stays whole.
import { createTools, redact } from 'ptc-runtime';
import { call, text, tool } from './support.js';

const tools = createTools();
const login = async () => ({ user: 'ann', password: 'correct horse', note: 'key sk-live-1' });
tools.register(tool('login', login));
redact(tools, { patterns: [/sk-[\w-]+/], fields: ['password'] });
const result = await call(tools, 'login');
console.log(text(result)); // {"user":"ann","password":"[redacted]","note":"key [redacted]"}
console.log(result.value.password); // correct horse
