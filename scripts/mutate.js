// A small mutation check: `node scripts/mutate.js ROOM [--count N] [--seed S]`, e.g. `node scripts/mutate.js runtime/pipeline`.
// It changes one operator, literal or condition of the built code at a time and runs the tests that cover the room. A mutant
// that no test notices is printed with its line. The built file is restored after each, also when the script is interrupted.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from '@babel/parser';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const room = positionals[0] ?? 'runtime/pipeline';

/** Tests that a room's code answers to, besides those of its own folder. */
const MORE_TESTS = {
  'runtime/executor': ['test/bridge'],
  'runtime/pipeline': ['test/runtime/service'],
  'runtime/tools': ['test/runtime/service'],
  'runtime/schema': ['test/runtime/tools'],
};
const tests = [`test/${room}`, ...(MORE_TESTS[room] ?? [])];

const SWAPS = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return entry.name.endsWith('.js') && entry.name !== 'index.js' ? [path] : [];
  });
}

/** Every change to one file: where, and what stands there instead. */
function mutants(file) {
  const code = readFileSync(file, 'utf8');
  const found = [];
  const add = (start, end, text) =>
    found.push({ file, start, end, text, line: code.slice(0, start).split('\n').length });
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node.type !== 'string') return;
    if ((node.type === 'BinaryExpression' || node.type === 'LogicalExpression') && SWAPS[node.operator]) {
      const at = code.indexOf(node.operator, node.left.end);
      add(at, at + node.operator.length, SWAPS[node.operator]);
    }
    if (node.type === 'BooleanLiteral') add(node.start, node.end, String(!node.value));
    if (node.type === 'NumericLiteral') add(node.start, node.end, String(node.value + 1));
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      add(node.test.start, node.test.end, 'true');
      add(node.test.start, node.test.end, 'false');
    }
    if (node.type === 'UnaryExpression' && node.operator === '!') add(node.start, node.start + 1, '');
    if (node.type === 'ExpressionStatement' && node.expression.type === 'CallExpression')
      add(node.start, node.end, ';');
    for (const [key, child] of Object.entries(node)) if (key !== 'loc') visit(child);
  };
  visit(parse(code, { sourceType: 'module' }).program);
  return found;
}

// A small generator, so that a seed names its sample.
let state = Number(values.seed) >>> 0;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const all = files(join('dist', room)).flatMap(mutants);
const sample = [];
while (sample.length < Math.min(Number(values.count), all.length)) {
  sample.push(...all.splice(Math.floor(random() * all.length), 1));
}

let open;
const restore = () => {
  if (open) writeFileSync(open.file, open.code);
  open = undefined;
};
process.on('SIGINT', () => {
  restore();
  process.exit(130);
});

let killed = 0;
for (const { file, start, end, text, line } of sample) {
  const code = readFileSync(file, 'utf8');
  open = { file, code };
  writeFileSync(file, code.slice(0, start) + text + code.slice(end));
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--bail',
      '1',
      '--reporter',
      'dot',
      '--testTimeout',
      '10000',
      ...tests,
    ],
    { stdio: 'ignore', timeout: 120_000, killSignal: 'SIGKILL' },
  );
  restore();
  if (status === 0) {
    const shown = code.split('\n')[line - 1]?.trim();
    console.log(
      `survived ${file}:${line}  ${JSON.stringify(code.slice(start, end))} -> ${JSON.stringify(text)}  in  ${shown}`,
    );
  } else killed += 1;
}
console.log(
  `${room}: ${killed} of ${sample.length} sampled mutants killed (${Math.round((100 * killed) / sample.length)} %), seed ${values.seed}`,
);
