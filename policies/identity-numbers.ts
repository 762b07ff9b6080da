/** Numbers for object identities, so that they can stand in a key. Objects are held weakly. */
export class IdentityNumbers {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  /** @returns 0 for nobody */
  of(identity: object | undefined): number {
    if (identity === undefined) return 0;
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#numbers.set(identity, this.#last);
    return this.#last;
  }
}
