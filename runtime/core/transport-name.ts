/**
 * The one reserved tool name: the transport through which a program reaches the tools.
 *
 * No registry accepts a tool of this name, whichever executor is selected.
 *
 * @example
 * TRANSPORT_NAME // 'run_code'
 */
export const TRANSPORT_NAME = 'run_code';
