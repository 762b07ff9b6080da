/**
 * Lenient on purpose: a program is refused for what it does with the tools, not for its style.
 *
 * Without null checks a lookup may be passed on unchecked; with implicit any reported, `tools["misspelt"]` is found.
 *
 * @param libraries what the engine has, e.g. `['es2023']`
 */
export function compilerOptions(libraries: readonly string[]): object {
  return {
    target: 'ESNext',
    lib: libraries,
    module: 'ESNext',
    moduleResolution: 'Bundler',
    moduleDetection: 'force',
    types: [],
    noEmit: true,
    skipLibCheck: true,
    strict: false,
    strictNullChecks: false,
    noImplicitAny: true,
    noImplicitThis: false,
    useUnknownInCatchVariables: false,
    strictFunctionTypes: false,
    strictBindCallApply: false,
    strictPropertyInitialization: false,
  };
}
