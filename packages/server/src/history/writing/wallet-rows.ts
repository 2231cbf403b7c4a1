/**
 * Writes funds movements other than trades (deposits, withdrawals, transfers, dust conversions, dividends,
 * adjustments), operators' records, and balances at the end of each day.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type Bucket,
  DAY_MS,
  type EngineView,
  type Event,
  FIRST_CUSTOMER_ACCOUNT,
  type Posting,
  WITHDRAWAL_STATUSES,
} from "@pricetime/engine";
import { depositCode, moneyToSql, NamedInsert } from "../table/columns.ts";
import assert from "node:assert/strict";

export class WalletRows {
  readonly #upsertDeposit: NamedInsert;
  readonly #deleteDeposit: StatementSync;
  readonly #upsertWithdrawal: NamedInsert;
  readonly #insertTransfer: NamedInsert;
  readonly #insertSide: StatementSync;
  readonly #insertDust: NamedInsert;
  readonly #insertDividend: NamedInsert;
  readonly #insertLock: NamedInsert;

  constructor(database: DatabaseSync) {
    this.#upsertDeposit = new NamedInsert(database, "deposits", {
      after: `ON CONFLICT (deposit_id) DO UPDATE SET status = excluded.status, update_time_ms = excluded.update_time_ms`,
    });
    this.#deleteDeposit = database.prepare("DELETE FROM deposits WHERE deposit_id = ?");
    this.#upsertWithdrawal = new NamedInsert(database, "withdrawals", {
      after: `ON CONFLICT (withdrawal_id) DO UPDATE SET status = excluded.status, tx_id = excluded.tx_id,
         why = excluded.why, update_time_ms = excluded.update_time_ms`,
    });
    this.#insertTransfer = new NamedInsert(database, "transfers");
    this.#insertSide = database.prepare("INSERT INTO account_transfers VALUES (?, ?, ?)");
    this.#insertDust = new NamedInsert(database, "dust_conversions");
    this.#insertDividend = new NamedInsert(database, "dividends");
    this.#insertLock = new NamedInsert(database, "api_trading_locks");
  }

  /** `engine` is in the state after the event's entry. */
  add({ seq, timeMs }: EngineView, event: Event): void {
    switch (event.type) {
      case "depositChanged":
        return this.#addDeposit(timeMs, event);
      case "withdrawalChanged":
        return this.#addWithdrawal(seq, timeMs, event);
      case "transferred":
        return this.#addTransfer(timeMs, event);
      case "dustConverted":
        return this.#insertDust.run({ ...event, timeMs });
      case "dividendPaid":
        return this.#insertDividend.run({ ...event, timeMs });
      case "apiTradingLocked":
        return this.#insertLock.run({ ...event, seq, timeMs });
      default:
        return undefined;
    }
  }

  #addDeposit(timeMs: number, { deposit, status }: Event<"depositChanged">): void {
    if (status === "dropped") {
      this.#deleteDeposit.run(deposit.depositId);
      return;
    }
    this.#upsertDeposit.run({ ...deposit, status: depositCode(status), updateTimeMs: timeMs });
  }

  #addWithdrawal(seq: number, timeMs: number, { withdrawal, status, txId, why }: Event<"withdrawalChanged">): void {
    this.#upsertWithdrawal.run({
      ...{ ...withdrawal, amount: withdrawal.amount - withdrawal.fee },
      ...{ seq, status: WITHDRAWAL_STATUSES.indexOf(status), txId, why, updateTimeMs: timeMs },
    });
  }

  #addTransfer(timeMs: number, event: Event<"transferred">): void {
    const { tranId, fromAccountId, toAccountId, clientTranId = "" } = event;
    this.#insertTransfer.run({ ...event, clientTranId, timeMs });
    this.#insertSide.run(fromAccountId, timeMs, tranId);
    this.#insertSide.run(toAccountId, timeMs, tranId);
  }
}

export class OperatorRows {
  readonly #insertAdjustment: NamedInsert;
  readonly #insertNote: NamedInsert;
  readonly #insertUnknown: NamedInsert;
  readonly #settleUnknown: StatementSync;
  readonly #claimUnknown: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insertAdjustment = new NamedInsert(database, "adjustments");
    this.#insertNote = new NamedInsert(database, "account_notes");
    // REPLACE, because a customer's deposit that left the chain may reappear as an unattributed deposit.
    this.#insertUnknown = new NamedInsert(database, "unknown_deposits", { or: "OR REPLACE" });
    const changed = "UPDATE unknown_deposits SET status = ?, account_id = ?, why = ?, update_time_ms = ?";
    const ofCoin = "WHERE network = ? AND tx_id = ? AND output = ? AND status = 'seen'";
    this.#settleUnknown = database.prepare(`${changed} ${ofCoin}`);
    this.#claimUnknown = database.prepare(
      `UPDATE unknown_deposits SET status = 'deposit', account_id = ?, update_time_ms = ? ${ofCoin}`,
    );
  }

  /** `engine` is in the state after the event's entry. */
  add({ seq, timeMs }: EngineView, event: Event): void {
    switch (event.type) {
      case "balanceAdjusted":
        return this.#insertAdjustment.run({ ...event, seq, timeMs });
      case "accountNoted":
        return this.#insertNote.run({ ...event, seq, timeMs });
      case "unknownDepositChanged":
        return event.status === "seen" ? this.#see(seq, timeMs, event) : this.#settle(timeMs, event);
      case "depositChanged":
        return this.#claim(timeMs, event);
      default:
        return undefined;
    }
  }

  #see(seq: number, updateTimeMs: number, { deposit }: Event<"unknownDepositChanged">): void {
    this.#insertUnknown.run({ ...deposit, seq, status: "seen", accountId: null, why: "", updateTimeMs });
  }

  #settle(timeMs: number, { deposit, status, accountId, why }: Event<"unknownDepositChanged">): void {
    const { network, txId, output } = deposit;
    this.#settleUnknown.run(status, accountId, why, timeMs, network, txId, output);
  }

  /** Marks an unattributed deposit as resolved when it is recognized as a customer's deposit. */
  #claim(timeMs: number, { deposit, status }: Event<"depositChanged">): void {
    if (status !== "pending") return;
    const { accountId, network, txId, output } = deposit;
    this.#claimUnknown.run(accountId, timeMs, network, txId, output);
  }
}

/**
 * The factor that combines account and asset in one number. Greater than the number of assets that the engine allows.
 */
const ASSET_SPAN = 2 ** 20;

export class DayRows {
  readonly #replace: StatementSync;
  /** Balances that changed on `day` and are not written yet, as combined account and asset. */
  readonly #touched = new Set<number>();
  #day = 0;

  constructor(database: DatabaseSync) {
    this.#replace = database.prepare("INSERT OR REPLACE INTO day_balances VALUES (?, ?, ?, ?, ?)");
  }

  /** `engine` is in the state after the entry of the postings. */
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

  /** Writes pending balances. Call it at the end of a transaction, with `engine` in the state after the last entry. */
  flush(engine: EngineView): void {
    this.#write(engine, []);
  }

  #touch(accountId: number, assetId: number): void {
    assert(assetId < ASSET_SPAN);
    if (accountId >= FIRST_CUSTOMER_ACCOUNT) this.#touched.add(accountId * ASSET_SPAN + assetId);
  }

  /** Writes the balances before the postings `undone`, which the engine has already applied. */
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

/** Sums the postings to one bucket by balance. */
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
