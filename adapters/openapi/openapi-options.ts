import type { ToolRunContext } from '../../runtime/contract/execution.js';
import { optionError } from '../../runtime/core/option-error.js';
import { positiveInteger } from '../../runtime/core/options.js';
import type { OpenApiOperation } from './operation.js';
import type { OpenApiRequest } from './request.js';

/** What a host adds to a request so that it is let in. */
export interface OpenApiCredentials {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** How a document becomes tools. At least one of `baseUrl` and `allowedUrls` is needed. */
export interface OpenApiToolsOptions {
  /** Where the operations are, instead of the document's servers. */
  readonly baseUrl?: string | undefined;
  /**
   * Requests and redirections go to these addresses and what lies below them, and nowhere else.
   *
   * @default `baseUrl` alone
   */
  readonly allowedUrls?: readonly string[] | undefined;
  /** Asked before every request, also one that follows a redirection; a program never sees what it answers. */
  readonly authorize?:
    | ((
        request: OpenApiRequest,
        operation: OpenApiOperation,
        exec: ToolRunContext,
      ) => OpenApiCredentials | Promise<OpenApiCredentials>)
    | undefined;
  /** Leaves operations out. @default all */
  readonly include?: ((operation: OpenApiOperation) => boolean) | undefined;
  /** Renames a tool; two of one name cannot be registered. @default the proposed name */
  readonly rename?: ((operation: OpenApiOperation, proposed: string) => string) | undefined;
  /** Of one response's body; a positive integer. @default 10485760 */
  readonly maxResponseBytes?: number | undefined;
  /** `ignore`: a response need not match its schema, and programs see any JSON value. @default 'enforce' */
  readonly responseSchemas?: 'enforce' | 'ignore' | undefined;
  /** The tools' source. @default the document's title */
  readonly source?: string | undefined;
  /** @default the global one */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * @returns the allowed addresses and the limit
 * @throws {TypeError} when an address is no whole http(s) one, none is given, or the limit is no positive integer
 */
export function checkOpenApiOptions(options: OpenApiToolsOptions): {
  readonly allowed: readonly string[];
  readonly maxBytes: number;
} {
  const { baseUrl, allowedUrls, maxResponseBytes = 10_485_760 } = options;
  const allowed = allowedUrls ?? (baseUrl === undefined ? [] : [baseUrl]);
  if (allowed.length === 0)
    throw optionError('allowedUrls', 'at least one address, or a "baseUrl"', allowedUrls);
  for (const url of allowed) wholeAddress('allowedUrls', url);
  if (baseUrl !== undefined) wholeAddress('baseUrl', baseUrl);
  return { allowed: [...allowed], maxBytes: positiveInteger('maxResponseBytes', maxResponseBytes) };
}

function wholeAddress(option: string, url: unknown): void {
  const isWhole = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWhole) throw optionError(option, 'whole http or https addresses', url);
}
