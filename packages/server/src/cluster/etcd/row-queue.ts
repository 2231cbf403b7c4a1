/** Rows that have come and were not taken yet, in order; and what is told to whoever waits for the next. */
import assert from "node:assert/strict";
import type { LogRow } from "../../journal/port.ts";

export class RowQueue {
  readonly #rows: LogRow[] = [];
  #at = 0;
  #bytes = 0;
  #last: number | undefined;
  #end: Error | "closed" | undefined;
  #wake: (() => void) | undefined;
  #room: (() => void) | undefined;
  /** Called after each row that is taken. */
  onTaken = (): void => {};

  get bytes(): number {
    return this.#bytes;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  push(rows: readonly LogRow[]): void {
    for (const row of rows) {
      assert.ok(this.#last === undefined || row.place.number === this.#last + 1, "rows are without gaps");
      this.#last = row.place.number;
      this.#rows.push(row);
      this.#bytes += row.bytes.length;
    }
    if (rows.length > 0) this.#wake?.();
  }

  /** Resolves when no more than `bytes` wait, or nothing is given any more. */
  async whileOver(bytes: number): Promise<void> {
    while (this.#bytes > bytes && this.#end === undefined) await new Promise<void>((resolve) => (this.#room = resolve));
  }

  /** Ends the queue: rows that have come are still given, then each call of `next` rejects. */
  fail(error: Error): void {
    this.#end ??= error;
    this.#wake?.();
  }

  /** Nothing is given any more. */
  close(): void {
    this.#end = "closed";
    this.#wake?.();
    this.#room?.();
  }

  /** Does what `Following.next` promises. One call at a time. */
  async next(): Promise<LogRow | undefined> {
    for (;;) {
      if (this.#end === "closed") return undefined;
      const row = this.#rows[this.#at];
      if (row !== undefined) return this.#take(row);
      if (this.#end !== undefined) throw this.#end;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #take(row: LogRow): LogRow {
    this.#bytes -= row.bytes.length;
    // A queue that never runs dry keeps no more rows that were taken than wait in it.
    if (++this.#at * 2 >= this.#rows.length) {
      this.#rows.splice(0, this.#at);
      this.#at = 0;
    }
    this.#room?.();
    this.onTaken();
    return row;
  }
}
