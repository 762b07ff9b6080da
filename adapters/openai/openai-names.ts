import type { NameLimits } from '../model-format/format.js';

/** What OpenAI accepts as the name of a function. */
export const OPENAI_NAMES: NameLimits = Object.freeze({ maxLength: 64, dashes: true });
