// What a prompt pays for tools, in o200k tokens: `node bench/tokens.js` after a build.
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens, sdkInstructions, sdkText } from '../dist/sdk-gen/index.js';
import { writeFigures } from './lib/figures-file.js';

const servers = JSON.parse(
  readFileSync(new URL('../test/fixtures/type-check/tools.json', import.meta.url), 'utf8'),
);
const tokens = (text) => encode(text).length;
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
const native = (tools) =>
  sum(
    tools.map(({ name, description, inputSchema, outputSchema }) =>
      tokens(JSON.stringify({ name, description, inputSchema, outputSchema })),
    ),
  );
const definition = ({ name, description, inputSchema, outputSchema }) => ({
  name,
  description,
  parameters: inputSchema,
  output: { schema: outputSchema ?? {}, render: () => [] },
});
const own = (tools, detail) =>
  tokens(sdkText(tools.map(definition), { detail }).text.slice(sdkInstructions().length));

const rows = Object.entries({ ...servers, all: Object.values(servers).flat() }).map(([server, tools]) => {
  const json = native(tools);
  const share = (detail) => {
    const count = own(tools, detail);
    return `${count} (${((count / json) * 100).toFixed(1)} %)`;
  };
  return {
    server,
    tools: tools.length,
    'native JSON': json,
    full: share('full'),
    brief: share('brief'),
    signatures: share('signatures'),
  };
});
console.table(rows);
console.log(`fixed instructions, counted apart: ${tokens(sdkInstructions())} tokens\n`);

const real = Object.values(servers).flat();
const many = (count) =>
  Array.from({ length: count }, (_, i) => {
    const tool = real[i % real.length];
    return definition({
      ...structuredClone(tool),
      name: `service${i % 20}_${tool.name}_${Math.floor(i / real.length)}`,
    });
  });
const timed = (work) => {
  const start = performance.now();
  const result = work();
  return { ms: (performance.now() - start).toFixed(2), result };
};
const budgets = [];
for (const count of [62, 500, 2000]) {
  const tools = many(count);
  const cold = timed(() => sdkText(tools));
  const again = timed(() => sdkText([...tools]));
  for (const tokenBudget of [4000, 8000]) {
    const { ms, result } = timed(() => sdkText(tools, { tokenBudget }));
    budgets.push({
      tools: count,
      'whole, tokens': tokens(cold.result.text),
      'whole, ms': cold.ms,
      'again, ms': again.ms,
      budget: tokenBudget,
      'taken, tokens': tokens(result.text),
      estimated: estimateTokens(result.text),
      shown: result.shown,
      'fitted, ms': ms,
    });
  }
}
console.table(budgets);
writeFigures({ rows, budgets });
