const STOP = new Set(
  'a an and are as at be by can do for from how i in into is it its me my of on or our that the their then there this to was we what when where which who will with you your please all any some each'.split(
    ' ',
  ),
);
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** The words of a name or a sentence: lowercase, camelCase taken apart, stemmed, without the words that say nothing. */
export function wordsOf(text: string): string[] {
  const parts = text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const words = (parts ?? []).flatMap((part) => (CJK.test(part) ? [...part] : [part]));
  const telling = words.filter((word) => !STOP.has(word));
  return (telling.length > 0 ? telling : words).map(stem);
}

/** A light stem: enough for `list`/`lists`, `create`/`creating`/`created`, `query`/`queries`. */
export function stem(word: string): string {
  let text = word;
  if (text.length > 4 && text.endsWith('ies')) text = `${text.slice(0, -3)}y`;
  else if (text.length > 4 && /(?:[sxz]|[cs]h)es$/.test(text)) text = text.slice(0, -2);
  else if (text.length > 3 && /[^suis]s$/.test(text)) text = text.slice(0, -1);
  if (text.length > 5 && text.endsWith('ing')) text = undoubled(text.slice(0, -3));
  else if (text.length > 4 && text.endsWith('ed')) text = undoubled(text.slice(0, -2));
  return text.length > 4 && text.endsWith('e') ? text.slice(0, -1) : text;
}

const undoubled = (text: string): string => (/([bdgmnprt])\1$/.test(text) ? text.slice(0, -1) : text);
