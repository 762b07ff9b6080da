import { byText } from '../text/keys.js';
import { relatives } from './word-families.js';
import { wordsOf } from './words.js';

/** One thing to be found: texts by field. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  /** Names of its properties, as one text. */
  readonly properties: string;
}

// BM25F: how often a word occurs counts by field and by the field's length, and levels off.
const FIELDS = [
  { field: 'name', weight: 3, lengthEffect: 0.4 },
  { field: 'description', weight: 1, lengthEffect: 0.6 },
  { field: 'properties', weight: 0.3, lengthEffect: 0.6 },
] as const;
const SATURATION = 1.2;
/** A word of the same family counts a little less than the word itself. */
const RELATIVE_WEIGHT = 0.8;
/** A word that only begins alike counts half. */
const PREFIX_WEIGHT = 0.5;
const SHORTEST_PREFIX = 3;

/** An index over entries. Equal scores are ordered by name, so a result depends on nothing but entries and query. */
export class Ranking {
  readonly #entries: readonly Entry[];
  /** For each word the entries that hold it, with the weighted frequency. */
  readonly #postings = new Map<string, Map<number, number>>();

  constructor(entries: readonly Entry[]) {
    this.#entries = [...entries].sort((a, b) => byText(a.name, b.name));
    for (const { field, weight, lengthEffect } of FIELDS) {
      const texts = this.#entries.map((entry) => wordsOf(entry[field]));
      const mean = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(texts.length, 1) || 1;
      texts.forEach((words, entry) => {
        const share = weight / (1 - lengthEffect + (lengthEffect * words.length) / mean);
        for (const word of words) this.#post(word, entry, share);
      });
    }
  }

  /** The names of all entries that match, best first. An exact name stands at the top; an empty query matches all. */
  search(query: string): string[] {
    const words = [...new Set(wordsOf(query))];
    if (words.length === 0) return this.#entries.map(({ name }) => name);
    const scores = new Map<number, number>();
    for (const word of words) {
      for (const [entry, score] of this.#scores(word)) scores.set(entry, (scores.get(entry) ?? 0) + score);
    }
    const exact = query.trim();
    const rank = (entry: number): number =>
      this.#entries[entry]!.name === exact ? Number.POSITIVE_INFINITY : scores.get(entry)!;
    // Entries are in name order and the sort is stable: ties stay so.
    return [...scores.keys()]
      .sort((a, b) => a - b)
      .sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
      .map((entry) => this.#entries[entry]!.name);
  }

  #post(word: string, entry: number, share: number): void {
    const posting = this.#postings.get(word) ?? new Map<number, number>();
    this.#postings.set(word, posting);
    posting.set(entry, (posting.get(entry) ?? 0) + share);
  }

  /** Scores of one word of a query: the word's own, or what the words related to it give. */
  #scores(word: string): Map<number, number> {
    const frequencies = new Map(this.#postings.get(word));
    for (const other of relatives(word)) this.#addTo(frequencies, other, RELATIVE_WEIGHT);
    if (frequencies.size === 0) {
      for (const other of this.#beginningWith(word)) this.#addTo(frequencies, other, PREFIX_WEIGHT);
    }
    const { length } = this.#entries;
    const rarity = Math.log(1 + (length - frequencies.size + 0.5) / (frequencies.size + 0.5));
    for (const [entry, frequency] of frequencies) {
      frequencies.set(entry, (rarity * frequency) / (SATURATION + frequency));
    }
    return frequencies;
  }

  #addTo(frequencies: Map<number, number>, word: string, weight: number): void {
    for (const [entry, frequency] of this.#postings.get(word) ?? []) {
      frequencies.set(entry, (frequencies.get(entry) ?? 0) + weight * frequency);
    }
  }

  #beginningWith(word: string): string[] {
    if (word.length < SHORTEST_PREFIX) return [];
    return [...this.#postings.keys()].filter(
      (other) => other.startsWith(word) || (other.length >= SHORTEST_PREFIX && word.startsWith(other)),
    );
  }
}
