/** Bounds of what a lab tells of the accounts that somebody watches. */

/** Records that are kept for whoever asks for them later; the oldest are dropped. */
export const MAX_RECORDS = 200_000;
/** Records in one answer. */
export const MAX_TOLD = 10_000;
export const MAX_WATCHED = 100;
/** Characters of a refusal's text that are told. */
export const MAX_WHY_CHARS = 300;
