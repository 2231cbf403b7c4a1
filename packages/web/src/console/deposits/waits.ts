/** The status of an unattributed deposit that is not resolved. */
export const WAITS = "seen";
