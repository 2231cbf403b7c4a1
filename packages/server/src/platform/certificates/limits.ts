/** When certificates are looked at, and when they are warned of. */
const DAY_MS = 86_400_000;

export const CERTIFICATE_LIMITS = {
  /** How often the files are read again: new ones are served within this time. */
  lookEveryMs: 60_000,
  /** A certificate that ends within this time is warned of, */
  warnBeforeMs: 14 * DAY_MS,
  /** but not before this part of its life is left: some live for days only. */
  warnLastPart: 1 / 3,
} as const;

/** Whole days in words, rounded down. */
export function daysOf(spanMs: number): string {
  const days = Math.floor(spanMs / DAY_MS);
  return `${days} ${days === 1 ? "day" : "days"}`;
}
