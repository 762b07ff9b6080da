/**
 * Lenient on purpose: a program is refused for what it does with the tools, not for its style.
 *
 * Without null checks a lookup may be passed on unchecked; with implicit any reported, `tools["misspelt"]` is found.
 *
 * @param library what the engine speaks, e.g. `es2023`
 */
export function compilerOptions(library: string): object {
  return {
    target: 'ESNext',
    lib: [library],
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
