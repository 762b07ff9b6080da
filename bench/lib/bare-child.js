// A process that answers every frame with one of the size it was asked for: the transport and nothing else.
import { readSync, writeSync } from 'node:fs';

const header = Buffer.alloc(8);

function readFully(buffer, size) {
  for (let at = 0; at < size; ) {
    const got = readSync(0, buffer, at, size - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
}

for (;;) {
  readFully(header, 8);
  const size = header.readUInt32BE(0);
  const wanted = header.readUInt32BE(4);
  readFully(Buffer.allocUnsafe(size), size);
  const answer = Buffer.alloc(wanted + 4, 0x20);
  answer.writeUInt32BE(wanted, 0);
  for (let at = 0; at < answer.length; ) at += writeSync(1, answer, at);
}
