/** Writes adjustments, notes on accounts, and coins of nobody. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  AccountNoted,
  BalanceAdjusted,
  DepositChanged,
  EngineView,
  Event,
  UnknownDepositChanged,
} from "@pricetime/engine";
import { moneyToSql } from "../table/money.ts";

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
