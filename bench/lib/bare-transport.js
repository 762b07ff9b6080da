import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('bare-child.js', import.meta.url));

/** Opens the bare process. `exchange(text, size)` sends a frame and settles with the answer's size. */
export function bareProcess() {
  const child = spawn(process.execPath, ['--no-node-snapshot', CHILD], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let missing = 0;
  let settle = () => {};
  let head = Buffer.alloc(0);
  child.stdout.on('data', (chunk) => {
    let rest = chunk;
    if (missing === 0) {
      head = Buffer.concat([head, rest]);
      if (head.length < 4) return;
      missing = head.readUInt32BE(0) + 4;
      rest = head;
      head = Buffer.alloc(0);
    }
    missing -= rest.length;
    if (missing === 0) settle();
  });
  return {
    exchange(text, answerBytes) {
      const body = Buffer.from(text);
      const frame = Buffer.allocUnsafe(body.length + 8);
      frame.writeUInt32BE(body.length, 0);
      frame.writeUInt32BE(answerBytes, 4);
      body.copy(frame, 8);
      return new Promise((resolve) => {
        settle = resolve;
        child.stdin.write(frame);
      });
    },
    close: () => child.kill('SIGKILL'),
  };
}

/** The same with a bare isolate on the calling thread. */
export async function bareIsolate() {
  const { default: ivm } = await import('isolated-vm');
  const isolate = new ivm.Isolate();
  const context = isolate.createContextSync();
  const answer = context.evalSync('(text, size) => " ".repeat(size)', { reference: true });
  return {
    exchange: async (text, answerBytes) => answer.applySync(undefined, [text, answerBytes]).length,
    close: () => isolate.dispose(),
  };
}
