/** The status of a coin of nobody for which nothing was decided. */
export const WAITS = "seen";
