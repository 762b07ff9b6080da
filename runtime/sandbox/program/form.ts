import { type Body, runtimeStatements } from './body.js';
import type { Edit } from './edits.js';
import type { Survey } from './survey.js';
import { isFunction, nodeAt, nodesAt, type TreeNode, withoutCasts } from './tree.js';
import { uncalledFunction } from './uncalled.js';

/** How a program yields its value, as changes of its text. */
export interface Form {
  /** `body`, or `function` where the text is one function that is called. */
  readonly kind: 'body' | 'function';
  readonly edits: readonly Edit[];
  /** Stands behind the text, on lines of its own. */
  readonly tail: string;
  /** The value is not one that the program returned by its own `return`. */
  readonly implicit: boolean;
  /** Statements that the edits end. */
  readonly spared: readonly TreeNode[];
  /** A function that the program declares and never calls, where it has no other outcome. */
  readonly uncalled?: string;
}

/**
 * Decides on the tree: one function is called, the last expression of a body without `return` is its value.
 *
 * @param parameters - Names that a called function may take as parameters.
 */
export const formOf = (body: Body, survey: Survey, parameters: readonly string[]): Form => {
  const statements = runtimeStatements(body.program);
  const exported = body.exported;
  if (exported && 'marker' in exported) return exportedValue(body, exported.marker, statements, parameters);
  const only = statements.length === 1 ? statements[0]! : undefined;
  const single = only?.type === 'ExpressionStatement' ? functionIn(body, only) : undefined;
  if (only && single) return calledExpression(body, only, single, parameters);
  const named = calledDeclaration(body, statements);
  if (named) return calledByName(body, named, parameters);
  if (!survey.returns) {
    const last = lastExpression(body.program, statements);
    if (last) return { ...returning(body, last, true), kind: 'body' };
    const uncalled = uncalledFunction(body.program);
    return { ...BODY, ...(uncalled === undefined ? {} : { uncalled }) };
  }
  return BODY;
};

const BODY: Form = { kind: 'body', edits: [], tail: '', implicit: false, spared: [] };

const isCallable = (node: TreeNode): boolean => isFunction(node) && node['generator'] !== true;

/** The function that an expression statement is, without casts and the lead in front. */
const functionIn = (body: Body, statement: TreeNode): TreeNode | undefined => {
  let value = nodeAt(statement, 'expression');
  if (body.lead !== '' && value?.type === 'AssignmentExpression') value = nodeAt(value, 'right');
  value = withoutCasts(value);
  return value && isCallable(value) ? value : undefined;
};

const calledExpression = (
  body: Body,
  statement: TreeNode,
  called: TreeNode,
  parameters: readonly string[],
): Form => {
  const call = `)(${argumentsFor(called, parameters)})`;
  const inner = insideFunction(body, called);
  const outer = returning(body, statement, isValueOnly(called) || inner.implicit, call);
  return {
    ...outer,
    kind: 'function',
    edits: [...outer.edits, ...inner.edits],
    spared: [statement, ...inner.spared],
  };
};

const calledDeclaration = (body: Body, statements: readonly TreeNode[]): TreeNode | undefined => {
  const { exported } = body;
  if (exported && 'name' in exported) {
    const found = statements.find(
      (node) => node.type === 'FunctionDeclaration' && nodeAt(node, 'id')?.['name'] === exported.name,
    );
    // Code behind the exported function is the program's own way of going on.
    const rest = found ? statements.slice(statements.indexOf(found) + 1) : [];
    return rest.every((node) => node.type === 'FunctionDeclaration') ? found : undefined;
  }
  const only = statements.length === 1 ? statements[0] : undefined;
  if (only?.type !== 'FunctionDeclaration' || !isCallable(only)) return undefined;
  return nodesAt(only, 'params').length === 0 ? only : undefined;
};

const calledByName = (body: Body, named: TreeNode, parameters: readonly string[]): Form => {
  const name = String(nodeAt(named, 'id')?.['name']);
  const tail = `\nreturn ${name}(${argumentsFor(named, parameters)});`;
  return { ...insideFunction(body, named), kind: 'function', tail };
};

const exportedValue = (
  body: Body,
  marker: { readonly start: number; readonly end: number },
  statements: readonly TreeNode[],
  parameters: readonly string[],
): Form => {
  const statement = statements.find((node) => node.start === marker.start)!;
  const value = withoutCasts(nodeAt(nodeAt(statement, 'expression') ?? statement, 'right'));
  const called = value && isCallable(value) ? value : undefined;
  const name = value?.type === 'Identifier' ? declaredFunction(statements, String(value['name'])) : undefined;
  const close = called ? `)(${argumentsFor(called, parameters)})` : name ? ')()' : ')';
  // As long as the word it takes the place of.
  const opened = { ...marker, text: 'return(' };
  const isFunctionForm = called !== undefined || name !== undefined;
  const inner = called ? insideFunction(body, called) : BODY;
  return {
    ...BODY,
    kind: isFunctionForm ? 'function' : 'body',
    edits: [opened, closing(body.text, statement, close), ...inner.edits],
    implicit: called ? isValueOnly(called) || inner.implicit : !isFunctionForm,
    spared: [statement, ...inner.spared],
  };
};

const declaredFunction = (statements: readonly TreeNode[], name: string): TreeNode | undefined =>
  statements.find(
    (node) =>
      (node.type === 'FunctionDeclaration' && nodeAt(node, 'id')?.['name'] === name) ||
      nodesAt(node, 'declarations').some((one) => {
        const init = nodeAt(one, 'init');
        return nodeAt(one, 'id')?.['name'] === name && init !== undefined && isFunction(init);
      }),
  );

/** `() => value` has no `return` of its own. */
const isValueOnly = (called: TreeNode): boolean => nodeAt(called, 'body')?.type !== 'BlockStatement';

/** The last expression of a called function without `return` is its value, as it would be in a bare body. */
const insideFunction = (body: Body, called: TreeNode): Form => {
  const block = nodeAt(called, 'body');
  if (block?.type !== 'BlockStatement' || returnsItself(block)) return BODY;
  const last = lastExpression(block, runtimeStatements(block));
  return last ? { ...returning(body, last, true), kind: 'function' } : BODY;
};

const returnsItself = (block: TreeNode): boolean => {
  const open: TreeNode[] = [block];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'ReturnStatement') return true;
    if (isFunction(node) || node.type === 'ClassBody') continue;
    for (const field of STATEMENT_FIELDS) open.push(...nodesAt(node, field), ...one(node, field));
  }
  return false;
};

const STATEMENT_FIELDS = ['body', 'consequent', 'alternate', 'block', 'handler', 'finalizer', 'cases'];

const one = (node: TreeNode, field: string): TreeNode[] => {
  const found = nodeAt(node, field);
  return found ? [found] : [];
};

/** The last statement that runs, if it is an expression; functions that stand behind it are hoisted. */
const lastExpression = (block: TreeNode, statements: readonly TreeNode[]): TreeNode | undefined => {
  const last = statements.findLast((node) => node.type !== 'FunctionDeclaration');
  if (last) return last.type === 'ExpressionStatement' ? last : undefined;
  // A text that is one string is read as a directive.
  const directive = statements.length === 0 ? nodesAt(block, 'directives').at(-1) : undefined;
  return directive && nodeAt(directive, 'value')?.['value'] !== 'use strict' ? directive : undefined;
};

/** Edits that return a statement's value. `return` stands where the statement starts: engines report it as the place. */
const returning = (body: Body, statement: TreeNode, implicit: boolean, close = ')'): Omit<Form, 'kind'> => {
  // A text that needs a lead to parse starts before itself.
  const at = Math.max(0, statement.start);
  const open = { start: at, end: at, text: 'return(' };
  return { tail: '', implicit, spared: [statement], edits: [open, closing(body.text, statement, close)] };
};

const closing = (text: string, statement: TreeNode, close: string): Edit => {
  const { end } = statement;
  return { start: text[end - 1] === ';' ? end - 1 : end, end, text: `${close};` };
};

/** What a called function gets: the namespaces that it names as its parameters. */
const argumentsFor = (called: TreeNode, parameters: readonly string[]): string =>
  nodesAt(called, 'params')
    .map((param) => {
      if (param.type === 'Identifier')
        return parameters.find((name) => name === param['name']) ?? 'undefined';
      if (param.type !== 'ObjectPattern') return 'undefined';
      const keys = nodesAt(param, 'properties').map((property) => nodeAt(property, 'key')?.['name']);
      const isKnown = keys.length > 0 && keys.every((key) => parameters.includes(String(key)));
      return isKnown ? `{${parameters.join(',')}}` : '{}';
    })
    .join(',');
