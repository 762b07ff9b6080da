export {
  type JsonlSession,
  type JsonlSessionOptions,
  jsonlSession,
  type LoggedEvent,
} from './jsonl-session.js';
