/** Derives a confirmation email from the exchange's state alone, so a lost email can be written again. */
import {
  CONFIRMATION_LIFE_MS,
  type EngineView,
  formatDecimal,
  MINUTE_MS,
  type WithdrawalRecord,
} from "@pricetime/engine";
import type { WithdrawalToConfirm } from "./port.ts";

export interface LetterParts {
  readonly view: Pick<EngineView, "funds" | "account" | "asset">;
  /** Derives the secret of a link, and the hash that the journal stores. */
  readonly confirmations: {
    readonly secretOf: (withdrawalId: string) => string;
    readonly hashOf: (secret: string) => string;
  };
}

/** Undefined: there is no email to send. */
export function letterOf(
  withdrawal: WithdrawalRecord,
  nowMs: number,
  { view, confirmations }: LetterParts,
): WithdrawalToConfirm | undefined {
  const { withdrawalId, accountId, assetId, network, address, tag, amount, fee } = withdrawal;
  const leftMs = withdrawal.applyTimeMs + CONFIRMATION_LIFE_MS - nowMs;
  const secret = confirmations.secretOf(withdrawalId);
  // Release 0.1.0 drew secrets at random, so its emails cannot be written again.
  if (leftMs <= 0 || confirmations.hashOf(secret) !== withdrawal.confirmationHash) return undefined;
  const { asset, precision } = view.asset(assetId).spec;
  return {
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
  };
}
