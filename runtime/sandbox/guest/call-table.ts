import type { CallFailures, CallRecord } from './call-table-types.js';
import type { Kit } from './kit.js';

/** The promise table: calls wait here until the pull, results come back by id. */
export function installCallTable(kit: Kit): void {
  const { create, parse, stringify, charCodeAt, toJson, framesBelow, track, Promise } = kit;
  const open = create(null) as Record<number, CallRecord | undefined>;
  const failures = () => kit.part<CallFailures>('callFailures');
  let lastId = 0;
  let made = 0;
  let inFlight = 0;
  let first: CallRecord | undefined;
  let last: CallRecord | undefined;
  let cancels = '';

  const settle = (record: CallRecord, cancelled?: string) => {
    record.settled = true;
    if (record.timer !== undefined) kit.parts.timers?.disarm(record.timer);
    if (record.forget !== undefined) record.forget();
    if (record.id === 0) return;
    open[record.id] = undefined;
    inFlight--;
    if (cancelled !== undefined)
      cancels += (cancels && ',') + '[' + record.id + ',' + stringify(cancelled) + ']';
  };

  const call = (namespace: number, member: number, args: unknown, options: unknown, below: unknown) => {
    const { limits, spaces } = kit.run;
    const { members, list } = spaces[namespace] as (typeof spaces)[number];
    const text = toJson(args, list ? 'arguments' : 'args', limits.maxMessageBytes);
    const record: CallRecord = {
      id: 0,
      namespace,
      member,
      name: members[member] as string,
      text: text || '{}',
      // Three bytes are the most that a UTF-16 unit takes.
      bytes: text ? text.length * 3 : 2,
      frames: framesBelow(below),
      timeoutMs: 0,
      timer: undefined,
      forget: undefined,
      settled: false,
      resolve: undefined as never,
      reject: undefined as never,
      watch: undefined,
      next: undefined,
    };
    const isPlain = text === '' || (text !== undefined && (list || charCodeAt(text, 0) === 123));
    const isOverLimit = made >= limits.maxCalls;
    if (!isPlain || isOverLimit || options !== undefined || record.bytes > limits.maxMessageBytes) {
      const refused = failures().check(record, args, text, options, isOverLimit);
      if (refused !== undefined) return refused;
    }
    made++;
    const promise = new Promise((resolve, reject) => {
      record.resolve = resolve;
      record.reject = reject;
    });
    record.watch = track(promise);
    if (last === undefined) first = record;
    else last.next = record;
    last = record;
    return promise;
  };

  kit.calls = {
    call,
    settle,
    reset() {
      lastId = made = inFlight = 0;
    },
    waiting: () => inFlight > 0 || first !== undefined,
    take() {
      const { limits } = kit.run;
      let text = '';
      let queued = 0;
      while (first !== undefined) {
        const record: CallRecord = first;
        if (!record.settled) {
          if (inFlight >= limits.maxPendingCalls) break;
          if (queued > 0 && queued + record.bytes > limits.maxQueuedBytes) break;
          queued += record.bytes;
          record.id = ++lastId;
          open[record.id] = record;
          inFlight++;
          const at = kit.position(record.frames);
          const { timeoutMs, forget } = record;
          text +=
            (text && ',') +
            '[' +
            record.id +
            ',' +
            record.namespace +
            ',' +
            record.member +
            ',' +
            record.text;
          const extra =
            (at && ',' + at) + (timeoutMs ? ',"timeoutMs":' + timeoutMs : '') + (forget ? ',"signal":1' : '');
          if (extra) text += ',{' + kit.slice(extra, 1) + '}';
          text += ']';
        }
        first = record.next;
      }
      if (first === undefined) last = undefined;
      const parts = (text && ',"calls":[' + text + ']') + (cancels && ',"cancels":[' + cancels + ']');
      cancels = '';
      return parts;
    },
    deliver(text) {
      const batch = parse(text) as (readonly [number, number, unknown, string?])[];
      for (let i = 0; i < batch.length; i++) {
        const item = batch[i] as (typeof batch)[number];
        const record = open[item[0]];
        if (record === undefined) continue;
        settle(record);
        if (item[1] === 0) record.resolve(item[2]);
        else failures().fail(record, item[2] as string, item.length > 3 ? (item[3] as string) : '');
      }
    },
  };
}
