import type { TypeDoc } from '../tree/type-node.js';

/** How much of the prose is kept. */
export type DocDetail = 'full' | 'brief' | 'none';

/** Sentences with these words are kept when the rest is cut. */
const BINDING = /\b(must|only|never|deprecated|required)\b/i;

/** A text as a one-line comment; an end of comment inside it is broken up by a backslash. */
export function docComment(text: string): string {
  return `/** ${text.replaceAll('*/', '*\\/')} */`;
}

/** What is shown of a tool as a whole: its description and constraints, or nothing. */
export function toolDoc({ description, notes }: TypeDoc, detail: DocDetail): string | undefined {
  if (detail === 'none') return undefined;
  const prose = description === undefined ? undefined : kept(sentencesOf(description), detail).join(' ');
  return joined(prose, notes ?? []);
}

/**
 * What is shown of a property: its constraints, and what has not been said before.
 *
 * @param written the sentences of properties that stand above; those shown here are added.
 */
export function propertyDoc(
  { description = '', notes = [] }: TypeDoc,
  detail: DocDetail,
  written: Set<string>,
): string | undefined {
  if (detail === 'none') return undefined;
  const fresh = kept(sentencesOf(description), detail).filter((sentence) => !written.has(sentence));
  for (const sentence of fresh) written.add(sentence);
  const prose = fresh.join(' ').replace(/(?<![.])\.$/, '');
  return joined(
    prose === '' ? undefined : prose,
    notes.filter((note) => !isSaid(note, description)),
  );
}

/** Whether a description already tells the default. */
function isSaid(note: string, description: string): boolean {
  const value = /^default "?(.*?)"?$/.exec(note)?.[1];
  return value !== undefined && value !== '' && /default/i.test(description) && description.includes(value);
}

function joined(prose: string | undefined, notes: readonly string[]): string | undefined {
  if (notes.length === 0) return prose;
  return prose === undefined ? notes.join('; ') : `${prose} (${notes.join('; ')})`;
}

function sentencesOf(description: string): string[] {
  return description === '' ? [] : description.split(/(?<=[.!?])\s+(?=[^a-z])/);
}

/** The sentences at a detail: all, or the first and those that bind. */
function kept(sentences: readonly string[], detail: DocDetail): string[] {
  return sentences.filter((sentence, i) => detail === 'full' || i === 0 || BINDING.test(sentence));
}
