import { ToolNotFoundError } from '../core/errors.js';
import { TRANSPORT_NAME } from '../core/transport-name.js';

/** The error of a name that nothing answers to: hidden, not admitted and vanished tools read the same. */
export function unknownTool(name: string): ToolNotFoundError {
  return new ToolNotFoundError(`Cannot call "${name}": no tool of that name is available`);
}

/**
 * The error of a direct call where only programs may call tools.
 *
 * @param transport the name through which programs are sent
 */
export function collapsedTool(name: string, transport: string = TRANSPORT_NAME): ToolNotFoundError {
  return new ToolNotFoundError(
    `${unknownTool(name).message} directly; call it inside "${transport}" instead`,
  );
}
