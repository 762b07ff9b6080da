export {
  type Catalogue,
  type CatalogueEntry,
  type CatalogueSearch,
  createCatalogue,
} from './catalogue/catalogue.js';
export { type CheckerSubject, type CheckerText, checkerText } from './checker/checker-text.js';
export { estimateTokens } from './estimate-tokens.js';
export { directCallRule, sdkInstructions } from './instructions.js';
export { type RunCodeSchemaInput, runCodeSchema } from './run-code-schema.js';
export type { SdkDetail, SdkOptions, SdkText } from './sdk-options.js';
export { sdkText } from './sdk-text.js';
