import type { ToolDefinition } from '../../runtime/contract/definition.js';
import { ToolNotFoundError } from '../../runtime/core/errors.js';
import { declareTools } from '../text/declarations.js';
import { type DocDetail, toolDoc } from '../text/doc-comment.js';
import { isRecord, own } from '../tree/schema-reader.js';
import { type ToolTree, toolTree } from '../tree/tool-tree.js';
import { closestNames } from './closest.js';
import { Ranking } from './ranking.js';

/** The most tools that one search gives. */
const MOST_RESULTS = 10;

/** What `sdk.search` answers: lossless JSON. */
export interface CatalogueSearch {
  /** `full list` with the number of tools that match, or `N of M shown`. */
  readonly shown: string;
  /** Best first. */
  readonly tools: readonly CatalogueEntry[];
}

/** One tool as a search lists it. */
export interface CatalogueEntry {
  readonly name: string;
  /** Its description, cut to what must be known. */
  readonly description: string;
  /** Its declaration without comments. */
  readonly declaration: string;
}

/** Finds and describes tools. */
export interface Catalogue {
  /** At most 10 tools that fit the words, best first; the same for the same tools and query. Never throws. */
  search(query: unknown): CatalogueSearch;
  /**
   * The full declaration of one tool with the types it uses, as TypeScript text.
   *
   * @throws {ToolNotFoundError} UNKNOWN_TOOL when no tool has this name; the message names the closest ones.
   */
  describe(name: unknown): string;
}

/**
 * Makes the data side of `sdk.search` and `sdk.describe`. The index is built at the first search.
 *
 * @param tools the tools a program may call.
 * @example
 * createCatalogue(tools).search('delete an issue').tools[0]?.name // 'issue_remove'
 */
export function createCatalogue(tools: readonly ToolDefinition[]): Catalogue {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let ranking: Ranking | undefined;
  return {
    search(query) {
      ranking ??= new Ranking([...byName.values()].map(entryOf));
      const found = ranking.search(typeof query === 'string' ? query : '');
      const shown = found.slice(0, MOST_RESULTS);
      return {
        shown:
          shown.length === found.length
            ? `full list: ${found.length} of ${byName.size} tools match`
            : `${shown.length} of ${found.length} shown: use more words to narrow the search`,
        tools: shown.map((name) => listed(toolTree(byName.get(name)!))),
      };
    },
    describe(name) {
      const tool = typeof name === 'string' ? byName.get(name) : undefined;
      if (tool !== undefined) return declarationOf(toolTree(tool), 'full');
      const text = typeof name === 'string' ? name : String(typeof name);
      const closest = closestNames([...byName.keys()], text);
      const hint = closest.length === 0 ? 'use sdk.search to find one' : `closest: ${closest.join(', ')}`;
      throw new ToolNotFoundError(
        `Cannot describe tool ${JSON.stringify(text)}: no tool has this name, ${hint}`,
      );
    },
  };
}

/** One tool's declaration with the named types that it uses. */
function declarationOf(tree: ToolTree, detail: DocDetail): string {
  const { types, members } = declareTools([{ tree, detail }]);
  return [...types, ...members].join('\n');
}

function listed(tree: ToolTree): CatalogueEntry {
  return {
    name: tree.name,
    description:
      tree.description === undefined ? '' : (toolDoc({ description: tree.description }, 'brief') ?? ''),
    declaration: declarationOf(tree, 'none'),
  };
}

function entryOf(tool: ToolDefinition): { name: string; description: string; properties: string } {
  const properties = isRecord(tool.parameters) ? own(tool.parameters, 'properties') : undefined;
  return {
    name: tool.name,
    description: typeof tool.description === 'string' ? tool.description : '',
    properties: isRecord(properties) ? Object.keys(properties).join(' ') : '',
  };
}
