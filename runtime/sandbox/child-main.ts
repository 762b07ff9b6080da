// The sandbox process: reads frames from fd 0, serves them, writes frames to fd 1. Never touches `process.stdin`,
// `process.stdout` or `console`: they make the descriptors non-blocking, and a blocking read would spin from then on.

import { readSync, writeSync } from 'node:fs';
import { encodeFrame, FRAME_HEADER_BYTES, type RawFrame } from './codec.js';
import { engineProblem, openPeer, type PeerChoice } from './open-peer.js';
import type { CreatePeer, PeerPort } from './peer-types.js';
import { type EndPayload, type HostFrameType, PeerFrame } from './wire.js';

const INPUT = 0;
const OUTPUT = 1;
const BUFFER_BYTES = 64 * 1024;

/** Reads whole frames; blocks until one is there. */
class FrameReader {
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #start = 0;
  #end = 0;

  /** @returns `undefined` at the end of the input: the host is gone, or wants no more */
  next(): RawFrame | undefined {
    if (!this.#has(4)) return undefined;
    const length = 4 + this.#buffer.readUInt32BE(this.#start);
    if (!this.#has(length)) return undefined;
    const frame = this.#buffer.subarray(this.#start, this.#start + length);
    this.#start += length;
    return {
      type: frame.readUInt8(4),
      run: frame.readUInt32BE(5),
      payload: frame.subarray(FRAME_HEADER_BYTES),
    };
  }

  /** Waits until `bytes` are there. */
  #has(bytes: number): boolean {
    if (this.#end - this.#start >= bytes) return true;
    this.#makeRoom(bytes);
    while (this.#end - this.#start < bytes) {
      const read = readAll(this.#buffer, this.#end);
      if (read === 0) return false;
      this.#end += read;
    }
    return true;
  }

  /** Moves what is left to the front of a buffer that is large enough, and no larger than it needs to be. */
  #makeRoom(bytes: number): void {
    const size = Math.max(BUFFER_BYTES, bytes);
    const target = this.#buffer.length === size ? this.#buffer : Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(target, 0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    this.#buffer = target;
  }
}

function readAll(buffer: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(INPUT, buffer, at, buffer.length - at, null);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN' && code !== 'EINTR') throw cause;
    }
  }
}

const port: PeerPort = {
  send(type, run, payload) {
    const frame = encodeFrame(type, run, payload);
    for (let sent = 0; sent < frame.length; ) {
      try {
        sent += writeSync(OUTPUT, frame, sent);
      } catch (cause) {
        const { code } = cause as NodeJS.ErrnoException;
        // Nobody reads any more.
        if (code === 'EPIPE') process.exit(0);
        if (code !== 'EAGAIN' && code !== 'EINTR') throw cause;
      }
    }
  },
};

// Ctrl-C in a terminal reaches the whole group; the host decides what becomes of its sandboxes.
process.on('SIGINT', () => {});

const choice = JSON.parse(process.argv[2] ?? '{}') as PeerChoice & { readonly peer: string };
const { createPeer } = (await import(choice.peer)) as { createPeer: CreatePeer };
const peer = await openPeer(choice, port, createPeer).catch((cause: unknown) => {
  const failure = { kind: 'sandbox-unavailable', ...engineProblem(choice.engine, cause) } as const;
  const end: EndPayload = { failure, computeMs: 0, heapBytes: 0 };
  port.send(PeerFrame.end, 0, JSON.stringify(end));
  process.exit(1);
});
const reader = new FrameReader();
for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
  peer.receive(frame.type as HostFrameType, frame.run, frame.payload.toString('utf8'));
  await peer.idle();
}
process.exit(0);
