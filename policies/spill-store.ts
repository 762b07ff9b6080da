/** A text that is too large for the conversation, with where it comes from. */
export interface SpilledText {
  /** The session that it belongs to. */
  readonly owner: string;
  readonly source: {
    readonly toolName: string;
    readonly callId: string;
    /** `result`: what a model would have read; `dispatch`: the logged copy of a sub-call. */
    readonly label: 'result' | 'dispatch';
  };
  readonly suggestedName: string;
  readonly content: string;
}

/** Where a text was put. */
export interface SavedText {
  readonly locator: string;
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** One sentence that tells a model how to get at it. */
  readonly retrievalHint: string;
}

/** Keeps texts. A rejection is no failure of the call: its text stays where it was. */
export interface SpillStore {
  save(text: SpilledText): SavedText | Promise<SavedText>;
}
