import { partNames, partSource } from './parts.js';
import { engineKinds, partTextName, preludeSource, preludeTextName } from './prelude.js';

/** Every text that a guest may be sent, by name, as the compiler left it; the build replaces it by the shrunk texts. */
export function guestSources(): ReadonlyMap<string, string> {
  return new Map([
    ...engineKinds.map((traits): [string, string] => [preludeTextName(traits), preludeSource(traits)]),
    ...partNames.map((name): [string, string] => [partTextName(name), partSource(name)]),
  ]);
}
