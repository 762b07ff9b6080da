import { closestNames } from '../../sdk-gen/catalogue/closest.js';
import type { CheckerSubject, CheckerText } from '../../sdk-gen/checker/checker-text.js';
import { linesOf, type RawDiagnostic } from './diagnostic.js';

const LONGEST = 600;
const MOST_NAMES = 20;
const UNKNOWN_TOOL = /^Property '(.*?)' does not exist on type 'SDK_tools'/ms;
const PROMISE_MEMBER = /^Property '(.*?)' does not exist on type 'Promise(?:Like)?</;
const ABSENT_IN_ENGINE =
  /^Property '(.*?)' does not exist on type '(.*?)'\. Do you need to change your target/s;
const ITERATOR_MEMBER = /^Property '(.*?)' does not exist on type '\w*(?:Iterator|IteratorObject|Generator)</;
const ONLY_TYPE = /^'(.*?)' only refers to a type/;
const PROMISE_VALUE = /types? 'Promise(?:Like)?</i;
const UNKNOWN_NAME =
  /^(?:Cannot find name '(.*?)'|No value exists in scope for the shorthand property '(.*?)')/;
const DECLARED_ON = /property '(.*?)' which is declared here on type '(SDK_\w+)'/;
/** Names of other places where programs run. */
const ELSEWHERE =
  /^(?:require|module|exports|process|Buffer|global|__dirname|__filename|fs|path|os|child_process|fetch|XMLHttpRequest|WebSocket|window|document|localStorage|Deno|Bun|axios|setImmediate)$/;

/** A diagnostic in words that name tools, with the properties that there really are. */
export function rewrite(diagnostic: RawDiagnostic, sdk: CheckerText): string {
  const lines = linesOf(diagnostic);
  const unknownTool = UNKNOWN_TOOL.exec(lines.join('\n'))?.[1];
  if (unknownTool !== undefined) return unknownToolText(unknownTool, sdk.tools);
  const absent = ABSENT_IN_ENGINE.exec(lines[0]!);
  if (absent !== null) {
    const owner = absent[2]!.replace(/Constructor$/, '');
    return `This engine has no '${absent[1]}' on ${owner}: it is newer than the language level`;
  }
  const ofIterator = ITERATOR_MEMBER.exec(lines[0]!)?.[1];
  if (ofIterator !== undefined)
    return `This engine's iterators have no '${ofIterator}': make an array first, [...iterator]`;
  const type = ONLY_TYPE.exec(lines[0]!)?.[1];
  if (type !== undefined) return `There is no value '${type}' here, only a type of that name`;
  const unknownName = UNKNOWN_NAME.exec(lines[0]!);
  if (unknownName !== null) return unknownNameText(unknownName[1] ?? unknownName[2]!, lines[0]!, sdk.tools);
  const member = PROMISE_MEMBER.exec(lines[0]!)?.[1];
  if (member !== undefined) return `This is a promise and has no '${member}': await it first`;
  // Of a long chain the last line says it most exactly, the first says where.
  const told = lines.length > 2 ? [lines[0]!, lines.at(-1)!] : lines;
  const named: CheckerSubject[] = [];
  const text = told
    .map((line) => inWords(line, sdk.subjects, named))
    .join(' ')
    .replace(/\.$/, '');
  const promise = PROMISE_VALUE.test(lines.join('\n')) ? ': await the promise first' : '';
  return `${text.slice(0, LONGEST)}${promise}${declaredOn(diagnostic, sdk)}${propertiesText(named.at(-1))}`;
}

function unknownToolText(name: string, tools: readonly string[]): string {
  const closest = closestNames(tools, name);
  if (closest.length > 0) {
    return `There is no tool '${name}': did you mean ${closest.map((key) => `'${key}'`).join(', ')}?`;
  }
  if (tools.length > MOST_NAMES)
    return `There is no tool '${name}': sdk.search("words") finds those that exist`;
  return `There is no tool '${name}': there are ${tools.join(', ')}`;
}

function unknownNameText(name: string, line: string, tools: readonly string[]): string {
  if (ELSEWHERE.test(name)) {
    return `There is no '${name}' here: a program has no imports, files, network or process; use the tools`;
  }
  if (tools.includes(name)) return `There is no '${name}' here: call the tool as tools.${name}(…)`;
  return /Did you mean/.test(line) ? line.replace(/\.$/, '') : `There is no '${name}' here`;
}

/** Puts words in the place of the checker's own type names and notes which types were named. */
function inWords(
  line: string,
  subjects: ReadonlyMap<string, CheckerSubject>,
  named: CheckerSubject[],
): string {
  const wordsOf = (name: string, list: string | undefined): string => {
    const subject = subjects.get(name);
    if (subject === undefined) return name + (list ?? '');
    named.push(subject);
    return list === undefined ? subject.words : subject.words.replace(/\[\]`/, '`');
  };
  return line
    .replace(/\b(?:parameter of )?[Tt]ype '(SDK_\w+)(\[\])?'/g, (_, name: string, list?: string) =>
      wordsOf(name, list),
    )
    .replace(/\b(SDK_\w+)(\[\])?/g, (_, name: string, list?: string) => wordsOf(name, list));
}

/** Where a value of a wrong type stands, as the checker tells it beside the message. */
function declaredOn({ relatedInformation = [] }: RawDiagnostic, { subjects }: CheckerText): string {
  for (const { text } of relatedInformation) {
    const found = DECLARED_ON.exec(text);
    const subject = found === null ? undefined : subjects.get(found[2]!);
    if (subject !== undefined) return `, wanted for '${found![1]}' of ${subject.words}`;
  }
  return '';
}

function propertiesText(subject: CheckerSubject | undefined): string {
  if (subject === undefined || subject.properties.length === 0) return '';
  const rest = subject.properties.length > MOST_NAMES ? ', …' : '';
  return ` (properties: ${subject.properties.slice(0, MOST_NAMES).join(', ')}${rest})`;
}
