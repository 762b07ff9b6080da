import type { LineListener, PeerLine } from './peer-line.js';
import { type GuestLimits, HostFrame, PeerFrame, type StartPayload } from './wire.js';

/** Types to erase and a result: everything that any program needs. */
const PROGRAM = 'const warm: number = 1; return warm';

/**
 * Runs one program in a new sandbox, so that what loads on first use is loaded before a model waits for it.
 *
 * Settles when the sandbox is free again, whatever became of the program.
 *
 * @param open joins a run to the sandbox
 */
export async function warmRun(
  open: (listener: LineListener) => PeerLine,
  limits: GuestLimits,
): Promise<void> {
  const payload: StartPayload = { program: PROGRAM, namespaces: [], limits, hold: false };
  const line = await new Promise<PeerLine | undefined>((resolve) => {
    const opened = open({
      onFrame: (type) => {
        if (type !== PeerFrame.log) resolve(opened);
      },
      onDeath: () => resolve(undefined),
    });
    opened.send(HostFrame.start, JSON.stringify(payload), limits.computeMs);
  });
  await line?.stop(false);
}
