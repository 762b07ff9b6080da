import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader, frame } from '#dist/bridge/type-check/frames.js';
import { VirtualFiles } from '#dist/bridge/type-check/virtual-files.js';

describe('frames', () => {
  it('C70: messages come out as they went in, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
          { maxLength: 4 },
        ),
        fc.array(fc.integer({ min: 1, max: 40 })),
        (messages, cuts) => {
          const bytes = Buffer.concat(messages.map(frame));
          const reader = new FrameReader(1_000_000);
          const found: unknown[] = [];
          let start = 0;
          for (const cut of [...cuts, bytes.length]) {
            found.push(...reader.push(bytes.subarray(start, start + cut)));
            start += cut;
          }
          found.push(...reader.push(bytes.subarray(start)));
          expect(found).toEqual(messages);
        },
      ),
    );
  });

  it.each([
    ['x'.repeat(300), 'wanted a length'],
    ['Length: 5\r\n\r\nhello', 'wanted a length'],
    ['Content-Length: 11\r\n\r\nhello world', 'wanted at most 10 bytes, received 11'],
  ])('C70: %j is no frame', (text, words) => {
    expect(() => new FrameReader(10).push(Buffer.from(text))).toThrow(words);
  });
});

describe('the files of a checker', () => {
  const files = new VirtualFiles('/opt/typescript/lib');
  files.set('/v/program.ts', 'return 1;');
  const library = '/opt/typescript/lib/lib.es2023.d.ts';

  it('C70: its own files are answered, the library is left to the checker, all else is absent', () => {
    expect(files.answer('readFile', '/v/program.ts')).toEqual({ content: 'return 1;' });
    expect(files.answer('fileExists', '/v/program.ts')).toBe(true);
    expect(files.answer('getAccessibleEntries', '/v')).toEqual({ files: ['program.ts'], directories: [] });
    expect(files.answer('readFile', library)).toBeNull();
    expect(files.answer('fileExists', library)).toBeNull();
    for (const path of [
      '/etc/passwd',
      '/v/other.ts',
      '/opt/typescript/lib/tsc',
      '/opt/typescript/lib/package.json',
      '/opt/typescript/lib/../../../etc/lib.x.d.ts',
      '/opt/typescript/lib/lib.d.ts/../../secret.d.ts',
      '/opt/typescript/lib/sub/lib.d.ts',
      '\\etc\\passwd',
      '',
      5,
      null,
    ]) {
      expect(files.answer('readFile', path)).toEqual({ content: null });
      expect(files.answer('fileExists', path)).toBe(false);
      expect(files.answer('getAccessibleEntries', path)).toEqual({ files: [], directories: [] });
    }
    expect(files.answer('directoryExists', '/etc')).toBe(false);
    expect(files.answer('somethingElse', '/v')).toBeNull();
  });
});
