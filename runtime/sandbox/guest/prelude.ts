import { installCallTable } from './call-table.js';
import { installConsole } from './console.js';
import { installJsonText } from './json-text.js';
import { captureKit, type Kit } from './kit.js';
import { installNamespaces } from './namespaces.js';
import { installRareGlobals } from './rare-globals.js';
import { installRejectionWatch } from './rejection-watch.js';
import { installRun } from './run.js';
import { installCapturedFrames, installFilteredFrames, installPlaces } from './stack-frames.js';
import { trimmed } from './trimmed.js';

/** Name of the program's file in stacks. */
export const PROGRAM_FILE = 'program.ts';
/** Name of the prelude's file in stacks. */
export const PRELUDE_FILE = 'ptc:prelude';

/** The globals that are built on first access: a part and its names, functions marked by `*`. */
const RARE_GROUPS = [
  'timers *setTimeout *setInterval *clearTimeout *clearInterval *queueMicrotask',
  'abort AbortController AbortSignal',
  'text TextEncoder TextDecoder',
  'base64 *atob *btoa',
  'clone *structuredClone',
  'url URL URLSearchParams',
  'clock performance',
  'crypto crypto',
].join(',');

/** What the parts use of the built-in classes: each with the keys of its prototype. */
const KEPT_MEMBERS = [
  'Map size get has set forEach',
  'Set size has add delete forEach',
  'WeakMap get set has',
  'WeakSet has',
  'WeakRef deref',
  'Date getTime toISOString',
  'RegExp source flags toString',
  'Function toString',
  'Number valueOf',
  'String valueOf toLowerCase trim',
  'Boolean valueOf',
  'Symbol valueOf',
  'BigInt valueOf',
  'ArrayBuffer byteLength',
  'DataView buffer byteOffset byteLength',
  'TypedArray buffer byteOffset byteLength length set',
].join(',');

/** Names of the globals that are built on first access, or earlier where a program mentions them. */
export const rareGlobals: readonly string[] = RARE_GROUPS.split(',').flatMap((group) =>
  group.replaceAll('*', '').split(' ').slice(1),
);

/** What the guest asks of the peer. */
export const HostOp = {
  /** Text: JSON array of log entries. */
  log: 0,
  /** Text: name of a part. Answer: its source. */
  part: 1,
  /** Text: a request of the URL part. Answer: its fields. */
  url: 2,
  /** Text: `line,column` in the engine's numbers. Answer: the same in the model's text, or nothing. */
  locate: 3,
  /** The output cap is passed: the guest is to stop for good. */
  halt: 4,
  /** Text: what was printed and not sent yet, entries without brackets. The guest is never heard again. */
  lastWords: 6,
  /** Answer: hexadecimal digits that nobody can guess. */
  entropy: 5,
} as const;

/** What the peer asks of the guest's one entry function. */
export const EntryOp = {
  setup: 0,
  start: 1,
  deliver: 2,
  fire: 3,
  collect: 4,
  lastWords: 5,
  /** From now on whoever observes a rejected promise is noted. Answer: the notes so far. */
  lateNotes: 6,
  /** Starts a body of the prelude's own, which calls the first member of the first namespace. */
  rehearse: 7,
} as const;

/** Log entries that leave the guest one by one; later ones may be held for a moment. */
export const ENTRIES_AT_ONCE = 100;

/** What an engine can do, as far as the prelude has to know. */
export interface EngineTraits {
  /** It reports rejections that nobody handled. */
  readonly tellsRejections: boolean;
  /** It has `Error.captureStackTrace`. */
  readonly capturesStacks: boolean;
}

/** The engines there are, by what the prelude has to know of them. */
export const engineKinds: readonly EngineTraits[] = [
  { tellsRejections: true, capturesStacks: true },
  { tellsRejections: false, capturesStacks: false },
];

/** Names the prelude of a kind of engine among the texts. */
export function preludeTextName({ tellsRejections, capturesStacks }: EngineTraits): string {
  return `prelude:${tellsRejections}:${capturesStacks}`;
}

/** Names a rare part among the texts. */
export function partTextName(part: string): string {
  return `part:${part}`;
}

// On an engine that reports unhandled rejections itself.
function installNoWatch(kit: Kit): void {
  kit.track = () => undefined;
  kit.unseen = () => undefined;
}

/** The text that is evaluated in a fresh guest: an expression, a function of the host call that returns the entry function. */
export function preludeSource({ tellsRejections, capturesStacks }: EngineTraits): string {
  const installers = [
    capturesStacks ? installCapturedFrames : installFilteredFrames,
    installPlaces,
    tellsRejections ? installNoWatch : installRejectionWatch,
    installJsonText,
    installCallTable,
    installNamespaces,
  ];
  const kit = `(${captureKit})(host, '${PROGRAM_FILE}', '${PRELUDE_FILE}', '${KEPT_MEMBERS}')`;
  const parts = installers.map((install) => `(${install})(kit);`).join('\n');
  const console = `(${installConsole})(kit, ${ENTRIES_AT_ONCE});`;
  const rare = `(${installRareGlobals})(kit, '${RARE_GROUPS}');`;
  return trimmed(
    `(function (host) {\n"use strict";\nconst kit = ${kit};\n${parts}\n${console}\n${rare}\nreturn (${installRun})(kit);\n})`,
  );
}
