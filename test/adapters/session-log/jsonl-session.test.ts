import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonValue } from 'ptc-runtime';
import { type JsonlSession, jsonlSession } from 'ptc-runtime/adapters/session-log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('the session log', () => {
  let folder: string;
  let path: string;
  const opened: JsonlSession[] = [];
  const open = (options?: Parameters<typeof jsonlSession>[1]) => {
    const session = jsonlSession(path, options);
    opened.push(session);
    return session;
  };
  const closeAll = () => {
    for (const session of opened.splice(0)) session.close();
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    path = join(folder, 'deep/agent.jsonl');
  });
  afterEach(() => {
    closeAll();
    rmSync(folder, { recursive: true });
  });

  it('numbers events from 1, one JSON object a line, in a file of its owner alone', () => {
    const session = open();
    expect(session.id).toBe('agent');
    expect([session.append('a', { n: 1 }), session.append('b', 'two\nlines')]).toEqual([
      { seq: 1 },
      { seq: 2 },
    ]);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[1] as string)).toMatchObject({ seq: 2, type: 'b', payload: 'two\nlines' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('reads back the payloads of one type, oldest first, and every event with its number', () => {
    const session = open();
    for (const n of [1, 2, 3]) session.append(n === 2 ? 'even' : 'odd', { n });
    expect([...session.events('odd')]).toEqual([{ n: 1 }, { n: 3 }]);
    expect([...session.entries()].map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'odd'],
      [2, 'even'],
      [3, 'odd'],
    ]);
  });

  it('goes on with the numbers of an earlier process', () => {
    open().append('a', 1);
    closeAll();
    const again = open();
    expect(again.append('a', 2)).toEqual({ seq: 2 });
    expect([...again.events('a')]).toEqual([1, 2]);
  });

  it('drops a last line that a crash cut short, wherever it was cut', () => {
    const whole = `${JSON.stringify({ seq: 1, type: 'a', at: 'then', payload: 'grün' })}\n`;
    const next = Buffer.from(`${JSON.stringify({ seq: 2, type: 'a', at: 'then', payload: '日本 😀' })}\n`);
    open().append('x', 0);
    closeAll();
    for (let cut = 1; cut < next.length; cut += 1) {
      writeFileSync(path, whole);
      appendFileSync(path, next.subarray(0, cut));
      const session = open();
      expect(session.droppedBytes).toBe(cut);
      expect(session.append('a', 'after')).toEqual({ seq: 2 });
      expect([...session.events('a')]).toEqual(['grün', 'after']);
      session.close();
    }
  });

  it('refuses a broken line in the middle, naming it, and leaves the file as it is', () => {
    open().append('a', 1);
    closeAll();
    const broken = `${readFileSync(path, 'utf8')}not json\n{"seq":3,"type":"a","payload":1}\n`;
    writeFileSync(path, broken);
    expect(() => open()).toThrow(
      /^Cannot read session log ".*": wanted a JSON event on line 2, received "not json"$/,
    );
    expect(readFileSync(path, 'utf8')).toBe(broken);
  });

  it('any payload comes back as it was, also across the pieces the file is read in', () => {
    const session = open({ fsync: true });
    const payloads: JsonValue[] = ['x'.repeat(200_000)];
    session.append('p', payloads[0] as JsonValue);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const payload = JSON.parse(JSON.stringify(value)) as JsonValue;
        payloads.push(payload);
        session.append('p', payload);
      }),
      { numRuns: 50 },
    );
    expect([...session.events('p')]).toEqual(payloads);
  });

  it('a closed session refuses events; closing twice is harmless', async () => {
    const session = open({ id: 'mine' });
    await session.flush();
    session.close();
    session.close();
    expect(() => session.append('a', 1)).toThrow('Cannot append to session "mine": it is closed');
  });

  it('a bad option is named', () => {
    expect(() => open({ fsync: 1 as never })).toThrow(
      'Cannot use option "fsync": wanted true or false, received 1',
    );
  });
});
