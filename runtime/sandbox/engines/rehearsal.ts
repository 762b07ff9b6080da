import type { GuestSetup } from '../peer-types.js';

/** The setup of a run of nothing, by which a new guest is compiled before its first program. */
export const REHEARSAL = JSON.stringify({
  namespaces: [
    {
      global: 'tools',
      members: ['echo'],
      errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' },
      argumentStyle: 'object',
      forwards: [['call', 0]],
    },
  ],
  limits: {
    computeMs: 1000,
    memoryMb: 8,
    maxMessageBytes: 1000,
    maxPendingCalls: 1,
    maxQueuedBytes: 1000,
    maxTimers: 1,
    maxCalls: 1,
    maxDepth: 10,
    maxSourceBytes: 1000,
    maxOutputBytes: 1000,
    maxLogEntries: 1,
  },
  mentions: [],
  implicit: false,
  shift: { line: 0, firstLineColumn: 0 },
} satisfies GuestSetup);
