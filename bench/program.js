// What does preparing a program's text cost? Run on built code: node bench/program.js [figure …]
//
// The program has 50 dense lines. Every figure is measured in a process of its own, several times in alternating order;
// what is printed is the median of the rounds, with the best one and all of them beside it. Time is the processor time of
// the whole process, collector and compiler threads included, which does not count what else a busy machine does. `warm` is
// the median of many preparations after the first ones; `cold` is import and first preparation, without the start of Node.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROUNDS = 5;
const WARM_UP = 300;
const RUNS = 500;

const TYPED = `interface Row { id: number; name: string; tags?: string[] }
type Result = { rows: Row[]; total: number; byName: Map<string, number> };
const limit: number = 50;
async function load(page: number, size: number = 20): Promise<Row[]> {
  const r = (await tools.list({ n: size, page })) as Row[];
  return r.filter((x: Row) => x.id > 0 && x.name !== '');
}
const byName = new Map<string, number>();
${Array.from(
  { length: 6 },
  (_, n) => `const rows${n}: Row[] = await load(${n});
for (const row of rows${n}) {
  if (row.tags!.length > ${n} && row.name.startsWith("x${n}")) console.log(\`row \${row.id} \${row.name as string}\`);
  byName.set(row.name, (byName.get(row.name) ?? 0) + 1);
}
const picked${n} = rows${n}.map(({ id, name }): [number, string] => [id, name]).sort((a, b) => a[0] - b[0]);
`,
).join('')}const out: Result = { rows: [...rows0, ...rows1], total: limit + picked0.length, byName };
const sum = Object.entries(out).reduce((n: number, [k, v]: [string, unknown]) => n + k.length, 0);
if (sum > 100) throw new Error(\`too many: \${sum}\`);
const parts = await Promise.all(out.rows.map((row) => tools.echo({ id: row.id, at: row.name })));
const last = parts.at(-1) as { id: number } | undefined;
return { ...out, last: last?.id ?? null };
`;

/** The same program without its types. */
const plain = async () => {
  const { prepareProgram } = await import('../dist/runtime/sandbox/program/prepare.js');
  const { code, columnOffset } = prepareProgram(TYPED, []);
  return code.slice(-columnOffset, -'\n}})'.length);
};

const ENUM = `enum Level { Low, High = 5 }\n${TYPED.replace('return {', 'return { level: Level.High,')}`;

const FIGURES = {
  'with types, warm': { atMost: 1.5, measure: () => warm(TYPED) },
  'without types, warm': { atMost: 1.5, measure: async () => warm(await plain()) },
  'with an enum (compiler and source map), warm': { measure: () => warm(ENUM) },
  'for comparison: blanked by the compiler, unchecked, warm': { measure: compilerStrip },
  'for comparison: the compiler alone, cold': { measure: compilerCold },
  'with types, cold': { measure: () => cold(TYPED) },
  'without types, cold': { measure: () => cold('const a = 1; return a;') },
  'with an enum, cold': { measure: () => cold(ENUM) },
  'refused: 20 000 brackets deep': { measure: () => warm(`return ${'('.repeat(20_000)}`, 20) },
};

/** Milliseconds of processor time since a mark. */
function cpuSince(mark) {
  const { user, system } = process.cpuUsage(mark);
  return (user + system) / 1000;
}

function typical(once, runs = RUNS) {
  for (let n = 0; n < Math.min(WARM_UP, runs); n++) once();
  return median(
    Array.from({ length: runs }, () => {
      const mark = process.cpuUsage();
      once();
      return cpuSince(mark);
    }),
  );
}

async function warm(text, runs) {
  const { prepareProgram } = await import('../dist/runtime/sandbox/program/prepare.js');
  return typical(() => prepareProgram(text, ['tools', 'ToolCallError', 'sdk']), runs);
}

async function cold(text) {
  const mark = process.cpuUsage();
  const { prepareProgram } = await import('../dist/runtime/sandbox/program/prepare.js');
  prepareProgram(text, ['tools', 'ToolCallError', 'sdk']);
  return cpuSince(mark);
}

/** What the other way to erase would cost: the same decisions on the tree, then the compiler's own blanking. */
async function compilerStrip() {
  const { parseTypeScript } = await import('../dist/runtime/sandbox/program/parse.js');
  const { flatten } = await import('../dist/runtime/sandbox/program/tree.js');
  const { isTypeOnly, surveyOf } = await import('../dist/runtime/sandbox/program/survey.js');
  const { transformSync } = createRequire(import.meta.url)('@swc/wasm-typescript');
  return typical(() => {
    surveyOf(flatten(parseTypeScript(TYPED).program, isTypeOnly));
    transformSync(`(async function(){${TYPED}\n})`, { mode: 'strip-only' });
  });
}

async function compilerCold() {
  const mark = process.cpuUsage();
  const { transformSync } = createRequire(import.meta.url)('@swc/wasm-typescript');
  transformSync('const a: number = 1;', { mode: 'strip-only' });
  return cpuSince(mark);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function inOwnProcess(name) {
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--once', name], {
    encoding: 'utf8',
  });
  const value = Number(stdout);
  if (stdout === '' || Number.isNaN(value)) throw new Error(`"${name}" gave no figure: ${stderr}`);
  return value;
}

function report(names) {
  const rounds = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      rounds.get(name).push(inOwnProcess(name));
  }
  for (const [name, raw] of rounds) {
    const { atMost } = FIGURES[name];
    const value = median(raw);
    const target = atMost === undefined ? '' : ` (at most ${atMost}: ${value <= atMost ? 'met' : 'MISSED'})`;
    const all = raw.map((one) => one.toFixed(2)).join(' ');
    console.log(`${name}: ${value.toFixed(2)} ms${target}, best ${Math.min(...raw).toFixed(2)} [${all}]`);
    if (atMost !== undefined && value > atMost) process.exitCode = 1;
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--once') console.log(await FIGURES[rest[0]].measure());
else report(first === undefined ? Object.keys(FIGURES) : [first, ...rest]);
