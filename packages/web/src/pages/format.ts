/** Formats numbers and times. Amounts keep all digits that the node sent. */
import { showMoment as momentText, showSpan } from "../panels/show.ts";
import { formatDecimal, leastDigits, parseDecimal } from "../exact/decimal.ts";
import { grouped } from "../exact/shown.ts";
import { pagesWords } from "../words/words.ts";
import type { ReadonlySignal } from "@preact/signals";
import type { Preferences } from "../preferences.ts";

/** The time zone and current time for formatting times. */
export interface Clock {
  readonly preferences: Pick<Preferences, "timeZone">;
  readonly nowMs: ReadonlySignal<number>;
}

const SIZES = ["B", "KB", "MB", "GB", "TB"] as const;

export function showBytes(bytes: number): string {
  let value = bytes;
  let size = 0;
  while (value >= 1000 && size < SIZES.length - 1) {
    value /= 1000;
    size++;
  }
  return `${value.toFixed(value < 10 && size > 0 ? 1 : 0)} ${SIZES[size]}`;
}

export function showFigure(value: number | null, unit: string): string {
  if (value === null) return pagesWords.noFigure;
  if (unit === "bytes") return showBytes(value);
  const digits = Number.isInteger(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  const text = grouped(value.toFixed(digits));
  return unit === "ms" ? pagesWords.ms(text) : unit === "1/s" ? pagesWords.perSecond(text) : text;
}

export { showAmount } from "../exact/shown.ts";
export { showBrowser } from "@pricetime/protocol";

/**
 * Formats an amount on a network with at least as many digits as the network's step. If there is no step, returns the
 * amount as sent.
 */
export function carried(text: string, step: string | undefined): string {
  const [value, by] = [parseDecimal(text), step === undefined ? null : parseDecimal(step)];
  return value === null || by === null ? text : formatDecimal(value, Math.max(leastDigits(value), leastDigits(by)));
}

/** Formats a time as `29 Nov, 21:06:57`, with the year if it is not the current one. */
export function showMoment({ preferences, nowMs }: Clock, timeMs: number): string {
  if (timeMs <= 0) return pagesWords.noFigure;
  return momentText(timeMs, preferences.timeZone.value, nowMs.value);
}

export function showAge({ nowMs }: Pick<Clock, "nowMs">, sinceMs: number): string {
  return showLength(nowMs.value - sinceMs);
}

/** Formats a length of time, in days from two days on. */
export function showLength(spanMs: number): string {
  return spanMs >= 172_800_000 ? pagesWords.days(Math.floor(spanMs / 86_400_000)) : showSpan(spanMs);
}

/** Formats a time for files, in ISO 8601. */
export const timeText = (timeMs: number): string => (timeMs > 0 ? new Date(timeMs).toISOString() : "");

/** How an API key signs. `secret` is the word for a key with a secret. */
export function signatureOf(publicKey: string | undefined, secret: string): string {
  if (publicKey === undefined) return secret;
  return publicKey.startsWith("MII") ? "RSA" : "Ed25519";
}
