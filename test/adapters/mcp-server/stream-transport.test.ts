import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { StreamTransport } from '#dist/adapters/mcp-server/stream-transport.js';
import { flush } from '../../support/gate.ts';

describe('the stream of messages towards a client', () => {
  let input: PassThrough;
  let output: PassThrough;
  let transport: StreamTransport;
  let seen: JSONRPCMessage[];
  let errors: string[];
  let isClosed: boolean;
  const sent = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const request = (id: number, method = 'ping') => ({ jsonrpc: '2.0' as const, id, method });
  const feed = async (...lines: (string | object)[]) => {
    input.write(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    await flush();
  };

  beforeEach(async () => {
    input = new PassThrough();
    output = new PassThrough();
    transport = new StreamTransport(input, output);
    seen = [];
    errors = [];
    isClosed = false;
    transport.onmessage = (message) => seen.push(message);
    transport.onerror = ({ message }) => errors.push(message);
    transport.onclose = () => {
      isClosed = true;
    };
    await transport.start();
  });

  it.each<[line: string, id: number | null, code: number, told: string]>([
    ['garbage', null, -32700, 'a line is no JSON: "garbage"'],
    [`{${'x'.repeat(500)}`, null, -32700, `a line is no JSON: "{${'x'.repeat(99)}…"`],
    ['{"jsonrpc":"2.0","id":7}', null, -32600, 'a line is no JSON-RPC 2.0 message'],
    ['{"jsonrpc":"2.0","id":7,"result":3}', null, -32600, 'a line is no JSON-RPC 2.0 message'],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600, 'a line is no JSON-RPC 2.0 message'],
    ['[]', null, -32600, 'a line is no JSON-RPC 2.0 message'],
    ['null', null, -32600, 'a line is no JSON-RPC 2.0 message'],
  ])(
    '%s is answered with an error and told in a line, and what comes behind it is served',
    async (line, id, code, told) => {
      await feed(line, '', request(1));
      expect(sent()).toEqual([
        { jsonrpc: '2.0', id, error: { code, message: `Cannot read the message: ${told}` } },
      ]);
      expect(errors).toEqual([`The client was sent an error: ${told}`]);
      expect(seen).toEqual([request(1)]);
    },
  );

  it('a message over the bound is answered with an error and costs nothing behind it', async () => {
    const piece = 'x'.repeat(1024 * 1024);
    input.write('{"jsonrpc":"2.0","id":7,"method":"');
    for (let n = 0; n < 17; n += 1) input.write(piece);
    await feed('"}', request(1));
    await expect.poll(() => seen).toEqual([request(1)]);
    expect(sent()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it('the end of the input ends it once every request is answered that was not taken back', async () => {
    await feed(request(1), request(2), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2 },
    });
    input.end();
    await flush();
    await flush();
    expect(isClosed).toBe(false);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(sent()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    expect(isClosed).toBe(true);
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow(
      'the connection is closed',
    );
  });

  it('thousands of messages at once add no listener each', async () => {
    const message = { jsonrpc: '2.0' as const, method: 'notifications/message', params: { data: 'x' } };
    const sending = Array.from({ length: 5_000 }, () => transport.send(message));
    expect(output.listenerCount('drain')).toBeLessThanOrEqual(1);
    let count = 0;
    output.on('data', (chunk: Buffer) => {
      count += chunk.toString().split('\n').length - 1;
    });
    await Promise.all(sending);
    await expect.poll(() => count).toBe(5_000);
  });

  it('an output that breaks ends it, and breaks nothing else', async () => {
    output.destroy(new Error('the pipe is broken'));
    await flush();
    expect([isClosed, errors]).toEqual([true, ['the pipe is broken']]);
    await transport.close();
    input.emit('error', new Error('late'));
    expect(errors).toEqual(['the pipe is broken']);
  });
});
