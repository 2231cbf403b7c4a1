/**
 * Writes every posting as two rows, for the debited and the credited account. The amounts of an asset sum to zero in
 * each posting and in total; the amounts of one bucket of an account sum to its balance.
 */
import { type EngineView, type Entry, type Event, type Posting, WIRE_PLACES } from "@pricetime/engine";
import type { Column, RowSink } from "../market-files/write-table.ts";
import { RowExtractor, type TimeRange } from "./request.ts";

export const LEDGER_COLUMNS: readonly Column[] = [
  { name: "time", kind: "time" },
  { name: "seq", kind: "integer" },
  { name: "posting", kind: "integer" },
  { name: "account", kind: "integer" },
  { name: "bucket", kind: "text" },
  { name: "asset", kind: "text" },
  { name: "amount", kind: "amount", places: WIRE_PLACES },
  { name: "reason", kind: "text" },
];

export class LedgerRows extends RowExtractor {
  readonly #range: TimeRange;
  readonly #assets = new Map<number, { readonly name: string; readonly factor: bigint }>();

  constructor(range: TimeRange, open: () => RowSink) {
    super(open);
    this.#range = range;
  }

  take({ timeMs, seq }: Entry, _: readonly Event[], engine: EngineView, postings: readonly Posting[]): void {
    if (timeMs < this.#range.fromMs) return;
    let number = 0;
    for (const { assetId, amount, fromAccountId, fromBucket, toAccountId, toBucket, reason } of postings) {
      const { name, factor } = this.#assetOf(engine, assetId);
      const units = amount * factor;
      number++;
      this.add([timeMs, seq, number, fromAccountId, fromBucket, name, -units, reason]);
      this.add([timeMs, seq, number, toAccountId, toBucket, name, units, reason]);
    }
  }

  #assetOf(engine: EngineView, assetId: number): { readonly name: string; readonly factor: bigint } {
    const known = this.#assets.get(assetId);
    if (known !== undefined) return known;
    const { asset, precision } = engine.asset(assetId).spec;
    const found = { name: asset, factor: 10n ** BigInt(WIRE_PLACES - precision) };
    this.#assets.set(assetId, found);
    return found;
  }
}
