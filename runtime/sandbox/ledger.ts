import { jsonStringBytes, jsonStringExtent, jsonStringPrefix } from './json-bytes.js';

/** Bytes of a failure's own words that are kept even when the logs would fill the whole budget. */
const RESERVED_MESSAGE_BYTES = 256;

/** Characters of a text that is quoted because it could not be kept. */
const QUOTE_CHARACTERS = 1000;

/** What is left of a failure and its logs once they fit the budget. */
export interface FittedFailure {
  readonly message: string;
  readonly logs: readonly string[];
  /** What made something go, so that the failure is now of kind `output-limit`. */
  readonly overflow?: Overflow;
}

/** Why a ledger takes nothing more. */
export interface Overflow {
  readonly message: string;
  /** In the unit of the option that the message names. */
  readonly limit: number;
}

/**
 * Counts what a run puts out: UTF-8 bytes of the JSON of its logs, and of its value or failure message.
 *
 * Keeps what fits. Its limit covers neither arguments nor results of calls.
 *
 * @example
 * const ledger = new OutputLedger(11, 100);
 * ledger.addLog('abc'); // true
 * ledger.fitsValue('xy', 4, false); // true: ["abc"] and "xy" are 11 bytes
 */
export class OutputLedger {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  readonly #logs: string[] = [];
  /** Bytes of each entry, its comma included. */
  readonly #sizes: number[] = [];
  #bytes = 2;
  #overflow: Overflow | undefined;

  /**
   * @param maxBytes bytes of everything together, at least 4
   * @param maxEntries log entries
   */
  constructor(maxBytes: number, maxEntries: number) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  /** The entries so far; after an overflow the last one may be the beginning of the entry that did not fit. */
  get logs(): readonly string[] {
    return this.#logs;
  }

  /** Why nothing more is taken. */
  get overflow(): Overflow | undefined {
    return this.#overflow;
  }

  /**
   * Takes one entry.
   *
   * @returns false when it did not fit; its beginning is kept, and later entries are dropped
   */
  addLog(entry: string): boolean {
    if (this.#overflow !== undefined) return false;
    if (this.#logs.length >= this.#maxEntries) {
      this.#overflow = {
        message: `Too many log entries: wanted at most ${this.#maxEntries} (maxLogEntries)`,
        limit: this.#maxEntries,
      };
      return false;
    }
    const comma = this.#logs.length > 0 ? 1 : 0;
    const left = this.#maxBytes - this.#bytes - comma;
    const { units, bytes } = jsonStringExtent(entry, left);
    const isWhole = units === entry.length && bytes <= left;
    if (isWhole) this.#keep(entry, comma + bytes);
    else {
      this.refuse();
      if (units > 0) this.#keep(entry.slice(0, units), comma + bytes);
    }
    return isWhole;
  }

  #keep(entry: string, bytes: number): void {
    this.#logs.push(entry);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
  }

  /** Records that something was too large to be kept, or to be looked at. */
  refuse(): Overflow {
    this.#overflow ??= {
      message: `Too much output: wanted at most ${this.#maxBytes} bytes of logs and value together (maxOutputBytes)`,
      limit: this.#maxBytes,
    };
    return this.#overflow;
  }

  /**
   * Whether a value fits beside the logs.
   *
   * @param textBytes bytes of the text that it was parsed from, which saves the exact count where there is room anyway
   * @param mayGrow whether the value may take more bytes than that text, as a number that was written with an exponent does
   */
  fitsValue(value: unknown, textBytes: number, mayGrow: boolean): boolean {
    const left = this.#maxBytes - this.#bytes;
    if (textBytes <= left && !mayGrow) return true;
    return Buffer.byteLength(JSON.stringify(value)) <= left;
  }

  /**
   * Makes a failure fit: its message is cut and the logs give way, as far as it takes.
   *
   * @param message of the failure as it happened
   * @param isOutputLimit whether the failure is that of the output limit already, so that its words need no other
   */
  fitFailure(message: string, isOutputLimit: boolean): FittedFailure {
    const left = this.#maxBytes - this.#bytes;
    if (jsonStringBytes(message, left) <= left) {
      return { message, logs: this.#logs };
    }
    const overflow = this.refuse();
    const words = isOutputLimit ? message : `${overflow.message}; the message began: ${quote(message)}`;
    const reserved = Math.min(jsonStringBytes(words), RESERVED_MESSAGE_BYTES, this.#maxBytes - 2);
    const { logs, bytes } = this.#logsWithin(this.#maxBytes - reserved);
    return { message: jsonStringPrefix(words, this.#maxBytes - bytes), logs, overflow };
  }

  /** From the end, so that what is kept is not measured again. */
  #logsWithin(maxBytes: number): { readonly logs: readonly string[]; readonly bytes: number } {
    let bytes = this.#bytes;
    let count = this.#logs.length;
    while (count > 0 && bytes > maxBytes) {
      count -= 1;
      bytes -= this.#sizes[count]!;
    }
    if (count === this.#logs.length) return { logs: this.#logs, bytes };
    const logs = this.#logs.slice(0, count);
    const comma = count > 0 ? 1 : 0;
    const left = maxBytes - bytes - comma;
    const beginning = jsonStringExtent(this.#logs[count]!, left);
    if (beginning.units === 0) return { logs, bytes };
    logs.push(this.#logs[count]!.slice(0, beginning.units));
    return { logs, bytes: bytes + comma + beginning.bytes };
  }
}

function quote(text: string): string {
  if (text.length <= QUOTE_CHARACTERS) return text;
  // Half a pair would be counted, and shown, as something that is not in the text.
  const last = text.charCodeAt(QUOTE_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? QUOTE_CHARACTERS - 1 : QUOTE_CHARACTERS);
}
