import type { CallFailures, CallRecord } from '../call-table-types.js';
import type { ErrorShape, Kit, Tracked } from '../kit.js';

/** Makes calls fail: the errors, the refusals, the calls that are given up. */
export function callFailuresPart(kit: Kit): CallFailures {
  const { charCodeAt, construct, indexOf, lastIndexOf, preludeFile, put, slice, Error, Promise } = kit;

  // Whole lines, down to where our own frames begin; a text that is no stack is left out.
  const ownFrames = (frames: string): number => {
    if (charCodeAt(frames, 0) !== 10) return 0;
    const ours = indexOf(frames, preludeFile);
    if (ours >= 0) return lastIndexOf(frames, '\n', ours);
    const last = lastIndexOf(frames, '\n');
    return indexOf(frames, ':', last) < 0 ? last : frames.length;
  };

  // Made as the injected class would, but without its constructor, above which the program could have put another parent.
  const toError = (
    shape: ErrorShape | undefined,
    member: string,
    message: string,
    code: string,
    frames: string,
  ) => {
    const args = { __proto__: null, length: 1, 0: message };
    const error = construct(Error, args, shape?.Class ?? Error) as Error;
    if (shape !== undefined) {
      put(error, 'name', shape.name, true);
      put(error, shape.property, member, true);
    }
    if (code !== '') put(error, 'code', code, true);
    const end = ownFrames(frames);
    return put(error, 'stack', '' + (shape?.name ?? 'Error') + ': ' + message + slice(frames, 0, end), false);
  };

  const note = (watch: Tracked | undefined, reason: unknown) => {
    if (watch === undefined) return;
    watch.rejected = true;
    watch.reason = reason;
  };

  const refuseAt = (namespace: number, member: string, message: string, code: string, frames: string) => {
    const failure = toError(kit.run.shapes[namespace], member, message, code, frames);
    const promise = new Promise((_resolve, reject) => {
      reject(failure);
    });
    note(kit.track(promise), failure);
    return promise;
  };

  const reject = (record: CallRecord, message: string, code: string, cause?: unknown) => {
    const failure = toError(kit.run.shapes[record.namespace], record.name, message, code, record.frames);
    if (cause !== undefined) put(failure, 'cause', cause, false);
    note(record.watch, failure);
    record.reject(failure);
  };

  // Lone surrogates never stand in JSON text.
  const byteLength = (text: string): number => {
    let bytes = text.length;
    for (let i = 0; i < text.length; i++) {
      const unit = charCodeAt(text, i);
      if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
    }
    return bytes;
  };

  return {
    refuse: (namespace, member, message, code, below) =>
      refuseAt(namespace, member, message, code, kit.framesBelow(below)),
    fail: reject,
    giveUp(record, message, code, cause) {
      if (record.settled) return;
      kit.calls.settle(record, message);
      reject(record, message, code, cause);
    },
    check(record, args, text, options, isOverLimit) {
      const { limits, spaces } = kit.run;
      const { global, list } = spaces[record.namespace] as (typeof spaces)[number];
      const refuse = (problem: string, code: string) =>
        refuseAt(
          record.namespace,
          record.name,
          'Cannot call "' + global + '.' + record.name + '": ' + problem,
          code,
          record.frames,
        );
      if (text === undefined) return refuse(kit.refusal, 'INVALID_ARGS');
      if (!list && charCodeAt(record.text, 0) !== 123) {
        const received = kit.part<(value: unknown) => string>('kindOf')(args);
        return refuse(
          'wanted one arguments object such as { name: value }, received ' + received,
          'INVALID_ARGS',
        );
      }
      if (byteLength(record.text) > limits.maxMessageBytes) {
        return refuse(
          'its arguments are larger than ' + limits.maxMessageBytes + ' bytes of JSON',
          'INVALID_ARGS',
        );
      }
      if (isOverLimit)
        return refuse('this run has made ' + limits.maxCalls + ' calls, which is its limit', '');
      if (options === undefined) return undefined;
      const problem = kit.part<(options: unknown, record: CallRecord) => string>('callOptions')(
        options,
        record,
      );
      return problem === '' ? undefined : refuse(problem, record.settled ? 'ABORTED' : 'INVALID_ARGS');
    },
  };
}
