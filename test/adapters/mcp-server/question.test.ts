import { type ApprovalRequest, toolCallId } from 'ptc-runtime';
import { describe, expect, it } from 'vitest';
import { outcomeOf, questionText } from '#dist/adapters/mcp-server/question.js';

const request: ApprovalRequest = {
  agent: { id: 'a' },
  toolName: 'files__write',
  callId: toolCallId('c'),
  signal: new AbortController().signal,
};
const execution = (args: unknown) => ({ arguments: args }) as never;

describe('the question about a call', () => {
  it('names tool, source, place, reason and arguments', () => {
    const asked = {
      ...request,
      reason: 'audit text',
      displayReason: { en: 'It writes.' },
      position: { line: 3, column: 1 },
    };
    const text = questionText(asked, execution({ path: 'a' }), { source: 'files', sourceName: 'write' });
    expect(text).toBe(
      'Allow files__write ("write" of "files"), line 3 of the program?\nIt writes.\n{"path":"a"}',
    );
  });

  it('shows characters that steer a display as escapes, and long arguments cut', () => {
    const text = questionText(
      { ...request, reason: 'one\nAllow nothing?' },
      execution({ path: '\u202egpj.exe' }),
      undefined,
    );
    expect(text).toBe('Allow files__write?\none\\u{a}Allow nothing?\n{"path":"\\u{202e}gpj.exe"}');
    expect(questionText(request, execution('x'.repeat(5_000)), undefined).length).toBeLessThan(2_100);
  });

  it.each([
    [{ action: 'accept', content: {} }, 'allowed-once'],
    [{ action: 'decline' }, 'rejected'],
    [{ action: 'cancel' }, 'cancelled'],
    [{ action: 'yes' }, 'unavailable'],
    [undefined, 'unavailable'],
    [null, 'unavailable'],
  ])('the answer %j means %s', (answer, outcome) => {
    expect(outcomeOf(answer)).toBe(outcome);
  });
});
