import { received } from '../core/option-error.js';
import type { JsonSchemaScalar } from './json-schema.js';
import { isScalarOf, wantedScalar } from './scalar.js';
import type { ScalarNode } from './subset-node.js';

/** So many choices are named in a message. */
const NAMED_CHOICES = 20;

/**
 * Says in what a value differs from a scalar node: its type, else its `enum`, else its `const`.
 *
 * @returns `undefined` when it does not differ
 * @example
 * scalarMismatch({ kind: 'scalar', type: 'string', choices: undefined, literal: undefined }, 1)
 * // 'wanted a string, received 1'
 */
export function scalarMismatch(node: ScalarNode, value: unknown): string | undefined {
  if (!isScalarOf(node.type, value)) {
    const wanted = node.type === 'number' && typeof value !== 'number' ? 'a number' : wantedScalar(node.type);
    return `wanted ${wanted}, received ${received(value)}`;
  }
  if (node.choices !== undefined && !node.choices.includes(value)) {
    return `wanted one of ${listChoices(node.choices)}, received ${received(value)}`;
  }
  if (node.literal !== undefined && node.literal !== value) {
    return `wanted ${received(node.literal)}, received ${received(value)}`;
  }
  return undefined;
}

function listChoices(choices: readonly JsonSchemaScalar[]): string {
  const named = choices.slice(0, NAMED_CHOICES).map(received);
  if (choices.length > named.length) named.push(`… (${choices.length} in all)`);
  return named.join(', ');
}
