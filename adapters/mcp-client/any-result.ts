import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/**
 * Takes a result as the server sent it. One tool or block that a stricter reading would refuse must not cost the others;
 * what is in it is judged where it is used.
 */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'ptc-runtime', validate: (value) => ({ value }) },
};
