import type { SourcePosition } from '../../contract/code-runtime.js';
import { TRANSPORT_NAME } from '../../core/transport-name.js';
import { awaitHint } from './hints-await.js';
import { missingNameHint, NEWER_THAN_ENGINE, newer } from './hints-names.js';
import { nothingHint } from './hints-nothing.js';
import { linesOf } from './lines.js';
import { memberPath, type NamedMembers, toolsSentence } from './tool-names.js';

/** An error that a program did not catch, as far as advice is made from it. */
export interface UncaughtError {
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  /** Where it happened in {@link UncaughtError.source}. */
  readonly position?: SourcePosition | undefined;
  /** The model's text. */
  readonly source: string;
  readonly namespaces: readonly NamedMembers[];
}

/** One error in the short form that the hints look at. */
export interface Symptom {
  readonly name: string;
  /** Cut to what any engine says of its own accord. */
  readonly message: string;
  /** The line that failed, empty where it is unknown. */
  readonly line: string;
  /** Where in that line; 0 where it is unknown. */
  readonly column: number;
  readonly source: string;
  readonly namespaces: readonly NamedMembers[];
}

const MAX_MESSAGE = 500;
const MAX_LINE = 1_000;

/**
 * One sentence of advice for an error that models run into, or nothing.
 *
 * It reads what the engines say, which is good enough for advice and for nothing else: no outcome may hang on it.
 *
 * @example
 * hintFor({ name: 'ReferenceError', message: 'fetch is not defined', source, namespaces });
 * // '`fetch` is not available in this sandbox. Call the tools that exist: tools.add, tools.echo.'
 */
export const hintFor = (error: UncaughtError): string | undefined => {
  const symptom: Symptom = {
    name: error.name ?? '',
    message: (error.message ?? '').slice(0, MAX_MESSAGE),
    line: lineAt(error.source, error.position),
    column: error.position?.column ?? 0,
    source: error.source,
    namespaces: error.namespaces,
  };
  switch (symptom.name) {
    case 'ReferenceError':
      return missingNameHint(symptom);
    case 'SyntaxError':
      return parsedAlready(symptom);
    case 'TypeError':
      return (
        namespaceCalled(symptom) ??
        namespaceListed(symptom) ??
        programCalled(symptom) ??
        nothingHint(symptom, 'null') ??
        awaitHint(symptom) ??
        nothingHint(symptom, 'undefined') ??
        newerBuiltIn(symptom)
      );
    default:
      return calledByName(symptom);
  }
};

const lineAt = (source: string, position: SourcePosition | undefined): string => {
  if (!position) return '';
  const lines = linesOf(source);
  const start = lines.startOf(position.line);
  return source.slice(start, Math.min(lines.startOf(position.line + 1), start + MAX_LINE));
};

/** An error of the parser cannot be caught here: what is left at run time is `JSON.parse`. */
const parsedAlready = ({ message, line, source }: Symptom): string | undefined => {
  if (!(line || source).includes('JSON.parse')) return undefined;
  const isObject = message.includes('[object ') || /'(?:object|undefined)'$/.test(message);
  return isObject || message.includes('"undefined"')
    ? 'Tool results are already parsed values: use them as they are, without JSON.parse.'
    : 'JSON.parse takes JSON text; tool results are already parsed values.';
};

/** A namespace has no member that calls the others: `tools.call("add", …)`. */
const calledByName = ({ message, source, namespaces }: Symptom): string | undefined => {
  const [, name = '', global = ''] = /^Unknown tool "([A-Za-z_]\w*)" in "([A-Za-z_]\w*)"/.exec(message) ?? [];
  const namespace = namespaces.find((one) => one.global === global);
  if (namespace === undefined) return undefined;
  const call = new RegExp(`\\b${global}\\??\\.${name}\\(\\s*["'\`]([^"'\`\\n]{1,100})["'\`]`);
  const meant = call.exec(source)?.[1];
  return meant !== undefined && namespace.members.includes(meant)
    ? `Call tools as \`${memberPath(global, meant)}(…)\`.`
    : undefined;
};

/** The one member that a program does not have: it cannot run another one. */
const programCalled = ({ message, line, namespaces }: Symptom): string | undefined => {
  if (!message.endsWith('not a function') || !line.includes(`.${TRANSPORT_NAME}`)) return undefined;
  return `A program cannot run another one. ${toolsSentence(namespaces)}`;
};

/** The members of a namespace have names and no order. */
const namespaceListed = ({ message, line, namespaces }: Symptom): string | undefined => {
  if (!message.endsWith('is not iterable')) return undefined;
  const listed = namespaces.find(({ global }) =>
    new RegExp(`\\bof\\s+${global}\\s*\\)|\\.\\.\\.${global}\\b(?!\\.)`).test(line),
  );
  return listed && `\`Object.keys(${listed.global})\` gives the names of the tools.`;
};

const namespaceCalled = ({ message, line, namespaces }: Symptom): string | undefined => {
  const called = /^([A-Za-z_]\w*) is not a function$/.exec(message)?.[1];
  const namespace = namespaces.find(({ global }) =>
    called === undefined
      ? message === 'not a function' && new RegExp(`(?:^|[^\\w$.])${global}\\(`).test(line)
      : global === called,
  );
  const member = namespace?.members[0];
  return member === undefined ? undefined : `Call tools as \`${memberPath(namespace!.global, member)}(…)\`.`;
};

const OF_ITERATOR =
  /\b(?:values|keys|entries|matchAll)\((?:\.\.\.)?\)\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\b/;

const newerBuiltIn = ({ message, line }: Symptom): string | undefined => {
  if (!message.endsWith('not a function')) return undefined;
  // One engine names the function, the other only the place.
  const text = /^\S+ is not a function$/.test(message) ? message : line;
  if (OF_ITERATOR.test(text))
    return 'Iterators have no such method in this engine: make an array first, `[...iterator]`.';
  const name = NEWER_THAN_ENGINE.find((built) => text.includes(built));
  return name && newer(name.replace(/^\./, ''));
};
