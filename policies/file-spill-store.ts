import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownOptions, nonEmptyString } from '../runtime/core/options.js';
import type { SpillStore } from './spill-store.js';

/** What can be set of `fileSpillStore`. */
export interface FileSpillStoreOptions {
  /** A folder; made with mode 0700 where it does not exist. @default a private temporary folder, made when it is needed */
  readonly root?: string;
  /** Tells a model how to read a file. @default 'Read the file <path> for the rest.' */
  readonly hint?: (path: string) => string;
}

const MAX_NAME = 80;

/**
 * Keeps texts as files that nobody else can read: `<root>/session-<hash>/<random>-<name>`, folders 0700, files 0600, never over
 * a file that is there. It removes nothing.
 *
 * @throws {TypeError} when an option has no meaning
 * @example
 * spill(tools, { maxInlineBytes: 16_384, store: fileSpillStore() });
 */
export function fileSpillStore(options: FileSpillStoreOptions = {}): SpillStore {
  knownOptions('fileSpillStore', options, ['root', 'hint']);
  const root = options.root === undefined ? undefined : nonEmptyString('root', options.root);
  const hint = options.hint ?? ((path: string) => `Read the file ${path} for the rest.`);
  let made: Promise<string> | undefined;
  const rootFolder = async (): Promise<string> => {
    if (root === undefined) return mkdtemp(join(tmpdir(), 'ptc-spill-'));
    await mkdir(root, { recursive: true, mode: 0o700 });
    return root;
  };
  const openRoot = (): Promise<string> => {
    made ??= rootFolder().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    async save({ owner, suggestedName, content }) {
      const hash = createHash('sha256').update(owner).digest('hex').slice(0, 16);
      const folder = join(await openRoot(), `session-${hash}`);
      await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
      // A link in its place would put the text somewhere else.
      if (!(await lstat(folder)).isDirectory()) {
        throw new Error(`Cannot save a text: wanted a folder of its own at "${folder}"`);
      }
      const path = join(folder, `${randomBytes(8).toString('hex')}-${safeName(suggestedName)}`);
      await writeFile(path, content, { flag: 'wx', mode: 0o600 });
      return { locator: path, bytes: Buffer.byteLength(content), retrievalHint: hint(path) };
    },
  };
}

/** Letters, digits, `.`, `_` and `-`; never hidden, never empty, never long. */
function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^\.+/, '');
  return safe.slice(-MAX_NAME) || 'text';
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
