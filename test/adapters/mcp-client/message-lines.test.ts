import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageLines } from '#dist/adapters/mcp-client/message-lines.js';
import { repeatedMember } from '#dist/adapters/mcp-client/repeated-member.js';
import { TopLevelId } from '#dist/adapters/mcp-client/top-level-id.js';

/** Cuts bytes into pieces of these lengths, the last one takes the rest. */
function pieces(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const cut: Uint8Array[] = [];
  let from = 0;
  for (const length of lengths) {
    cut.push(bytes.subarray(from, from + length));
    from += length;
  }
  return [...cut, bytes.subarray(from)];
}

describe('lines of a stream', () => {
  it('come out as they went in, however the stream was cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '))),
        fc.array(fc.nat(20)),
        (lines, lengths) => {
          const seen: string[] = [];
          const reader = new MessageLines(1_000_000, {
            line: (text) => seen.push(text),
            tooLong: () => seen.push('too long'),
          });
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          for (const piece of pieces(bytes, lengths)) reader.push(piece);
          expect(seen).toEqual(lines.map((line) => Buffer.from(line).toString()));
        },
      ),
    );
  });

  it('a line over the bound is dropped with its id, and the next one is whole', () => {
    const seen: unknown[] = [];
    const reader = new MessageLines(20, {
      line: (text) => seen.push(text),
      tooLong: (id) => seen.push({ id }),
    });
    const long = JSON.stringify({ result: { text: 'x'.repeat(100), id: 8 }, jsonrpc: '2.0', id: 7 });
    reader.push(Buffer.from(`short\n${long}\n{"id":1}\n${'y'.repeat(30)}\nend\n`));
    expect(seen).toEqual(['short', { id: 7 }, '{"id":1}', { id: undefined }, 'end']);
  });
});

describe('the id of a message that passes by', () => {
  it('is the outermost one, wherever it stands and however the bytes were cut', () => {
    const id = fc.oneof(
      fc.integer(),
      fc.string({ maxLength: 10 }).map((text) => text.replace(/[^ -~]/g, '')),
    );
    fc.assert(
      fc.property(
        id,
        fc.jsonValue(),
        fc.boolean(),
        fc.array(fc.nat(9)),
        (wanted, result, isFirst, lengths) => {
          const message = isFirst ? { id: wanted, result } : { result, id: wanted };
          const reader = new TopLevelId();
          for (const piece of pieces(Buffer.from(JSON.stringify(message)), lengths)) reader.push(piece);
          expect(reader.id).toBe(wanted);
        },
      ),
    );
  });

  it('is nothing where there is none', () => {
    const reader = new TopLevelId();
    reader.push(Buffer.from('{"result":{"id":1},"x":["id",2],"id":null}'));
    expect(reader.id).toBeUndefined();
  });
});

describe('a member that is there twice', () => {
  it('is found at its path alone', () => {
    const text = '{"a":{"x":1,"y":{"x":2,"x":3}},"b":{"x":1,"x":2}}';
    expect(repeatedMember(text, ['a'])).toBeUndefined();
    expect(repeatedMember(text, ['b'])).toBe('x');
    expect(repeatedMember(text, ['a', 'y'])).toBe('x');
  });

  it('is never found in what JSON.stringify makes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (servers) => {
        expect(
          repeatedMember(JSON.stringify({ mcpServers: servers }, null, 1), ['mcpServers']),
        ).toBeUndefined();
      }),
    );
  });

  it('is found whatever its name and its neighbours are', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, first, second) => {
        const member = (value: unknown) => `${JSON.stringify(name)} : ${JSON.stringify(value)}`;
        expect(repeatedMember(`{"s":{${member(first)},${member(second)}}}`, ['s'])).toBe(name);
      }),
    );
  });
});
