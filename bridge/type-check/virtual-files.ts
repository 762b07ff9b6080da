/** The folder that a checker sees. It exists nowhere else. */
export const FOLDER = '/v';
export const CONFIG_FILE = `${FOLDER}/tsconfig.json`;
export const SDK_FILE = `${FOLDER}/sdk.d.ts`;
export const PROGRAM_FILE = `${FOLDER}/program.ts`;

/** The requests in which a checker asks for files. */
export const FILE_REQUESTS = [
  'readFile',
  'fileExists',
  'directoryExists',
  'getAccessibleEntries',
  'realpath',
];

const LIBRARY = /^lib(\.[\w.]+)?\.d\.ts$/;

/**
 * The whole file system of a checker: three files of its own, and the language's own library files.
 *
 * Every other path is answered as absent, for a program may name any: `import('/etc/passwd')` must not show a thing.
 */
export class VirtualFiles {
  readonly #files = new Map<string, string>();
  readonly #libraryFolder: string;

  /** @param libraryFolder where the checker's own `lib.*.d.ts` lie; it reads them itself */
  constructor(libraryFolder: string) {
    this.#libraryFolder = slashes(libraryFolder);
  }

  /** @returns whether the file has changed by that */
  set(path: string, text: string): boolean {
    if (this.#files.get(path) === text) return false;
    this.#files.set(path, text);
    return true;
  }

  /** Answers one of {@link FILE_REQUESTS}; `null` lets the checker look for itself. */
  answer(method: string, argument: unknown): unknown {
    const path = typeof argument === 'string' ? slashes(argument) : '';
    const text = this.#files.get(path);
    switch (method) {
      case 'readFile':
        return this.#isLibraryFile(path) ? null : { content: text ?? null };
      case 'fileExists':
        return this.#isLibraryFile(path) ? null : text !== undefined;
      case 'directoryExists':
        return path === FOLDER || path === this.#libraryFolder;
      case 'getAccessibleEntries':
        return { files: path === FOLDER ? this.#names() : [], directories: [] };
      case 'realpath':
        return argument;
      default:
        return null;
    }
  }

  #isLibraryFile(path: string): boolean {
    const end = path.lastIndexOf('/');
    return path.slice(0, end) === this.#libraryFolder && LIBRARY.test(path.slice(end + 1));
  }

  #names(): string[] {
    return [...this.#files.keys()].map((path) => path.slice(FOLDER.length + 1));
  }
}

const slashes = (path: string): string => path.replaceAll('\\', '/');
