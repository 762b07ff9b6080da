/**
 * A configuration or a server that cannot be used as it is; the message is one line meant for a person.
 *
 * @example
 * if (error instanceof McpConfigError) console.error(error.message);
 */
export class McpConfigError extends Error {
  override readonly name = 'McpConfigError';
}
