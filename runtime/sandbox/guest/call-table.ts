import type { CallRecord } from './call-table-types.js';
import type { Kit, Tracked } from './kit.js';

/** The promise table: calls wait here until the pull, results come back by id. */
export function installCallTable(kit: Kit): void {
  const { create, parse, stringify, charCode, Promise } = kit;
  const open = create(null) as Record<number, CallRecord | undefined>;
  let lastId = 0;
  let made = 0;
  let inFlight = 0;
  let first: CallRecord | undefined;
  let last: CallRecord | undefined;
  let cancels = '';

  // An upper bound while that is far below the limit, else exact. Lone surrogates never stand in JSON text.
  const byteLength = (text: string, limit: number): number => {
    let bytes = text.length;
    if (bytes * 3 <= limit) return bytes * 3;
    for (let i = 0; i < text.length; i++) {
      const unit = charCode(text, i);
      if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
    }
    return bytes;
  };

  const settle = (record: CallRecord) => {
    record.settled = true;
    if (record.timer !== undefined) kit.disarm(record.timer);
    if (record.forget !== undefined) record.forget();
  };

  const toError = (record: CallRecord, message: string, code: string) =>
    kit.toolError(kit.run.shapes[record.namespace], record.name, message, code, record.frames);

  const rejected = (watch: Tracked, reason: unknown) => {
    watch.rejected = true;
    watch.reason = reason;
  };

  const reject = (record: CallRecord, failure: Error) => {
    if (record.watch !== undefined) rejected(record.watch, failure);
    record.reject(failure);
  };

  const refuse = (namespace: number, member: string, message: string, code: string, below: unknown) => {
    const shape = kit.run.shapes[namespace];
    const failure = kit.toolError(shape, member, message, code, kit.framesBelow(below));
    const promise = new Promise((_resolve, reject) => {
      reject(failure);
    });
    const watch = kit.track(promise);
    if (watch !== undefined) rejected(watch, failure);
    return promise;
  };

  const giveUp = (record: CallRecord, message: string, code: string, cause: unknown) => {
    if (record.settled) return;
    settle(record);
    if (record.id > 0) {
      open[record.id] = undefined;
      inFlight--;
      cancels += `${cancels === '' ? '' : ','}[${record.id},${stringify(message)}]`;
    }
    const failure = toError(record, message, code);
    const descriptor = { __proto__: null, value: cause, writable: true, configurable: true };
    if (cause !== undefined) kit.define(failure, 'cause', descriptor);
    reject(record, failure);
  };

  const call = (namespace: number, member: number, args: unknown, options: unknown, below: unknown) => {
    const { limits, spaces } = kit.run;
    const space = spaces[namespace] as (typeof spaces)[number];
    const name = space.members[member] as string;
    let text = kit.toJson(args, space.list ? 'arguments' : 'args', limits.maxMessageBytes);
    let bytes = 0;
    let problem = '';
    if (text === '') text = '{}';
    if (text === undefined) problem = kit.refusal;
    else if (!space.list && charCode(text, 0) !== 123) {
      const received = kit.part<(value: unknown) => string>('kindOf')(args);
      problem = `wanted one arguments object such as { name: value }, received ${received}`;
    } else {
      bytes = byteLength(text, limits.maxMessageBytes);
      if (bytes > limits.maxMessageBytes)
        problem = `args is larger than ${limits.maxMessageBytes} bytes of JSON`;
      else if (made >= limits.maxCalls) {
        problem = `this run has made ${limits.maxCalls} calls, which is its limit`;
        return refuse(namespace, name, `Cannot call "${space.global}.${name}": ${problem}`, '', below);
      }
    }
    const record: CallRecord = {
      id: 0,
      namespace,
      member,
      name,
      text: text as string,
      bytes,
      frames: kit.framesBelow(below),
      timeoutMs: 0,
      timer: undefined,
      forget: undefined,
      settled: false,
      resolve: undefined as never,
      reject: undefined as never,
      watch: undefined,
      next: undefined,
    };
    let code = 'INVALID_ARGS';
    if (problem === '' && options !== undefined) {
      problem = kit.part<(options: unknown, record: CallRecord) => string>('callOptions')(options, record);
      if (record.settled) code = 'ABORTED';
    }
    if (problem !== '') {
      return refuse(namespace, name, `Cannot call "${space.global}.${name}": ${problem}`, code, below);
    }
    made++;
    const promise = new Promise((resolve, reject) => {
      record.resolve = resolve;
      record.reject = reject;
    });
    record.watch = kit.track(promise);
    if (last === undefined) first = record;
    else last.next = record;
    last = record;
    return promise;
  };

  const take = () => {
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
        const position = kit.position(record.frames);
        text += `${text === '' ? '' : ','}[${record.id},${record.namespace},${record.member},${record.text}`;
        if (record.timeoutMs > 0) {
          text += `,{${position === '' ? '' : `"position":${position},`}"timeoutMs":${record.timeoutMs}}]`;
        } else text += position === '' ? ']' : `,{"position":${position}}]`;
      }
      first = record.next;
    }
    if (first === undefined) last = undefined;
    let parts = text === '' ? '' : `,"calls":[${text}]`;
    if (cancels !== '') parts += `,"cancels":[${cancels}]`;
    cancels = '';
    return parts;
  };

  const deliver = (text: string) => {
    const batch = parse(text) as (readonly [number, number, unknown, string?])[];
    for (let i = 0; i < batch.length; i++) {
      const item = batch[i] as (typeof batch)[number];
      const record = open[item[0]];
      if (record === undefined) continue;
      open[item[0]] = undefined;
      inFlight--;
      settle(record);
      if (item[1] === 0) record.resolve(item[2]);
      else reject(record, toError(record, item[2] as string, item.length > 3 ? (item[3] as string) : ''));
    }
  };

  kit.calls = { call, refuse, giveUp, take, deliver, waiting: () => inFlight > 0 || first !== undefined };
}
