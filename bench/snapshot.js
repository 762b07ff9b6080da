// Question: what does the lossless snapshot cost beside JSON.parse(JSON.stringify(x)), and validation beside both?
// Run: npm run build && node bench/snapshot.js
// Every row: median of 9 rounds of about 50 ms, variants alternate within a round, one process; ns of CPU time per
// operation, garbage collection included, so that a busy machine does not count.
import { frozenSnapshot, snapshotJsonValue } from '../dist/runtime/core/json.js';
import { schemaValidator } from '../dist/runtime/schema/schema-validator.js';

const ROUNDS = 9;
const ROUND_MS = 50;

const row = (id) => ({ id, name: `item ${id}`, tags: ['a', 'b'], ok: id % 2 === 0, price: id / 4 });
const rowSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    ok: { type: 'boolean' },
    price: { type: 'number' },
  },
  required: ['id', 'name'],
  additionalProperties: false,
};
const deep = (levels) => (levels === 0 ? 'leaf' : { inner: deep(levels - 1) });

/** Several values of each shape, so that no call site sees one constant object. */
const SHAPES = {
  'no arguments': { values: () => ({}), schema: { type: 'object' } },
  'two numbers': {
    values: (n) => ({ a: n, b: n + 1 }),
    schema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
  'one row': { values: row, schema: rowSchema },
  'text of 10 kB': { values: (n) => `${n}`.padEnd(10_000, 'x'), schema: { type: 'string' } },
  '100 rows': {
    values: (n) => Array.from({ length: 100 }, (_, index) => row(n + index)),
    schema: { type: 'array', items: rowSchema },
  },
  '10 000 numbers': {
    values: (n) => Array.from({ length: 10_000 }, (_, index) => n * index),
    schema: { type: 'array', items: { type: 'number' } },
  },
  '1 000 levels': { values: () => deep(1_000), schema: {} },
};

function measure(operation, values) {
  const start = process.cpuUsage();
  for (let done = 0, batch = 1; ; batch *= 2) {
    for (let turn = 0; turn < batch; turn += 1) {
      for (let index = 0; index < 16; index += 1) operation(values[index]);
    }
    done += batch * 16;
    const { user, system } = process.cpuUsage(start);
    if (user + system >= ROUND_MS * 1000) return ((user + system) * 1000) / done;
  }
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const table = [];
for (const [shape, { values: make, schema }] of Object.entries(SHAPES)) {
  const values = Array.from({ length: 16 }, (_, index) => make(index));
  const walk = schemaValidator(schema);
  const engine = schemaValidator({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' });
  const frozen = values.map((value) => frozenSnapshot(value));
  const operations = {
    json: (value) => JSON.parse(JSON.stringify(value)),
    snapshot: snapshotJsonValue,
    'frozen snapshot': frozenSnapshot,
    'subset validator': (value) => walk(value, ''),
    'full validator': (value) => engine(value, ''),
  };
  const rounds = Object.fromEntries(Object.keys(operations).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, operation] of Object.entries(operations)) {
      const input = name.endsWith('validator') ? frozen : values;
      const cost = measure(operation, input);
      if (round > 0) rounds[name].push(cost);
    }
  }
  const medians = Object.entries(rounds).map(([name, list]) => [name, Math.round(median(list))]);
  const { json, snapshot } = Object.fromEntries(medians);
  table.push({ shape, ...Object.fromEntries(medians), 'snapshot / json': (snapshot / json).toFixed(2) });
}
console.table(table);
