import { guestSources } from './guest-sources.js';
import { type EngineTraits, partTextName, preludeTextName } from './prelude.js';

let loaded: ReadonlyMap<string, string> | undefined;

function textOf(name: string): string {
  loaded ??= guestSources();
  return loaded.get(name) ?? '';
}

/** An expression: a function of the host call that returns the guest's entry function. */
export function preludeText(traits: EngineTraits): string {
  return textOf(preludeTextName(traits));
}

/** A function of the kit; the empty text where there is no such part. */
export function partText(name: string): string {
  return textOf(partTextName(name));
}
