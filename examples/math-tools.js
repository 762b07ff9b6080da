// Tools for `ptc run --tools examples/math-tools.js`: the default export is an array of definitions.
import { defineTool } from 'ptc-runtime';

const numbers = {
  a: { type: 'number', required: true },
  b: { type: 'number', required: true },
};

const binary = (name, description, compute) =>
  defineTool({
    name,
    description,
    parameters: numbers,
    isConcurrencySafe: () => true,
    output: {
      schema: { type: 'number' },
      render: (_args, value) => [{ type: 'text', text: String(value) }],
    },
    execute: async ({ a, b }) => compute(a, b),
  });

export default [
  binary('add', 'Adds two numbers.', (a, b) => a + b),
  binary('subtract', 'Subtracts b from a.', (a, b) => a - b),
  binary('multiply', 'Multiplies two numbers.', (a, b) => a * b),
  binary('divide', 'Divides a by b; b must not be 0.', (a, b) => {
    if (b === 0) throw new Error('Cannot divide by 0');
    return a / b;
  }),
];
