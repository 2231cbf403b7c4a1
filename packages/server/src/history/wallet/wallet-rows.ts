/** Writes deposits, withdrawals, transfers, dust conversions, dividends and locks of API trading. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type DepositChanged,
  type DepositStatus,
  type DividendPaid,
  type DustConverted,
  type EngineView,
  type Event,
  type Transferred,
  WITHDRAWAL_STATUSES,
  type WithdrawalChanged,
} from "@pricetime/engine";
import { moneyToSql } from "../table/money.ts";
import type { DepositStatusCode } from "../shapes/wallet-rows.ts";

/** The status codes of Interface 2.10. */
const DEPOSIT_CODES: Readonly<Record<Exclude<DepositStatus, "dropped">, DepositStatusCode>> = {
  pending: 0,
  credited: 6,
  success: 1,
};

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
      DEPOSIT_CODES[status],
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
