/** Longest text that is parsed as a URL, in UTF-16 units. */
const MAX_URL_LENGTH = 1_000_000;

/**
 * Parses a URL for the guest, which has no parser of its own.
 *
 * @param request JSON array: the text and its base, or a URL, one of its properties and the new text
 * @returns JSON record of the parts, or the empty text where there is no such URL
 */
export function urlFields(request: string): string {
  if (request.length > MAX_URL_LENGTH) return '';
  try {
    const [text, base, property, value] = JSON.parse(request) as (string | null)[];
    const url = new URL(text ?? '', base ?? undefined);
    if (typeof property === 'string') Reflect.set(url, property, value);
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
    return JSON.stringify({
      href,
      origin,
      protocol,
      username,
      password,
      host,
      hostname,
      port,
      pathname,
      search,
      hash,
    });
  } catch {
    return '';
  }
}
