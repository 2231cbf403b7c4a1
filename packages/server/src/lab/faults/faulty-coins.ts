/** Faults of deposits and withdrawals: deposits that get stuck, payments that fail, withdrawals that are rejected. */
import type { DepositRecord, Entry, Event, WithdrawalRecord } from "@pricetime/engine";
import type { Follower } from "../../api/edge/send-queue.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { CoinFaults, WalletControls } from "../../funds/wallet/port.ts";
import type { CoinRule, FaultBook } from "./fault-book.ts";
import { type CoinFault, MAX_STUCK_DEPOSITS } from "./fault.ts";
import { describeCoin, type MovingCoin } from "./targets.ts";

export interface FaultyCoinsParts {
  readonly book: FaultBook;
  readonly sequencer: Pick<Sequencer, "submit">;
  readonly controls: () => Pick<WalletControls, "sandbox">;
}

/** The author of the rejection in the journal. */
const REJECTED_BY = "lab";

export class FaultyCoins implements CoinFaults, Follower {
  readonly #parts: FaultyCoinsParts;

  constructor(parts: FaultyCoinsParts) {
    this.#parts = parts;
  }

  isStuck(deposit: DepositRecord): boolean {
    const { book } = this.#parts;
    const name = `${deposit.network}/${deposit.txId}/${deposit.output}`;
    let isStuck = false;
    for (const { rule, isMeant, stuck } of book.coinRules) {
      const { fault } = rule;
      if (fault.fault !== "deposit-stuck") continue;
      const untilMs = stuck.get(name);
      if (untilMs !== undefined) isStuck ||= untilMs === null || book.nowMs() < untilMs;
      else if (!isStuck && stuck.size < MAX_STUCK_DEPOSITS && isMeant(deposit) && book.strikes(rule)) {
        stuck.set(name, fault.ms === undefined ? null : book.nowMs() + fault.ms);
        book.note(rule, describeCoin(deposit, book.view));
        isStuck = true;
      }
    }
    return isStuck;
  }

  paymentSigned(withdrawal: WithdrawalRecord): void {
    const struck = this.#firstToStrike("withdrawal-fails", withdrawal);
    if (struck === undefined) return;
    this.#parts.controls().sandbox(withdrawal.network)?.fail({ kind: "revert", payments: 1 });
  }

  applied(_entry: Entry, events: readonly Event[]): void {
    if (this.#parts.book.coinRules.length === 0) return;
    for (const event of events) {
      if (event.type === "withdrawalChanged" && event.status === "awaitingApproval") this.#reject(event.withdrawal);
    }
  }

  #reject(withdrawal: WithdrawalRecord): void {
    const struck = this.#firstToStrike("withdrawal-rejected", withdrawal);
    if (struck === undefined) return;
    const { msg } = struck.rule.fault as Extract<CoinFault, { fault: "withdrawal-rejected" }>;
    const { withdrawalId } = withdrawal;
    const { book, sequencer } = this.#parts;
    // Deferred, because the engine is applying an entry that other followers must receive first. If an operator decides
    // first, the command is rejected, which is not an error.
    book.world.soon(() =>
      sequencer.submit({ type: "rejectWithdrawal", by: REJECTED_BY, withdrawalId, why: msg }, () => {}),
    );
  }

  #firstToStrike(name: CoinFault["fault"], coin: MovingCoin): CoinRule | undefined {
    const { book } = this.#parts;
    for (const one of book.coinRules) {
      if (one.rule.fault.fault !== name || !one.isMeant(coin) || !book.strikes(one.rule)) continue;
      book.note(one.rule, describeCoin(coin, book.view));
      return one;
    }
    return undefined;
  }
}
