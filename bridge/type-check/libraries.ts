const of = (edition: string, parts: string): readonly string[] =>
  parts.split(' ').map((part) => `${edition}.${part}`);

/** Every part of the library that the checker knows, but those of the DOM, as its option `lib` names them. */
export const LIBRARY_PARTS: readonly string[] = [
  'es2016',
  ...of('es2017', 'arraybuffer date intl object sharedmemory string typedarrays'),
  ...of('es2018', 'asyncgenerator asynciterable intl promise regexp'),
  ...of('es2019', 'array intl object string symbol'),
  ...of('es2020', 'bigint date intl number promise sharedmemory string symbol.wellknown'),
  ...of('es2021', 'intl promise string weakref'),
  ...of('es2022', 'array error intl object regexp string'),
  ...of('es2023', 'array collection intl'),
  ...of('es2024', 'arraybuffer collection object promise regexp sharedmemory string'),
  ...of('es2025', 'collection float16 intl iterator promise regexp'),
  ...of('esnext', 'array collection date decorators disposable error intl sharedmemory temporal typedarrays'),
];

/** What programs are checked against beside the tools. */
export interface Libraries {
  /** As the checker's option `lib` names them. */
  readonly names: readonly string[];
  /** Whether the engine has no more than that: what is not in them fails when it is reached. */
  readonly isExact: boolean;
  /** `Intl` is part of every library that the checker has, but not of every engine. */
  readonly hasIntl: boolean;
}

/** Where nothing is known of the engine: what every engine has. */
const COMMON: Libraries = { names: ['es2023'], isExact: false, hasIntl: true };

/**
 * The libraries that a program is checked against.
 *
 * @param missing parts that the engine lacks; `undefined` when it did not say
 */
export function librariesWithout(missing: readonly string[] | undefined): Libraries {
  if (missing === undefined) return COMMON;
  const absent = new Set(missing);
  return {
    names: LIBRARY_PARTS.filter((part) => !absent.has(part)),
    isExact: true,
    hasIntl: !absent.has('intl'),
  };
}

/** Only the one library that a host has named. */
export function namedLibrary(name: string): Libraries {
  return { names: [name], isExact: false, hasIntl: true };
}
