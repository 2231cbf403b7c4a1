/** Emails for withdrawals that await confirmation, derived from the exchange's state. */
import type { EngineView, WithdrawalRecord } from "@pricetime/engine";
import { confirmationMail } from "./confirmation.ts";
import { type LetterParts, letterOf } from "./letter-of.ts";
import { mailIdOf, type OwedLetter, type OwedLetters } from "./owed-letter.ts";

export interface OwedConfirmationsParts extends LetterParts {
  readonly view: Pick<EngineView, "funds" | "account" | "asset">;
  readonly publicUrl: () => string;
}

export class OwedConfirmations implements OwedLetters {
  readonly #parts: OwedConfirmationsParts;

  constructor(parts: OwedConfirmationsParts) {
    this.#parts = parts;
  }

  *all(): Iterable<OwedLetter> {
    for (const withdrawal of this.#parts.view.funds.openWithdrawals()) {
      if (withdrawal.status === "emailSent") yield this.#letter(withdrawal);
    }
  }

  find(key: string): OwedLetter | undefined {
    const withdrawal = this.#parts.view.funds.withdrawal(key);
    return withdrawal?.status === "emailSent" ? this.#letter(withdrawal) : undefined;
  }

  #letter(withdrawal: WithdrawalRecord): OwedLetter {
    const { withdrawalId, applyTimeMs: createdMs } = withdrawal;
    const parts = this.#parts;
    return {
      key: withdrawalId,
      mailId: mailIdOf(createdMs, withdrawalId),
      createdMs,
      status: parts.view.funds.letter(withdrawalId),
      write: (nowMs) => {
        const letter = letterOf(withdrawal, nowMs, parts);
        return letter && confirmationMail(letter, parts.publicUrl());
      },
      step: (from, to, by) => ({ type: "changeLetter", withdrawalId, from, to, ...(by !== undefined && { by }) }),
      endsByItself: true,
      canBeSentAgain: true,
    };
  }
}
