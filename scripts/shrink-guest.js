// The guest's own code once more with short names and without blanks: it is parsed anew in every guest.
import { parseExpression } from '@babel/parser';
import { minifySync } from 'rolldown/utils';

/** Helpers that few programs come to: they may wait, and the prelude stays small. */
const RARE_HELPERS = new Set(
  'materialize lastWords hasPrinted uncaught print format place toModel intrinsic method part toText track unseen'.split(
    ' ',
  ),
);

/** Functions around a helper: the prelude, and the installer that makes it. */
const HELPER_DEPTH = 2;

/**
 * Shrinks every text that a guest may be sent.
 *
 * @param sources texts by name
 * @returns the same names in the same order, as an object
 */
export function shrinkGuest(sources) {
  const texts = {};
  for (const [name, source] of sources) {
    // Names only: a rewrite could lean on built-ins that a program is free to replace.
    const { code, errors } = minifySync(`${name}.js`, `export default ${source}`, {
      compress: false,
      mangle: true,
    });
    if (errors.length > 0) throw new Error(`Cannot shrink "${name}": ${errors[0].message}`);
    const text = code.replace(/^export default\s*/, '').replace(/;\s*$/, '');
    texts[name] = hasCodeCache(name) ? withEagerHelpers(text) : text;
  }
  return texts;
}

/** Whether the text is a prelude of the engine that keeps what it has compiled; a part is loaded where it is needed. */
function hasCodeCache(name) {
  return name === 'prelude:true:true';
}

/**
 * Engines compile a function in parentheses together with what is around it, so that it is in their code cache; an arrow
 * function they leave for later all the same. Hence the prelude's own helpers, which no program ever sees, become functions
 * in parentheses.
 */
function withEagerHelpers(text) {
  const edits = [];
  const visit = (node, depth) => {
    if (Array.isArray(node)) for (const item of node) visit(item, depth);
    if (typeof node?.type !== 'string') return;
    const made = { VariableDeclarator: 'init', AssignmentExpression: 'right', ReturnStatement: 'argument' }[
      node.type
    ];
    // What only asks for a part is as rare as that.
    const isRare =
      RARE_HELPERS.has(node.left?.property?.name) || node[made]?.body?.callee?.property?.name === 'part';
    if (depth === HELPER_DEPTH && !isRare && node[made]?.type === 'ArrowFunctionExpression')
      edits.push(node[made]);
    const within = /Function/.test(node.type) ? depth + 1 : depth;
    for (const [key, value] of Object.entries(node)) if (key !== 'loc') visit(value, within);
  };
  visit(parseExpression(text), 0);
  let out = '';
  let from = 0;
  for (const { start, end, async, params, body } of edits.sort((a, b) => a.start - b.start)) {
    const names = params.length === 0 ? '' : text.slice(params[0].start, params.at(-1).end);
    const made = text.slice(body.extra?.parenStart ?? body.start, end);
    const block = body.type === 'BlockStatement' ? made : `{return ${made}}`;
    out += `${text.slice(from, start)}(${async ? 'async ' : ''}function(${names})${block})`;
    from = end;
  }
  return out + text.slice(from);
}
