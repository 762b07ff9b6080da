import { coded } from './fake-host.ts';

export const BEFORE_DISPATCH = coded(
  'AbortError',
  'ABORTED_BEFORE_DISPATCH',
  'The call was aborted before the tool started',
);

export const AFTER_START = coded('AbortError', 'ABORTED', 'The call was aborted after the tool had started');

export function unknownTool(name: string): unknown {
  return coded(
    'ToolNotFoundError',
    'UNKNOWN_TOOL',
    `Cannot call "${name}": no tool of that name is available`,
  );
}
