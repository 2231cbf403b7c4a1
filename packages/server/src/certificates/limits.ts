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

/** Whole days, rounded down. */
export const daysOf = (spanMs: number): number => Math.floor(spanMs / DAY_MS);
