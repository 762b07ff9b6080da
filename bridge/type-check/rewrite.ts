import {
  adviceFor,
  isForeignNamespace,
  isFromElsewhere,
  memberMeant,
} from '../../runtime/sandbox/program/hints-names.js';
import { memberPath } from '../../runtime/sandbox/program/tool-names.js';
import { closestNames } from '../../sdk-gen/catalogue/closest.js';
import type { CheckerSubject, CheckerText } from '../../sdk-gen/checker/checker-text.js';
import { linesOf, type RawDiagnostic } from './diagnostic.js';

const LONGEST = 600;
const MOST_NAMES = 20;
const RESULT_VALUE = /^Argument of type '(SDK_\w+)' is not assignable to parameter of type 'string'/;
const UNKNOWN_TOOL = /^Property '(.*?)' does not exist on type 'SDK_tools'/ms;
const PROMISE_MEMBER = /^Property '(.*?)' does not exist on type 'Promise(?:Like)?</;
const ABSENT_IN_ENGINE =
  /^Property '(.*?)' does not exist on type '(.*?)'\. Do you need to change your target/s;
const ITERATOR_MEMBER = /^Property '(.*?)' does not exist on type '\w*(?:Iterator|IteratorObject|Generator)</;
const ONLY_TYPE = /^'(.*?)' only refers to a type/;
const PROMISE_VALUE = /'Promise(?:Like)?</;
const WRONG_COUNT = /^Expected \d+(?:-\d+)? arguments?, but got \d+/;
const NOT_CALLABLE = /^This expression is not callable\b.*\bSDK_tools\b/s;
const TEXT_MEMBER = /^Property '(\w+)' does not exist on type '(?:string|".*")'/s;
/** What lists have and texts do not. */
const OF_LISTS =
  /^(?:map|filter|forEach|reduce|reduceRight|find|findIndex|findLast|some|every|flatMap|flat|push|pop|shift|unshift|join|sort|toSorted|reverse|splice|entries|keys|values)$/;
const UNKNOWN_NAME =
  /^(?:Cannot find name '(.*?)'|No value exists in scope for the shorthand property '(.*?)')/;
const DECLARED_ON = /property '(.*?)' which is declared here on type '(SDK_\w+)'/;
/** What stands around a diagnostic, as far as its words depend on it. */
export interface Surroundings {
  /** The program text that it is about. */
  readonly name: string;
  /** The function to which it is passed. */
  readonly callee: string | undefined;
  /** The program text behind it. */
  readonly after: string;
}

/** A diagnostic in words that name tools, with the properties that there really are. */
export function rewrite(diagnostic: RawDiagnostic, sdk: CheckerText, near: Surroundings): string {
  const lines = linesOf(diagnostic);
  const unknownTool = UNKNOWN_TOOL.exec(lines.join('\n'))?.[1];
  if (unknownTool !== undefined) return unknownToolText(unknownTool, sdk.tools, near.after);
  const parsed = near.callee === 'JSON.parse' ? RESULT_VALUE.exec(lines[0]!)?.[1] : undefined;
  if (parsed !== undefined) {
    const words = sdk.subjects.get(parsed)?.words ?? 'a result';
    return `JSON.parse takes text, and ${words} is already a parsed value: use it as it is`;
  }
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
  if (NOT_CALLABLE.test(lines.join(' '))) {
    return `\`tools\` is no function: call a tool as ${memberPath('tools', sdk.tools[0] ?? 'name')}(…)`;
  }
  if (WRONG_COUNT.test(lines[0]!)) {
    const called = `the arguments of ${memberPath('tools', near.name)}`;
    const subject = [...sdk.subjects.values()].find(({ words }) => words === called);
    const missing = /got 0$/.test(lines[0]!.replace(/\.$/, ''));
    if (missing && subject !== undefined) return `${capital(called)} are missing${propertiesText([subject])}`;
  }
  const ofText = TEXT_MEMBER.exec(lines[0]!)?.[1];
  if (ofText !== undefined && OF_LISTS.test(ofText)) {
    return `This is a text and has no '${ofText}': take it apart first, e.g. .split("\\n")`;
  }
  const member = PROMISE_MEMBER.exec(lines[0]!)?.[1];
  if (member !== undefined) return `This is a promise and has no '${member}': await it first`;
  // Of a long chain the last line says it most exactly, the first says where.
  const told = lines.length > 2 ? [lines[0]!, lines.at(-1)!] : lines;
  const named: CheckerSubject[] = [];
  const text = told
    .map((line) => inWords(plainer(line), sdk.subjects, named))
    .join(' ')
    .replace(/\.$/, '');
  const promise = PROMISE_VALUE.test(lines.join('\n')) ? ': await the promise first' : '';
  return `${capital(text.slice(0, LONGEST))}${promise}${declaredOn(diagnostic, sdk, named)}${propertiesText(named)}`;
}

/** The checker's own words where others say it better. */
function plainer(line: string): string {
  return line
    .replace(/is missing the following properties from type '.*\[\]': length, pop, push, .*$/s, 'is no array')
    .replace(/^Object literal may only specify known properties, (?:and|but) /, '')
    .replace(
      /must have a '\[Symbol\.(?:async)?[iI]terator\]\(\)' method that returns an(?: async)? iterator/,
      'is no list',
    );
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function unknownToolText(name: string, tools: readonly string[], after: string): string {
  // `tools.get-sum(…)` is a subtraction.
  const quoted = tools.find(
    (tool) => tool.startsWith(`${name}-`) && after.startsWith(tool.slice(name.length)),
  );
  if (quoted !== undefined)
    return `A name with a hyphen is quoted: write tools[${JSON.stringify(quoted)}](…)`;
  const closest = closestNames(tools, name);
  if (closest.length > 0) {
    return `There is no tool '${name}': did you mean ${closest.map((key) => `'${key}'`).join(', ')}?`;
  }
  if (tools.length > MOST_NAMES)
    return `There is no tool '${name}': sdk.search("words") finds those that exist`;
  return `There is no tool '${name}': there are ${tools.join(', ')}`;
}

function unknownNameText(name: string, line: string, tools: readonly string[]): string {
  const absent = `There is no '${name}' here`;
  const meant = memberMeant({ global: 'tools', members: tools }, name);
  if (meant !== undefined) return `${absent}: call the tool as ${memberPath('tools', meant)}(…)`;
  const first = tools[0];
  if (first !== undefined && isForeignNamespace(name)) {
    return `${absent}: call tools as ${memberPath('tools', first)}(…)`;
  }
  if (isFromElsewhere(name)) {
    return `${absent}: a program has no imports, files, network or process; use the tools`;
  }
  const advice = adviceFor(name)?.replace(/\.$/, '');
  if (advice !== undefined) return `${absent}: ${advice[0]!.toLowerCase()}${advice.slice(1)}`;
  return /Did you mean/.test(line) ? line.replace(/\.$/, '') : absent;
}

/** Puts words in the place of the checker's own type names and notes which types were named. */
function inWords(
  line: string,
  subjects: ReadonlyMap<string, CheckerSubject>,
  named: CheckerSubject[],
): string {
  const wordsOf = (types: string): string => {
    const words = types.split(' | ').map((type) => {
      const [, name, list] = /^(\w+)(\[\])?$/.exec(type) ?? [];
      const subject = name === undefined ? undefined : subjects.get(name);
      if (subject === undefined) return type;
      named.push(subject);
      if (list === undefined) return subject.words;
      const one = subject.words.replace(/\[\]`/, '`');
      return one.startsWith('`` of ') ? `the list that is ${one.slice(6)}` : `the list ${one}`;
    });
    return [...new Set(words)].join(' or ');
  };
  return line
    .replace(
      /\b(?:parameter of )?[Tt]ype '(SDK_\w+(?:\[\])?(?: \| SDK_\w+(?:\[\])?)*)'/g,
      (_, types: string) => wordsOf(types),
    )
    .replace(/\bSDK_\w+(?:\[\])?/g, wordsOf);
}

/** Where a value of a wrong type stands, as the checker tells it beside the message. */
function declaredOn(
  { relatedInformation = [] }: RawDiagnostic,
  { subjects }: CheckerText,
  named: readonly CheckerSubject[],
): string {
  for (const { text } of relatedInformation) {
    const found = DECLARED_ON.exec(text);
    const subject = found === null ? undefined : subjects.get(found[2]!);
    if (subject === undefined) continue;
    // What the message is about already may be that very property.
    const isSaid = named.some(
      ({ words }) => words.replace(/\[\]`/, '`') === `\`${found![1]}\` of ${subject.words}`,
    );
    return isSaid ? '' : `, wanted for '${found![1]}' of ${subject.words}`;
  }
  return '';
}

/** What the type that was named last declares; of one with several shapes, each. */
function propertiesText(named: readonly CheckerSubject[]): string {
  const last = named.at(-1);
  const shapes = named
    .filter(({ words }) => words === last?.words)
    .map(({ properties }) => listOf(properties));
  const shown = [...new Set(shapes)].filter((list) => list !== '');
  return shown.length === 0 ? '' : ` (properties: ${shown.join(' or ')})`;
}

function listOf(properties: readonly string[]): string {
  const rest = properties.length > MOST_NAMES ? ', …' : '';
  return `${properties.slice(0, MOST_NAMES).join(', ')}${rest}`;
}
