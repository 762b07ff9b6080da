/** How much of the documentation is written when there is room for all. */
export type SdkDetail = 'full' | 'brief' | 'signatures';

/** What shapes the SDK text. */
export interface SdkOptions {
  /** The most that the whole text may take, in tokens. @default no limit */
  readonly tokenBudget?: number;
  /** Tools to show first, the most important first. */
  readonly priority?: readonly string[];
  /** Tools to show next, e.g. those that the conversation has used. */
  readonly recentlyUsed?: readonly string[];
  /** @default 'full' */
  readonly detail?: SdkDetail;
  /** What the engine speaks. @default that of the mounted runtime, else `ES2023` */
  readonly languageLevel?: string;
  /** Counts tokens; without it they are estimated on the high side. */
  readonly countTokens?: (text: string) => number;
}

/** The SDK section of a prompt. */
export interface SdkText {
  readonly text: string;
  /** Whether every tool is declared. */
  readonly complete: boolean;
  /** How many tools are declared. */
  readonly shown: number;
  readonly total: number;
}
