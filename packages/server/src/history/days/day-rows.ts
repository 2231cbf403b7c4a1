/** Records customers' balances at the end of each day: those that a transaction changed, as they are then. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Bucket, type EngineView, FIRST_CUSTOMER_ACCOUNT, type Posting, DAY_MS } from "@pricetime/engine";
import { moneyToSql } from "../table/money.ts";

/** An account's holding of an asset in one number: more assets than the engine allows. */
const ASSET_SPAN = 2 ** 20;

export class DayRows {
  readonly #replace: StatementSync;
  /** Holdings that changed on `day` and are not written yet. */
  readonly #touched = new Set<number>();
  #day = 0;

  constructor(database: DatabaseSync) {
    this.#replace = database.prepare("INSERT OR REPLACE INTO day_balances VALUES (?, ?, ?, ?, ?)");
  }

  /** `engine` is in the state after the entry that made the postings. */
  add(engine: EngineView, postings: readonly Posting[]): void {
    const day = Math.floor(engine.timeMs / DAY_MS);
    if (day !== this.#day) {
      this.#write(engine, postings);
      this.#day = day;
    }
    for (const { assetId, fromAccountId, toAccountId } of postings) {
      this.#touch(fromAccountId, assetId);
      if (toAccountId !== fromAccountId) this.#touch(toAccountId, assetId);
    }
  }

  /** Writes pending balances at the end of a transaction. `engine` is in the state after its last entry. */
  flush(engine: EngineView): void {
    this.#write(engine, []);
  }

  #touch(accountId: number, assetId: number): void {
    assert(assetId < ASSET_SPAN);
    if (accountId >= FIRST_CUSTOMER_ACCOUNT) this.#touched.add(accountId * ASSET_SPAN + assetId);
  }

  /** Writes the balances as they were before the `undone` postings, which the engine has already applied. */
  #write(engine: EngineView, undone: readonly Posting[]): void {
    if (this.#touched.size === 0) return;
    const free = changes(undone, "free");
    const locked = changes(undone, "locked");
    for (const holding of this.#touched) {
      const accountId = Math.floor(holding / ASSET_SPAN);
      const assetId = holding % ASSET_SPAN;
      const now = engine.balance(accountId, assetId);
      this.#replace.run(
        accountId,
        assetId,
        this.#day,
        moneyToSql(now.free - (free.get(holding) ?? 0n)),
        moneyToSql(now.locked - (locked.get(holding) ?? 0n)),
      );
    }
    this.#touched.clear();
  }
}

/** Returns the sum of postings to one bucket of each holding. */
function changes(postings: readonly Posting[], bucket: Bucket): ReadonlyMap<number, bigint> {
  const sums = new Map<number, bigint>();
  const add = (accountId: number, assetId: number, amount: bigint): void => {
    const holding = accountId * ASSET_SPAN + assetId;
    sums.set(holding, (sums.get(holding) ?? 0n) + amount);
  };
  for (const { assetId, amount, fromAccountId, fromBucket, toAccountId, toBucket } of postings) {
    if (fromBucket === bucket) add(fromAccountId, assetId, -amount);
    if (toBucket === bucket) add(toAccountId, assetId, amount);
  }
  return sums;
}
