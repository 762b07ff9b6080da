import type { CallFailures, CallRecord } from '../call-table-types.js';
import type { Kit, Space, Timers } from '../kit.js';

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

/** A rejection for a name that is no member, with the names that come closest. */
export function unknownMemberPart(kit: Kit): (space: Space, name: unknown, below: unknown) => object {
  const { create, charCodeAt: charCode, slice, stringify } = kit;
  const LONGEST = 48;
  const SUGGESTIONS = 3;

  // Letters and digits only, in lower case: models guess the words right and the joints wrong.
  const plain = (name: string) => {
    let text = '';
    for (let i = 0; i < name.length && text.length < LONGEST; i++) {
      const unit = charCode(name, i);
      const upper = unit >= 65 && unit <= 90;
      const keep = unit > 127 || (unit >= 48 && unit <= 57) || upper || (unit >= 97 && unit <= 122);
      if (keep) text += upper ? kit.fromCharCode(unit + 32) : name[i];
    }
    return text;
  };

  const distance = (a: string, b: string): number => {
    let before = create(null) as unknown as Record<number, number>;
    let row = create(null) as unknown as Record<number, number>;
    for (let j = 0; j <= b.length; j++) before[j] = j;
    for (let i = 1; i <= a.length; i++) {
      row[0] = i;
      for (let j = 1; j <= b.length; j++) {
        const change = (before[j - 1] as number) + (charCode(a, i - 1) === charCode(b, j - 1) ? 0 : 1);
        const add = (row[j - 1] as number) + 1;
        const drop = (before[j] as number) + 1;
        row[j] = change < add ? (change < drop ? change : drop) : add < drop ? add : drop;
      }
      const swap = before;
      before = row;
      row = swap;
    }
    return before[b.length] as number;
  };

  // A name that holds the other whole is as good as two slips away.
  const score = (a: string, b: string): number => {
    const far = distance(a, b);
    const holds = a !== '' && b !== '' && (kit.indexOf(a, b) >= 0 || kit.indexOf(b, a) >= 0);
    return holds && far > 2 ? 2 : far;
  };

  const failures = () => kit.part<CallFailures>('callFailures');
  return (space, name, below) => {
    if (typeof name !== 'string') {
      const message =
        'Cannot call a member of "' +
        space.global +
        '" by name: wanted its name as a text, received ' +
        typeof name;
      return failures().refuse(space.index, '', message, 'INVALID_ARGS', below);
    }
    const wanted = plain(name);
    const best = create(null) as unknown as Record<number, string>;
    const scores = create(null) as unknown as Record<number, number>;
    let count = 0;
    for (let i = 0; i < space.members.length; i++) {
      const member = space.members[i] as string;
      const far = score(wanted, plain(member));
      let at = count < SUGGESTIONS ? count : SUGGESTIONS;
      while (at > 0 && (scores[at - 1] as number) > far) at--;
      if (at >= SUGGESTIONS) continue;
      for (let j = SUGGESTIONS - 1; j > at; j--) {
        scores[j] = scores[j - 1] as number;
        best[j] = best[j - 1] as string;
      }
      scores[at] = far;
      best[at] = member;
      if (count < SUGGESTIONS) count++;
    }
    let closest = '';
    for (let i = 0; i < count; i++) closest += '' + (i === 0 ? '' : ', ') + stringify(best[i]);
    const ending = closest === '' ? 'nothing can be called here' : 'the closest names are ' + closest;
    const message =
      'Unknown tool ' + stringify(slice(name, 0, 200)) + ' in "' + space.global + '": ' + ending;
    return failures().refuse(space.index, name, message, 'UNKNOWN_TOOL', below);
  };
}
