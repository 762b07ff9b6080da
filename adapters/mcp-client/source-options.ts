import type { McpEvents } from './events.js';
import type { McpToolListing } from './tool.js';

/** What can be set of `registerMcpTools`. */
export interface McpToolsOptions extends McpEvents {
  /** Goes on with the other servers and reports the failure; otherwise the first failure rejects. @default false */
  readonly allowMissing?: boolean;
  /**
   * A server's list as the host kept it. A server with one is not started before the first call of one of its tools; its
   * real list replaces this one then.
   */
  readonly cachedListing?: (server: string) => readonly McpToolListing[] | undefined;
  /** Told of each list as it was read, for a host that keeps them. */
  readonly onListing?: (server: string, listing: readonly McpToolListing[]) => void;
  /** How long changes of a list are gathered before it is read again, ms. @default 100 */
  readonly changeDelayMs?: number;
  /** Wait before connecting again after so many failed attempts in a row, ms. @default 250, doubled to at most 10000 */
  readonly retryDelayMs?: (failures: number) => number;
}
