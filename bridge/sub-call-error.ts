/**
 * Why a program's call failed, as the runtime hands it to the program: the message without a prefix and, when it is one
 * of the library's own, the code.
 */
export class SubCallError extends Error {
  override readonly name = 'SubCallError';
  readonly code?: string;

  constructor(message: string, code?: string) {
    super(message);
    if (code !== undefined) this.code = code;
  }
}
