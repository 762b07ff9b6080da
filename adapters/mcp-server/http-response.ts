import type { ServerResponse } from 'node:http';

/**
 * Writes a web response to a Node one, piece by piece as it comes and no faster than the other side reads.
 *
 * @param headers - beside the response's own
 * @example
 * await writeResponse(res, await handler.fetch(request), {});
 */
export async function writeResponse(
  to: ServerResponse,
  response: Response,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  to.writeHead(response.status, { ...Object.fromEntries(response.headers), ...headers });
  if (response.body === null) {
    to.end();
    return;
  }
  // A stream may have nothing to say for long; its reader waits for the headers.
  to.flushHeaders();
  const reader = response.body.getReader();
  let resume = (): void => {};
  to.on('drain', () => resume());
  to.on('close', () => {
    resume();
    reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done || to.destroyed) break;
      if (to.write(value)) continue;
      await new Promise<void>((resolve) => {
        resume = resolve;
        if (to.destroyed) resolve();
      });
    }
  } catch {
    // The stream broke; what was sent stands.
  }
  to.end();
}
