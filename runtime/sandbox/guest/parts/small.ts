import type { CallFailures, CallRecord } from '../call-table-types.js';
import type { Kit, Timers } from '../kit.js';

/** How a key continues a path: `.name` or `["na me"]`. */
export function keyPathPart(kit: Kit): (key: string) => string {
  const { charCodeAt: charCode, stringify, slice } = kit;
  return (key) => {
    let plain = key.length > 0 && key.length <= 100;
    for (let i = 0; plain && i < key.length; i++) {
      const unit = charCode(key, i) | 32;
      const letter = (unit >= 97 && unit <= 122) || charCode(key, i) === 95 || charCode(key, i) === 36;
      const digit = charCode(key, i) >= 48 && charCode(key, i) <= 57;
      plain = letter || (i > 0 && digit);
    }
    return plain ? '.' + key : '[' + stringify(key.length > 100 ? slice(key, 0, 100) + '…' : key) + ']';
  };
}

/** What a value is, in one or two words. */
export function kindOfPart(kit: Kit): (value: unknown) => string {
  return (value) => {
    if (value === null) return 'null';
    if (kit.isArray(value)) return 'an array';
    if (typeof value === 'object') return 'an object that is sent as a text or a number';
    const text = typeof value;
    return '' + (text === 'undefined' || text === 'object' ? '' : 'a ') + text;
  };
}

/** Reads the second argument of a call; the answer is what is wrong with it, or the empty text. */
export function callOptionsPart(kit: Kit): (options: unknown, record: CallRecord) => string {
  const MAX_TIMEOUT_MS = 2147483647;
  const listen = (signal: unknown, act: (reason: unknown) => void) =>
    kit
      .part<{
        listen(
          signal: unknown,
          act: (reason: unknown) => void,
        ): (() => void) | { reason: unknown } | undefined;
      }>('abort')
      .listen(signal, act);
  const reasonText = (reason: unknown) =>
    kit.part<(reason: unknown, maxLength?: number) => string>('shortText')(reason, 200);

  const failures = () => kit.part<CallFailures>('callFailures');

  const read = (options: object, record: CallRecord): string => {
    const names = kit.keys(options);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      if (name === 'timeoutMs' || name === 'signal') continue;
      return (
        'a call has no option "' +
        kit.slice(name, 0, 100) +
        '": the options are timeoutMs and signal, everything else belongs into the one arguments object'
      );
    }
    const { timeoutMs, signal } = options as { timeoutMs?: unknown; signal?: unknown };
    if (timeoutMs !== undefined) {
      const valid = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS;
      if (!valid) {
        return (
          'timeoutMs must be a positive number of milliseconds up to ' +
          MAX_TIMEOUT_MS +
          ', received ' +
          reasonText(timeoutMs)
        );
      }
    }
    if (signal !== undefined && signal !== null) {
      const stop = listen(signal, (reason) => {
        failures().giveUp(record, 'The call was given up: ' + reasonText(reason), 'ABORTED', reason);
      });
      if (stop === undefined) return 'signal must be an AbortSignal';
      if (typeof stop !== 'function') {
        record.settled = true;
        return 'its signal is aborted already: ' + reasonText(stop.reason);
      }
      record.forget = stop;
    }
    if (timeoutMs !== undefined) {
      record.timeoutMs = timeoutMs as number;
      record.timer = kit.part<Timers>('timers').arm(() => {
        failures().giveUp(record, 'No answer within ' + record.timeoutMs + ' ms', 'TOOL_TIMEOUT', undefined);
      }, record.timeoutMs);
    }
    return '';
  };

  return (options, record) => {
    if (typeof options !== 'object' || options === null) {
      return 'its second argument is for options, { timeoutMs, signal }: received ' + reasonText(options);
    }
    try {
      return read(options, record);
    } catch (error) {
      return 'its options cannot be read: ' + reasonText(error);
    }
  };
}
