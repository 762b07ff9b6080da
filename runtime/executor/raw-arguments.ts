/**
 * Reads the arguments of a call as the model wrote them.
 *
 * @param text raw JSON text; empty means no arguments
 * @returns the parsed value, or the text itself when it is no JSON: the tool then refuses it in its own words
 * @example
 * parseRawArguments('{"path":"a"}') // { path: 'a' }
 * parseRawArguments('') // {}
 */
export function parseRawArguments(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
