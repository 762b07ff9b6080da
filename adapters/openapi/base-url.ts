import { members, type OpenApiNode } from './document.js';

/**
 * The address that an operation's path is put behind.
 *
 * @param servers - of the operation; the first one counts
 * @param given - the host's own, which wins; a relative address of a server is taken from it
 * @returns the address without a slash at its end, or why there is none
 */
export function baseUrlOf(
  servers: readonly OpenApiNode[],
  given: string | undefined,
): { readonly url: string } | { readonly refusal: string } {
  const address = given ?? serverUrl(servers[0]);
  if (address === undefined) return { refusal: 'the document names no server and no "baseUrl" was given' };
  if (!URL.canParse(address)) return { refusal: `its server "${address}" is no whole address` };
  return { url: new URL(address).href.replace(/[?#].*$/, '').replace(/\/+$/, '') };
}

/**
 * Whether an address lies at or below one of the allowed ones: same scheme, host and port, and a path that starts with the
 * allowed path up to a slash.
 *
 * @example
 * isAllowed(new URL('https://api.example.com/v1/pets'), ['https://api.example.com/v1']) // true
 */
export function isAllowed(url: URL, allowed: readonly string[]): boolean {
  return allowed.some((each) => {
    const base = new URL(each);
    const path = base.pathname.replace(/\/+$/, '');
    const isBelow = url.pathname === path || url.pathname.startsWith(`${path}/`);
    return url.origin === base.origin && url.username === '' && url.password === '' && isBelow;
  });
}

function serverUrl(server: OpenApiNode | undefined): string | undefined {
  if (typeof server?.['url'] !== 'string') return undefined;
  const variables = new Map(members(server['variables']));
  return server['url'].replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = (variables.get(name) as { default?: unknown } | undefined)?.default;
    return value === undefined ? whole : String(value);
  });
}
