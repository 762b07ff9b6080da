import type { Symptom } from './hints.js';
import { isCommand, looksLikeShell, SHELL_HINT } from './shell.js';
import { mainNamespace, memberPath, type NamedMembers, toolsSentence } from './tool-names.js';

/** Built-ins that are younger than some engine in use. */
export const NEWER_THAN_ENGINE: readonly string[] = [
  'Object.groupBy',
  'Map.groupBy',
  'Promise.withResolvers',
  'Promise.try',
  'Array.fromAsync',
  'RegExp.escape',
  'Error.isError',
  'Math.sumPrecise',
  'Iterator.from',
  '.toSorted',
  '.toReversed',
  '.toSpliced',
  '.findLast',
  '.isWellFormed',
  '.toWellFormed',
  '.isSubsetOf',
  '.isSupersetOf',
  '.isDisjointFrom',
  '.symmetricDifference',
  '.intersection',
  '.difference',
  '.union',
  '.transfer',
];

/** Names that are younger than some engine in use. */
const NEWER_GLOBALS = new Set(
  'Iterator Float16Array DisposableStack AsyncDisposableStack SuppressedError'.split(' '),
);

/** What is said of something that the engine does not have yet. */
export const newer = (name: string): string =>
  `\`${name}\` is newer than this engine: write it with what the language had before.`;

/** Names under which models know tools from elsewhere. */
const NAMESPACE_NAMES = new Set(
  `functions function_calls functionCalls mcp api apis tool Tools toolbox client server agent assistant plugin plugins
  default_api multi_tool_use namespace host bridge runtime codemode context ctx skills actions services
  callTool call_tool invokeTool invoke_tool executeTool execute_tool runTool run_tool useTool use_tool callMcpTool mcpCall`.split(
    /\s+/,
  ),
);

/** Whether models know tools under that name, from elsewhere. */
export const isForeignNamespace = (name: string): boolean => NAMESPACE_NAMES.has(name);

/** What other places give to a program: modules, the network, files, the page. */
const ELSEWHERE = new Set(
  `require module exports __dirname __filename process Buffer global fs path os http https net child_process url util
  crypto events stream readline zlib fetch axios got request XMLHttpRequest WebSocket EventSource Headers Request Response
  FormData Blob File FileReader window document self navigator location localStorage sessionStorage indexedDB alert
  confirm prompt requestAnimationFrame setImmediate clearImmediate importScripts Worker MessageChannel BroadcastChannel
  Deno Bun jQuery lodash moment dayjs z zod React WebAssembly SharedArrayBuffer Atomics ShadowRealm Intl Temporal`.split(
    /\s+/,
  ),
);

/** Whether other places give a name to a program, and this one does not. */
export const isFromElsewhere = (name: string): boolean => ELSEWHERE.has(name);

/** What to write for a name that means something elsewhere, as a sentence. */
export const adviceFor = (name: string): string | undefined => MEANT.get(name);

const SLEEP = 'Write `await new Promise((done) => setTimeout(done, ms))`.';

const LANGUAGE_WORDS = new Set(['typescript', 'javascript', 'ts', 'js', 'python', 'bash', 'json']);

/** Names that mean something elsewhere, with what they are called here. */
const MEANT = new Map([
  ['print', 'Write `console.log(…)`.'],
  ['log', 'Write `console.log(…)`.'],
  ['len', 'Write `value.length`.'],
  ['None', 'Write `null`.'],
  ['True', 'Write `true`.'],
  ['False', 'Write `false`.'],
  ['sleep', SLEEP],
  ['delay', SLEEP],
  ['wait', SLEEP],
]);

/** Advice for a name that nothing declares. */
export const missingNameHint = ({ message, line, source, namespaces }: Symptom): string | undefined => {
  const name = /^'?([A-Za-z_$][\w$]*)'? is not defined$/.exec(message)?.[1];
  if (name === undefined) return undefined;
  if (new RegExp(`^\\s*${escaped(name)}\\s*=[^=>]`).test(line))
    return `Declare \`${name}\` with \`let\` or \`const\`.`;
  const main = mainNamespace(namespaces);
  const hyphened = main && behindHyphens(main, name, source);
  if (main && hyphened !== undefined)
    return `A name with a hyphen is quoted: write \`${memberPath(main.global, hyphened)}(…)\`.`;
  const meant = main && memberMeant(main, name);
  if (main && meant !== undefined) return callAs(main, meant);
  if (NAMESPACE_NAMES.has(name) || namespaces.some(({ global }) => similar(global, name)))
    return main ? callAs(main, memberBehind(main, name, source)) : toolsSentence(namespaces);
  if (LANGUAGE_WORDS.has(name) && new RegExp(`^\\s*${name}\\s*[\\r\\n]`).test(source))
    return `Leave out the word \`${name}\` on the first line: the program starts with its code.`;
  if (isCommand(name) && looksLikeShell(source)) return SHELL_HINT;
  const written = MEANT.get(name);
  if (written !== undefined) return written;
  if (NEWER_GLOBALS.has(name)) return newer(name);
  if (ELSEWHERE.has(name))
    return `\`${name}\` is not available in this sandbox. ${toolsSentence(namespaces)}`;
  return undefined;
};

/** The tool whose name was read as a subtraction: `tools.get-sum(…)`. */
const behindHyphens = (
  { global, members }: NamedMembers,
  name: string,
  source: string,
): string | undefined => {
  const written = new RegExp(`\\b${global}\\s*\\.\\s*([A-Za-z_$][\\w$]*(?:-[A-Za-z_$][\\w$]*)+)`, 'g');
  for (const [, found = ''] of source.matchAll(written)) {
    if (found.split('-').includes(name) && members.includes(found)) return found;
  }
  return undefined;
};

const callAs = (namespace: NamedMembers, member: string): string =>
  `Call tools as \`${memberPath(namespace.global, member)}(…)\`.`;

/** The tool that a bare name means: itself, or the one that differs in case and separators only. */
export const memberMeant = ({ members }: NamedMembers, name: string): string | undefined =>
  members.find((member) => member === name) ?? members.find((member) => similar(member, name));

/** An identifier in a regular expression. */
export const escaped = (name: string): string => name.replaceAll('$', '\\$');

const similar = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The tool that the program wanted of a namespace that is not there, else the first one. */
const memberBehind = (main: NamedMembers, name: string, source: string): string => {
  const used = new RegExp(
    `${escaped(name)}\\s*(?:\\??\\.\\s*([A-Za-z_$][\\w$]*)|\\(\\s*["'\`]([\\w-]{1,100})["'\`])`,
  ).exec(source);
  const wanted = used?.[1] ?? used?.[2];
  return (wanted === undefined ? undefined : memberMeant(main, wanted)) ?? main.members[0]!;
};
