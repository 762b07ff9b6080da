/**
 * Something the person at the command line has to mend; printed as one line, exit code 2.
 *
 * @example
 * throw new UsageError('Cannot read program "x.ts": no such file');
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
