/**
 * Writes what moves money in other ways than trading (deposits, withdrawals, transfers, dust conversions, dividends,
 * adjustments), what operators note, and balances at the end of each day.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type AccountNoted,
  type BalanceAdjusted,
  type Bucket,
  DAY_MS,
  type DepositChanged,
  type DividendPaid,
  type DustConverted,
  type EngineView,
  type Event,
  FIRST_CUSTOMER_ACCOUNT,
  type Posting,
  type Transferred,
  type UnknownDepositChanged,
  WITHDRAWAL_STATUSES,
  type WithdrawalChanged,
} from "@pricetime/engine";
import { depositCode, moneyToSql } from "../table/columns.ts";
import assert from "node:assert/strict";

export class WalletRows {
  readonly #upsertDeposit: StatementSync;
  readonly #deleteDeposit: StatementSync;
  readonly #upsertWithdrawal: StatementSync;
  readonly #insertTransfer: StatementSync;
  readonly #insertSide: StatementSync;
  readonly #insertDust: StatementSync;
  readonly #insertDividend: StatementSync;
  readonly #insertLock: StatementSync;

  constructor(database: DatabaseSync) {
    this.#upsertDeposit = database.prepare(
      `INSERT INTO deposits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (deposit_id) DO UPDATE SET status = excluded.status, update_time_ms = excluded.update_time_ms`,
    );
    this.#deleteDeposit = database.prepare("DELETE FROM deposits WHERE deposit_id = ?");
    this.#upsertWithdrawal = database.prepare(
      `INSERT INTO withdrawals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (withdrawal_id) DO UPDATE SET status = excluded.status, tx_id = excluded.tx_id,
         why = excluded.why, update_time_ms = excluded.update_time_ms`,
    );
    this.#insertTransfer = database.prepare("INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insertSide = database.prepare("INSERT INTO account_transfers VALUES (?, ?, ?)");
    this.#insertDust = database.prepare("INSERT INTO dust_conversions VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insertDividend = database.prepare("INSERT INTO dividends VALUES (?, ?, ?, ?, ?, ?)");
    this.#insertLock = database.prepare("INSERT INTO api_trading_locks VALUES (?, ?, ?, ?)");
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
        return this.#addDust(timeMs, event);
      case "dividendPaid":
        return this.#addDividend(timeMs, event);
      case "apiTradingLocked":
        this.#insertLock.run(seq, timeMs, event.accountId, event.untilMs);
        return undefined;
      default:
        return undefined;
    }
  }

  #addDeposit(timeMs: number, { deposit, status }: DepositChanged): void {
    if (status === "dropped") {
      this.#deleteDeposit.run(deposit.depositId);
      return;
    }
    this.#upsertDeposit.run(
      deposit.depositId,
      deposit.accountId,
      deposit.assetId,
      moneyToSql(deposit.amount),
      deposit.network,
      deposit.txId,
      deposit.output,
      deposit.address,
      deposit.tag,
      depositCode(status),
      deposit.insertTimeMs,
      timeMs,
    );
  }

  #addWithdrawal(seq: number, timeMs: number, { withdrawal, status, txId, why }: WithdrawalChanged): void {
    this.#upsertWithdrawal.run(
      seq,
      withdrawal.withdrawalId,
      withdrawal.accountId,
      withdrawal.withdrawOrderId,
      withdrawal.assetId,
      moneyToSql(withdrawal.amount - withdrawal.fee),
      moneyToSql(withdrawal.fee),
      withdrawal.network,
      withdrawal.address,
      withdrawal.tag,
      withdrawal.name,
      withdrawal.applyTimeMs,
      WITHDRAWAL_STATUSES.indexOf(status),
      txId,
      why,
      timeMs,
    );
  }

  #addTransfer(timeMs: number, event: Transferred): void {
    const { tranId, masterId, fromAccountId, toAccountId } = event;
    this.#insertTransfer.run(
      tranId,
      timeMs,
      masterId,
      fromAccountId,
      toAccountId,
      event.assetId,
      moneyToSql(event.amount),
      event.clientTranId ?? "",
    );
    this.#insertSide.run(fromAccountId, timeMs, tranId);
    this.#insertSide.run(toAccountId, timeMs, tranId);
  }

  #addDust(timeMs: number, event: DustConverted): void {
    this.#insertDust.run(
      event.tranId,
      event.accountId,
      event.assetId,
      moneyToSql(event.amount),
      event.dustAssetId,
      moneyToSql(event.received),
      moneyToSql(event.charge),
      timeMs,
    );
  }

  #addDividend(timeMs: number, event: DividendPaid): void {
    this.#insertDividend.run(
      event.accountId,
      event.tranId,
      event.assetId,
      moneyToSql(event.amount),
      event.info,
      timeMs,
    );
  }
}

export class DeskRows {
  readonly #insertAdjustment: StatementSync;
  readonly #insertNote: StatementSync;
  readonly #insertUnknown: StatementSync;
  readonly #settleUnknown: StatementSync;
  readonly #claimUnknown: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insertAdjustment = database.prepare("INSERT INTO adjustments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insertNote = database.prepare("INSERT INTO account_notes VALUES (?, ?, ?, ?, ?)");
    // A coin that was a customer's and left the chain may come again as nobody's.
    this.#insertUnknown = database.prepare(
      "INSERT OR REPLACE INTO unknown_deposits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'seen', NULL, '', ?)",
    );
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
        return this.#adjust(seq, timeMs, event);
      case "accountNoted":
        return this.#note(seq, timeMs, event);
      case "unknownDepositChanged":
        return event.status === "seen" ? this.#see(seq, timeMs, event) : this.#settle(timeMs, event);
      case "depositChanged":
        return this.#claim(timeMs, event);
      default:
        return undefined;
    }
  }

  #adjust(seq: number, timeMs: number, event: BalanceAdjusted): void {
    const { accountId, assetId, amount, house, category, why, reference, by } = event;
    this.#insertAdjustment.run(
      ...[seq, timeMs, accountId, assetId, moneyToSql(amount)],
      ...[house, category, why, reference, by],
    );
  }

  #note(seq: number, timeMs: number, { accountId, text, by }: AccountNoted): void {
    this.#insertNote.run(seq, timeMs, accountId, text, by);
  }

  #see(seq: number, timeMs: number, { deposit }: UnknownDepositChanged): void {
    const { network, txId, output, address, tag, coin, amount, reason, seenMs } = deposit;
    this.#insertUnknown.run(...[seq, seenMs, network, txId, output, address, tag, coin, amount, reason, timeMs]);
  }

  #settle(timeMs: number, { deposit, status, accountId, why }: UnknownDepositChanged): void {
    const { network, txId, output } = deposit;
    this.#settleUnknown.run(status, accountId, why, timeMs, network, txId, output);
  }

  /** A coin that is seen as a customer's waits for nobody any more. */
  #claim(timeMs: number, { deposit, status }: DepositChanged): void {
    if (status !== "pending") return;
    const { accountId, network, txId, output } = deposit;
    this.#claimUnknown.run(accountId, timeMs, network, txId, output);
  }
}

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
