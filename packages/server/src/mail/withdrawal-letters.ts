/**
 * Writes letters that ask to confirm withdrawals. They are derived from the exchange's state: a withdrawal that waits
 * for its link, and has no letter, gets one, either just after it was journaled or after a start. So a process that
 * dies in between loses none. One may be written twice; both open the same link.
 */
import {
  CONFIRMATION_LIFE_MS,
  type EngineView,
  type Entry,
  type Event,
  formatDecimal,
  type WithdrawalRecord,
  MINUTE_MS,
} from "@pricetime/engine";
import type { Logger } from "../observe/log.ts";
import type { MailRoom } from "./mail-room.ts";

export interface WithdrawalLettersParts {
  readonly view: Pick<EngineView, "funds" | "account" | "asset">;
  readonly mails: Pick<MailRoom, "confirmWithdrawal" | "withdrawalsWrittenOf">;
  /** Derives a link's secret, and the hash that the journal has of it. */
  readonly confirmations: {
    readonly secretOf: (withdrawalId: string) => string;
    readonly hashOf: (secret: string) => string;
  };
  readonly log: Pick<Logger, "warn">;
}

type Withdrawal = WithdrawalRecord;

export class WithdrawalLetters {
  readonly #parts: WithdrawalLettersParts;

  constructor(parts: WithdrawalLettersParts) {
    this.#parts = parts;
  }

  /** Handles the events of an entry that is on disk. */
  applied({ timeMs }: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === "withdrawalChanged" && event.status === "emailSent") this.#write(event.withdrawal, timeMs);
    }
  }

  /** Writes letters that the last process did not. Call it once, when links work. Returns their number. */
  catchUp(nowMs: number): number {
    const { view, mails, log } = this.#parts;
    const written = mails.withdrawalsWrittenOf();
    const unwritten = view.funds
      .openWithdrawals()
      .filter(({ status, withdrawalId }) => status === "emailSent" && !written.has(withdrawalId));
    const count = unwritten.filter((withdrawal) => this.#write(withdrawal, nowMs)).length;
    if (count > 0) log.warn({ count }, "letters were written that the last run had not got to");
    return count;
  }

  /** Returns whether there was a letter to write. */
  #write(withdrawal: Withdrawal, nowMs: number): boolean {
    const { view, mails, confirmations } = this.#parts;
    const { withdrawalId, accountId, assetId, network, address, tag, amount, fee } = withdrawal;
    const leftMs = withdrawal.applyTimeMs + CONFIRMATION_LIFE_MS - nowMs;
    const secret = confirmations.secretOf(withdrawalId);
    // Release 0.1.0 drew secrets at random, so nobody can write such a letter again.
    if (leftMs <= 0 || confirmations.hashOf(secret) !== withdrawal.confirmationHash) return false;
    const { asset, precision } = view.asset(assetId).spec;
    mails.confirmWithdrawal({
      withdrawalId,
      secret,
      email: view.account(accountId)?.email ?? "",
      asset,
      network,
      address,
      tag,
      amount: formatDecimal(amount, precision),
      fee: formatDecimal(fee, precision),
      minutesLeft: Math.max(1, Math.round(leftMs / MINUTE_MS)),
    });
    return true;
  }
}
