/** Its constructor returns what it is given, so that the private fields of a subclass are added to that very object. */
class Given {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is all that this class is for
    return value;
  }
}

/** Private fields can be neither seen nor forged, cost a tenth of what a WeakMap does, and are lost with the object. */
class Mark extends Given {
  readonly #depth: number;
  #matched: object | undefined;

  constructor(root: object, depth: number) {
    super(root);
    this.#depth = depth;
    this.#matched = undefined;
  }

  static depthOf(value: object): number | undefined {
    return #depth in value ? value.#depth : undefined;
  }

  static isMatched(value: object, schema: object): boolean {
    return #matched in value && value.#matched === schema;
  }

  static setMatched(value: object, schema: object): void {
    if (#matched in value) value.#matched = schema;
  }
}

/**
 * Marks the root of a deep-frozen copy that holds nothing but lossless JSON in plain containers of this realm. Call it before
 * the root is frozen.
 *
 * @param depth levels of containers
 */
export function markSnapshot(root: object, depth: number): void {
  new Mark(root, depth);
}

/**
 * How many levels of arrays and objects a marked snapshot has; `undefined` for everything else.
 *
 * @example
 * snapshotDepth(frozenSnapshot([[1]])) // 2
 */
export function snapshotDepth(value: unknown): number | undefined {
  return typeof value === 'object' && value !== null ? Mark.depthOf(value) : undefined;
}

/**
 * Whether a marked snapshot was found to match this schema, the last one that it matched.
 *
 * @example
 * noteMatch(args, schema);
 * isMatchNoted(args, schema) // true
 */
export function isMatchNoted(value: unknown, schema: object): boolean {
  return typeof value === 'object' && value !== null && Mark.isMatched(value, schema);
}

/** Notes that a value matches a schema that does not change; only a marked snapshot, which does not change either, keeps that. */
export function noteMatch(value: unknown, schema: object): void {
  if (typeof value === 'object' && value !== null) Mark.setMatched(value, schema);
}
