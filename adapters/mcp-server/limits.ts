/** The largest message that a client may send, bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
