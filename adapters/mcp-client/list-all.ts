import { isRecord } from './config-entry.js';

const MOST_PAGES = 10_000;
const MOST_ENTRIES = 100_000;

/**
 * Reads every page of a list.
 *
 * @param readPage - asks for one page; `{}` is the first
 * @param member - the member of a page that holds its entries
 * @throws {Error} when a page is no list, a cursor comes twice, or there is no end
 * @example
 * const tools = await listAll((params) => client.request({ method: 'tools/list', params }, anyResult), 'tools');
 */
export async function listAll(
  readPage: (params: Record<string, unknown>) => Promise<unknown>,
  member: string,
): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page: unknown = await readPage(cursor === undefined ? {} : { cursor });
    const listed = isRecord(page) ? page[member] : undefined;
    if (!Array.isArray(listed))
      throw new Error(`Cannot read the list: wanted an array "${member}", received none`);
    for (const entry of listed) entries.push(entry);
    const next = (page as Record<string, unknown>)['nextCursor'];
    cursor = typeof next === 'string' ? next : undefined;
    if (cursor === undefined) return entries;
    if (cursors.has(cursor))
      throw new Error(`Cannot read the list: the server names the page "${cursor}" twice`);
    cursors.add(cursor);
  } while (cursors.size < MOST_PAGES && entries.length < MOST_ENTRIES);
  throw new Error(
    `Cannot read the list: it has no end after ${cursors.size} pages with ${entries.length} entries`,
  );
}
