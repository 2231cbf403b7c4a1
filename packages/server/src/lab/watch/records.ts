/** The latest records, by their numbers. */
import { MAX_RECORDS, MAX_TOLD } from "./limits.ts";
import type { Seen, WatchRecord } from "./record.ts";

export class Records {
  #kept: WatchRecord[] = [];
  #last = 0;

  add(atMs: number, seq: number, seen: Seen): void {
    this.#last += 1;
    this.#kept.push({ number: this.#last, atMs, seq, ...seen });
    // In bulk: to drop one at a time would move all others each time.
    if (this.#kept.length >= 2 * MAX_RECORDS) this.#kept = this.#kept.slice(-MAX_RECORDS);
  }

  /** `lost`: how many that came after `after` are not kept any more. */
  after(after: number): { readonly lost: number; readonly last: number; readonly records: readonly WatchRecord[] } {
    const first = this.#last - this.#kept.length + 1;
    const from = Math.max(0, after + 1 - first);
    return { lost: Math.max(0, first - after - 1), last: this.#last, records: this.#kept.slice(from, from + MAX_TOLD) };
  }
}
