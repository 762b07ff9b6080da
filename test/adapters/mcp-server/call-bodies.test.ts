import { beforeEach, describe, expect, it } from 'vitest';
import type { Asker } from '#dist/adapters/mcp-server/asker.js';
import { CallBodies } from '#dist/adapters/mcp-server/call-bodies.js';
import { CallChannel } from '#dist/adapters/mcp-server/call-channel.js';
import { gate } from '../../support/gate.ts';

const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
const question = (callIds: string[], signal = new AbortController().signal) => ({
  server: 'files',
  params: form,
  callIds,
  signal,
});

describe('the questions of a source', () => {
  let warnings: string[];
  let bodies: CallBodies;
  const client = {};
  const start = (
    callId: string,
    asker: Asker,
    more: { client?: object; signal?: AbortSignal; held?: string[] } = {},
  ) => {
    const { held } = more;
    const onApproval = () => {
      held?.push('held');
      return () => void held?.push('released');
    };
    bodies.started(callId, {
      exec: {
        signal: more.signal ?? new AbortController().signal,
        dispatch: { direct: 'any', onApproval },
      },
      channel: new CallChannel(),
      label: '1 ask',
      client: more.client ?? client,
      asker,
    });
  };
  beforeEach(() => {
    warnings = [];
    bodies = new CallBodies((message) => warnings.push(message));
  });

  it('the time that a person takes is not charged to the run', async () => {
    const held: string[] = [];
    start(
      'c1',
      {
        async elicit() {
          held.push('asked');
          return { action: 'accept', content: { a: 1 } };
        },
      },
      { held },
    );
    expect(await bodies.elicit(question(['c1']))).toEqual({ action: 'accept', content: { a: 1 } });
    expect(held).toEqual(['held', 'asked', 'released']);
  });

  it.each([
    [undefined, 'cancel'],
    [null, 'cancel'],
    [{ action: 'maybe' }, 'cancel'],
    [{ action: 'accept' }, 'accept'],
  ])('an answer %j is %s', async (answer, action) => {
    start('c1', { elicit: async () => answer });
    expect(await bodies.elicit(question(['c1']))).toEqual({ action });
  });

  it('a question that its source takes back, or whose call ends, is cancelled and no error', async () => {
    const waits: Asker = {
      elicit: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    const ended = new AbortController();
    const takenBack = new AbortController();
    start('c1', waits, { signal: ended.signal });
    const answers = [bodies.elicit(question(['c1'])), bodies.elicit(question(['c1'], takenBack.signal))];
    takenBack.abort();
    expect(await answers[1]).toEqual({ action: 'cancel' });
    ended.abort();
    expect(await answers[0]).toEqual({ action: 'cancel' });
  });

  it('a client that fails to answer is told as that', async () => {
    start('c1', { elicit: () => Promise.reject(new Error('its screen is off')) });
    await expect(bodies.elicit(question(['c1']))).rejects.toThrow(
      'The client did not answer: its screen is off',
    );
  });

  it('at most ten wait at once, of one source; the rest is declined, and three lines say so', async () => {
    const answered = gate<object>();
    start('c1', { elicit: () => answered.promise });
    const asked = Array.from({ length: 20 }, () => bodies.elicit(question(['c1'])));
    answered.open({ action: 'accept' });
    const actions = (await Promise.all(asked)).map(({ action }) => action);
    expect(actions).toEqual([...Array(10).fill('accept'), ...Array(10).fill('decline')]);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toBe('a question of "files" was declined: 10 of its questions wait already');
    expect(warnings[2]).toContain('further ones are not told');
    expect(await bodies.elicit(question(['c1']))).toEqual({ action: 'accept' });
  });

  it('outside of a call, and between the calls of several clients, nobody is asked', async () => {
    const asker: Asker = { elicit: async () => ({ action: 'accept' }) };
    expect(await bodies.elicit(question([]))).toEqual({ action: 'decline' });
    expect(await bodies.elicit(question(['over']))).toEqual({ action: 'decline' });
    start('c1', asker);
    start('c2', asker, { client: {} });
    expect(await bodies.elicit(question(['c1', 'c2']))).toEqual({ action: 'decline' });
    expect(await bodies.elicit(question(['c2']))).toEqual({ action: 'accept' });
    bodies.ended('c2');
    expect(await bodies.elicit(question(['c1', 'c2']))).toEqual({ action: 'accept' });
    await expect(bodies.sample(question(['c1']))).rejects.toThrow(
      'the client that called offers no sampling',
    );
  });
});
