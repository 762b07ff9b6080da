/** The text of a function without what only costs the guest's parser time: its comments and its indentation. */
export function trimmed(text: string): string {
  return text.replace(/^\s+/gm, '').replace(/^\/\/.*\n/gm, '');
}
