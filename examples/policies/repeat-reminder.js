// The same call again and again brings a message; a message of the user ends the row.
import { createTools, repeatReminder } from 'ptc-runtime';
import { agent, call, tool } from './support.js';

const tools = createTools();
tools.register(tool('status'));
const reminder = repeatReminder(tools, { thresholds: [2] });
const reminders = async () => (await call(tools, 'status')).additionalContexts?.length ?? 0;
console.log(await reminders(), await reminders()); // 0 1
reminder.messages(agent, [{ source: { kind: 'user' } }]);
console.log(await reminders()); // 0
