/** The events that a watch records about accounts and markets. Amounts are decimal strings. */
import type { Seen, WatchRecord } from "@pricetime/protocol";

/** The most records that are stored; the oldest are dropped. */
export const MAX_RECORDS = 200_000;
/** The most records in one response. */
export const MAX_TOLD = 10_000;
export const MAX_WATCHED = 100;
/** The most characters of an error message. */
export const MAX_WHY_CHARS = 300;

// The latest records, by number.

export class Records {
  #kept: WatchRecord[] = [];
  #last = 0;

  add(atMs: number, seq: number, seen: Seen): void {
    this.#last += 1;
    this.#kept.push({ number: this.#last, atMs, seq, ...seen });
    // In bulk, because dropping one at a time would move all others each time.
    if (this.#kept.length >= 2 * MAX_RECORDS) this.#kept = this.#kept.slice(-MAX_RECORDS);
  }

  /** `lost`: the number of records after `after` that are no longer stored. */
  after(after: number): { readonly lost: number; readonly last: number; readonly records: readonly WatchRecord[] } {
    const first = this.#last - this.#kept.length + 1;
    const from = Math.max(0, after + 1 - first);
    return { lost: Math.max(0, first - after - 1), last: this.#last, records: this.#kept.slice(from, from + MAX_TOLD) };
  }
}
