import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { partNames, partSource } from './parts.js';
import { type EngineTraits, engineKinds, preludeSource } from './prelude.js';

/** Where the build leaves the shrunk texts. */
export const GUEST_TEXTS_FILE = fileURLToPath(new URL('./guest-texts.json', import.meta.url));

interface ShrunkTexts {
  readonly digest: string;
  readonly texts: Readonly<Record<string, string>>;
}

const PRELUDE = 'prelude:';
const PART = 'part:';

/** Every text that a guest may be sent, by name, as the compiler left it. */
export function guestSources(): ReadonlyMap<string, string> {
  return new Map([
    ...engineKinds.map((traits): [string, string] => [preludeName(traits), preludeSource(traits)]),
    ...partNames.map((name): [string, string] => [PART + name, partSource(name)]),
  ]);
}

/** Tells one set of texts from another. */
export function sourcesDigest(sources: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...sources]))
    .digest('hex');
}

/** The texts as they are sent: shrunk where the build has done so for exactly these sources. */
export interface GuestTexts {
  /** An expression: a function of the host call that returns the guest's entry function. */
  prelude(traits: EngineTraits): string;
  /** A function of the kit; the empty text where there is no such part. */
  part(name: string): string;
}

let loaded: GuestTexts | undefined;

/** Reads the texts, once per process. */
export function guestTexts(): GuestTexts {
  loaded ??= load();
  return loaded;
}

function load(): GuestTexts {
  const sources = guestSources();
  const shrunk = readShrunk();
  const texts = shrunk?.digest === sourcesDigest(sources) ? new Map(Object.entries(shrunk.texts)) : sources;
  return {
    prelude: (traits) => texts.get(preludeName(traits)) ?? preludeSource(traits),
    part: (name) => texts.get(PART + name) ?? '',
  };
}

function readShrunk(): ShrunkTexts | undefined {
  try {
    return JSON.parse(readFileSync(GUEST_TEXTS_FILE, 'utf8')) as ShrunkTexts;
  } catch {
    return undefined;
  }
}

function preludeName({ tellsRejections, capturesStacks }: EngineTraits): string {
  return `${PRELUDE}${tellsRejections}:${capturesStacks}`;
}
