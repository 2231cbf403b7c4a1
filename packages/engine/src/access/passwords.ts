/** Passwords: changed by their holders, and recovered by a mailed link. What is checked in the entry is what was seen. */
import type { AskRecovery, CancelRecovery, Recover, SetPassword } from "../entry/access-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_RECOVERY_LIFE_MS, RECOVERY_HOLD_MS } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { isHolderShared } from "./emails.ts";
import { knownHolder } from "./holders.ts";
import { closeOthers } from "./sessions.ts";

export function setPassword(state: ExchangeState, command: SetPassword): RejectReason | null {
  const { holder, was, sealedPassword, except } = command;
  const known = knownHolder(state, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (state.passwords.get(holder) !== was) return "PASSWORD_DIFFERS";
  state.passwords.set(holder, sealedPassword);
  state.emit({ type: "passwordSet", holder });
  closeOthers(state, holder, except);
  endRecovery(state, holder, "cancelled");
  state.owe("passwordChanged", known.email, { holder });
  return null;
}

/** Asked again, the first link stays good, and nobody can put it off by asking. */
export function askRecovery(state: ExchangeState, command: AskRecovery): RejectReason | null {
  const { holder, recoveryId, secretHash, fromMs, untilMs } = command;
  const known = knownHolder(state, holder);
  if (known === undefined || state.passwords.get(holder) === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (isHolderShared(state, holder)) return "EMAIL_SHARED";
  // Without a waiting time it begins when it was asked for, which is before the entry.
  if (untilMs <= Math.max(fromMs, state.nowMs)) return "INVALID_VALUE";
  if (untilMs > state.nowMs + MAX_RECOVERY_LIFE_MS) return "INVALID_VALUE";
  const open = state.recoveries.of(holder);
  if (open !== undefined && state.nowMs < open.untilMs) return "ALREADY_EXISTS";
  if (open !== undefined) state.recoveries.remove(open);
  state.recoveries.put({ holder, recoveryId, secretHash, askedMs: state.nowMs, fromMs, untilMs });
  state.emit({ type: "recoveryChanged", recoveryId, holder, status: "asked" });
  state.owe("recovery", known.email, { holder, recoveryId, fromMs: String(fromMs), untilMs: String(untilMs) });
  return null;
}

export function cancelRecovery(state: ExchangeState, { recoveryId }: CancelRecovery): RejectReason | null {
  const recovery = state.recoveries.get(recoveryId);
  if (recovery === undefined) return "UNKNOWN_RECOVERY";
  endRecovery(state, recovery.holder, "cancelled");
  return null;
}

export function recover(state: ExchangeState, command: Recover): RejectReason | null {
  const recovery = state.recoveries.get(command.recoveryId);
  if (recovery === undefined || state.nowMs >= recovery.untilMs) return "UNKNOWN_RECOVERY";
  if (recovery.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  if (state.nowMs < recovery.fromMs) return "TOO_SOON";
  const { holder } = recovery;
  const known = knownHolder(state, holder);
  if (known?.isEnabled !== true) return "NOT_PERMITTED";
  if (isHolderShared(state, holder)) return "EMAIL_SHARED";
  state.passwords.set(holder, command.sealedPassword, state.nowMs + RECOVERY_HOLD_MS);
  state.emit({ type: "passwordSet", holder });
  endRecovery(state, holder, "done");
  closeOthers(state, holder, null);
  state.owe("recovered", known.email, { holder });
  return null;
}

/** The link is good no more. */
export function endRecovery(state: ExchangeState, holder: string, status: "cancelled" | "done"): void {
  const recovery = state.recoveries.of(holder);
  if (recovery === undefined) return;
  state.recoveries.remove(recovery);
  state.emit({ type: "recoveryChanged", recoveryId: recovery.recoveryId, holder, status });
}
