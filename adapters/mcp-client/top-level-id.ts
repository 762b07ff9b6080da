const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LONGEST_KEPT = 64;

/**
 * Reads the `id` of a JSON-RPC message that is too large to be kept, from its bytes as they pass.
 *
 * Only members of the outermost object count, wherever they stand; nothing but the id is stored.
 *
 * @example
 * const reader = new TopLevelId();
 * reader.push(Buffer.from('{"result":{"id":9},"id":3}'));
 * reader.id // 3
 */
export class TopLevelId {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The last string or scalar at depth 1. */
  #token = '';
  #key = '';
  #id: string | undefined;

  get id(): string | number | undefined {
    if (this.#id === undefined) return undefined;
    try {
      const id: unknown = JSON.parse(this.#id);
      return typeof id === 'string' || typeof id === 'number' ? id : undefined;
    } catch {
      return undefined;
    }
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
        this.#keep(byte);
      } else this.#outside(byte);
    }
  }

  #outside(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#isInString = true;
        this.#token = '';
        this.#keep(byte);
        return;
      case 0x7b: // {
      case 0x5b: // [
        this.#depth += 1;
        this.#token = '';
        return;
      case 0x7d: // }
      case 0x5d: // ]
        if (this.#depth === 1) this.#member();
        this.#depth -= 1;
        return;
      case 0x3a: // :
        if (this.#depth === 1) this.#key = this.#token;
        this.#token = '';
        return;
      case 0x2c: // ,
        if (this.#depth === 1) this.#member();
        this.#token = '';
        return;
      default:
        if (byte > 0x20) this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < LONGEST_KEPT) this.#token += String.fromCharCode(byte);
  }

  #member(): void {
    if (this.#key === '"id"') this.#id = this.#token;
    this.#key = '';
  }
}
