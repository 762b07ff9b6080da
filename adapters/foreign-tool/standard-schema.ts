/** What a validation comes to: the value, as the schema's library makes it, or the issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Why a value does not match. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of any library that keeps to Standard Schema; one that also gives JSON Schema needs no converter. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: string }) => object;
          readonly output: (options: { readonly target: string }) => object;
        }
      | undefined;
  };
}

/** What a schema takes. */
export type StandardInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** What a schema makes of it. */
export type StandardOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** One line for each issue, with its path. */
export function issueLines(issues: readonly StandardIssue[]): string[] {
  return issues.map(({ message, path = [] }) => {
    const text = path.reduce<string>((before, step) => {
      const key = typeof step === 'object' ? step.key : step;
      if (typeof key === 'number') return `${before}[${key}]`;
      return before === '' ? String(key) : `${before}.${String(key)}`;
    }, '');
    return text === '' ? message : `${text}: ${message}`;
  });
}
