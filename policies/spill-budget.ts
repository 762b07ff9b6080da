import type { ContentBlock } from '../runtime/contract/content.js';
import { retainItems, retainText } from './retention.js';
import type { SavedText } from './spill-store.js';

/** How much of a content may stay. */
export interface SpillBudget {
  /** @returns the text to save when the content is too large; `undefined` when it stays as it is */
  excess(content: readonly ContentBlock[]): string | undefined;
  /** @returns what stands in its place, or `undefined` when not even the notice fits */
  replace(
    content: readonly ContentBlock[],
    text: string,
    saved: SavedText,
  ): readonly ContentBlock[] | undefined;
}

/** What a text and an image cost. */
export interface TokenPrices {
  readonly ofText: (text: string) => number;
  /** `undefined`: nobody knows, so the content stays as it is. */
  readonly ofImage: (image: ContentBlock) => number | undefined;
}

const CUT = '\n[…]\n';

/** A budget of UTF-8 bytes, for content that is text alone. */
export function byteBudget(maxBytes: number): SpillBudget {
  return {
    excess(content) {
      if (content.length === 0 || !content.every(isText)) return undefined;
      const text = joined(content);
      return Buffer.byteLength(text) > maxBytes ? text : undefined;
    },
    replace(_, text, saved) {
      const worst = noticeOf(Buffer.byteLength(text), saved);
      const left = maxBytes - Buffer.byteLength(worst);
      if (left < 0) return undefined;
      return [{ type: 'text', text: excerpt(text, left, (omitted) => noticeOf(omitted, saved)) }];
    },
  };
}

/** A budget of tokens that text and images share; images stay or go whole, in their order. */
export function tokenBudget(maxTokens: number, { ofText, ofImage }: TokenPrices): SpillBudget {
  const priceAll = (images: readonly ContentBlock[]): number | undefined => {
    let sum = 0;
    for (const image of images) {
      const price = ofImage(image);
      if (price === undefined || !(price >= 0)) return undefined;
      sum += price;
    }
    return sum;
  };
  return {
    excess(content) {
      const images = content.filter(isImage);
      if (content.length === 0 || !content.every((block) => isText(block) || isImage(block)))
        return undefined;
      const price = priceAll(images);
      if (price === undefined) return undefined;
      const text = joined(content.filter(isText));
      return price + ofText(text) > maxTokens ? text : undefined;
    },
    replace(content, text, saved) {
      const images = content.filter(isImage);
      const bytes = Buffer.byteLength(text);
      const room = maxTokens - ofText(noticeOf(bytes, saved, images.length));
      if (room < 0) return undefined;
      const wantedByText = Math.min(
        ofText(text),
        Math.max(room - (priceAll(images) ?? 0), Math.floor(room / 2)),
      );
      const kept = retainItems(images, room - wantedByText, (image) => ofImage(image) ?? 0);
      const spent = priceAll(kept.items) ?? 0;
      const written = (left: number): string =>
        excerpt(text, left, (omitted) => noticeOf(omitted, saved, kept.omitted));
      const fits = (left: number): boolean => ofText(written(left)) + spent <= maxTokens;
      // Prices of texts grow with them, more or less; whatever is found has been tried.
      let low = 0;
      let high = bytes;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (fits(middle)) low = middle;
        else high = middle - 1;
      }
      return fits(low) ? [{ type: 'text', text: written(low) }, ...kept.items] : undefined;
    },
  };
}

/**
 * Head and tail of a text, a blank line, and the notice.
 *
 * @param left UTF-8 bytes for everything but the notice
 */
function excerpt(text: string, left: number, notice: (omittedBytes: number) => string): string {
  const forText = left - Buffer.byteLength(`${CUT}\n\n`);
  const { head, tail, omittedBytes, truncated } = retainText(text, Math.max(forText, 0), 'headTail');
  if (!truncated) return text === '' ? notice(0) : `${text}\n\n${notice(0)}`;
  if (forText <= 0) return notice(omittedBytes);
  return `${head}${CUT}${tail}\n\n${notice(omittedBytes)}`;
}

function noticeOf(omittedBytes: number, { locator, retrievalHint }: SavedText, omittedImages = 0): string {
  const images = omittedImages === 0 ? '' : ` and ${omittedImages} image${omittedImages === 1 ? '' : 's'}`;
  const where = locator === '' ? '' : ` The whole text is at ${locator}.`;
  const hint = retrievalHint === '' ? '' : ` ${retrievalHint}`;
  return `[${omittedBytes} bytes${images} left out.${where}${hint}]`;
}

function joined(content: readonly ContentBlock[]): string {
  return content.map((block) => (block as { readonly text: string }).text).join('');
}

function isText({ type }: ContentBlock): boolean {
  return type === 'text';
}

function isImage({ type }: ContentBlock): boolean {
  return type === 'image';
}
