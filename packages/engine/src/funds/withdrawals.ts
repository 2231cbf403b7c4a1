/**
 * The life of a withdrawal. Interface 2.10, 3.6:
 * 0 emailSent -> 2 awaitingApproval -> 4 processing -> 6 completed; 0, 2 -> 1 cancelled; 2 -> 3 rejected;
 * 4 -> 5 failed. Its money is locked from the request on, and released at 1, 3 and 5.
 */
import { FEE_ACCOUNT, OUTSIDE_ACCOUNT } from "../state/ledger.ts";
import { MAX_SIGNATURES } from "../limits.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Command } from "../entry/command.ts";
import type { WithdrawalRecord, WithdrawalStatus } from "../entry/wallet-record.ts";
import { noted, unitsOf } from "./networks.ts";
import { approvalOf, checkWithdrawal, count, countBack, type Payout, waitsForMail } from "./withdrawal-checks.ts";
import { confirmableUntilMs } from "../state/funds/withdrawals.ts";

export function requestWithdrawal(state: ExchangeState, command: Command<"requestWithdrawal">): RejectReason | null {
  const payout = checkWithdrawal(state, command);
  if (typeof payout === "string") return payout;
  const withdrawal = newWithdrawal(state, command, payout);
  const { accountId, assetId, amount } = withdrawal;
  state.ledger.lock(accountId, assetId, amount);
  state.funds.withdrawals.add(withdrawal, payout.contents, state.seq);
  count(state, withdrawal);
  const { totpStep } = command;
  if (payout.account.sealedTotp !== null && totpStep !== null) state.funds.totpSteps.set(accountId, totpStep);
  emitWithdrawal(state, withdrawal, "");
  return null;
}

function newWithdrawal(state: ExchangeState, command: Command<"requestWithdrawal">, payout: Payout): WithdrawalRecord {
  const { account, asset, network, amount, fee } = payout;
  const { needsApproval, ...approval } = approvalOf(state, payout);
  return {
    withdrawalId: command.withdrawalId,
    accountId: account.accountId,
    assetId: asset.assetId,
    network: network.network,
    address: command.address,
    tag: command.tag,
    amount,
    fee,
    name: command.name,
    withdrawOrderId: command.withdrawOrderId,
    applyTimeMs: state.nowMs,
    confirmationHash: command.confirmationHash,
    needsApproval,
    status: waitsForMail(account, network, command) ? "emailSent" : afterMail(needsApproval),
    updateTimeMs: state.nowMs,
    txId: "",
    nonce: -1,
    signedTx: "",
    txIds: [],
    ...approval,
  };
}

function afterMail(needsApproval: boolean): WithdrawalStatus {
  return needsApproval ? "awaitingApproval" : "processing";
}

export function confirmWithdrawal(state: ExchangeState, command: Command<"confirmWithdrawal">): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "emailSent");
  if (typeof withdrawal === "string") return withdrawal;
  if (command.confirmationHash !== withdrawal.confirmationHash) return "WRONG_CONFIRMATION";
  if (state.nowMs >= confirmableUntilMs(withdrawal)) return "WRONG_CONFIRMATION";
  advance(state, withdrawal, afterMail(withdrawal.needsApproval));
  return null;
}

export function cancelWithdrawal(state: ExchangeState, command: Command<"cancelWithdrawal">): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "emailSent", "awaitingApproval");
  if (typeof withdrawal === "string") return withdrawal;
  if (withdrawal.accountId !== command.accountId) return "UNKNOWN_WITHDRAWAL";
  endAndRelease(state, noted(withdrawal, command), "cancelled", "");
  return null;
}

/** Cancels the account's requested withdrawals whose payment has not started. */
export function cancelUnsent(state: ExchangeState, accountId: number): void {
  for (const withdrawal of [...state.funds.withdrawals.of(accountId)]) {
    if (withdrawal.status !== "processing") endAndRelease(state, withdrawal, "cancelled", "");
  }
}

/**
 * Changes only the state of the email. It moves no money, and the withdrawal still waits for the customer to follow the
 * link.
 */
export function changeLetter(
  state: ExchangeState,
  { withdrawalId, from, to }: Command<"changeLetter">,
): RejectReason | null {
  const withdrawal = inStatus(state, withdrawalId, "emailSent");
  if (typeof withdrawal === "string") return withdrawal;
  const { withdrawals } = state.funds;
  if (withdrawals.letter(withdrawalId) !== from) return "WRONG_STATUS";
  withdrawals.setLetter(withdrawalId, to);
  state.emit({ type: "letterChanged", withdrawalId, status: to });
  return null;
}

/** Cancels the withdrawals that were not confirmed in time. */
export function expireWithdrawals(state: ExchangeState): void {
  const { withdrawals } = state.funds;
  for (let first = withdrawals.firstUnconfirmed(); first !== undefined; first = withdrawals.firstUnconfirmed()) {
    if (state.nowMs < confirmableUntilMs(first)) return;
    endAndRelease(state, first, "cancelled", "");
  }
}

export function approveWithdrawal(state: ExchangeState, command: Command<"approveWithdrawal">): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "awaitingApproval");
  if (typeof withdrawal === "string") return withdrawal;
  if (!isAsShown(state, withdrawal, command)) return "WITHDRAWAL_DIFFERS";
  advance(state, noted(withdrawal, command), "processing");
  return null;
}

/** Whether the withdrawal is the one that was shown to the operator. Fields that the command omits are not compared. */
function isAsShown(
  state: ExchangeState,
  withdrawal: WithdrawalRecord,
  { amount, fee, address, tag }: Command<"approveWithdrawal">,
): boolean {
  const asset = state.assetOf(withdrawal.assetId);
  const isSum = (shown: string | undefined, units: bigint): boolean =>
    shown === undefined || unitsOf(state, asset, shown) === units;
  return (
    isSum(amount, withdrawal.amount) &&
    isSum(fee, withdrawal.fee) &&
    (address ?? withdrawal.address) === withdrawal.address &&
    (tag ?? withdrawal.tag) === withdrawal.tag
  );
}

export function rejectWithdrawal(state: ExchangeState, command: Command<"rejectWithdrawal">): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "awaitingApproval");
  if (typeof withdrawal === "string") return withdrawal;
  endAndRelease(state, noted(withdrawal, command), "rejected", command.why);
  return null;
}

/** Accepts further transactions only with the same nonce, of which a chain accepts at most one. */
export function signWithdrawal(state: ExchangeState, command: Command<"signWithdrawal">): RejectReason | null {
  const { txId, nonce, signedTx } = command;
  const withdrawal = inStatus(state, command.withdrawalId, "processing");
  if (typeof withdrawal === "string") return withdrawal;
  if (isStopped(state, withdrawal)) return "STOPPED";
  if (withdrawal.txIds.length > 0 && withdrawal.nonce !== nonce) return "TRANSACTION_DIFFERS";
  if (withdrawal.txIds.includes(txId)) return "ALREADY_EXISTS";
  if (withdrawal.txIds.length >= MAX_SIGNATURES) return "TOO_MANY";
  const signed = { ...withdrawal, txId, nonce, signedTx, txIds: [...withdrawal.txIds, txId] };
  advance(state, noted(signed, command), "processing");
  return null;
}

/** No withdrawal is signed while withdrawals are suspended. A withdrawal that was signed before may still arrive. */
function isStopped(state: ExchangeState, { assetId, network }: WithdrawalRecord): boolean {
  return state.stops.stopsWithdrawing(state.assetOf(assetId).spec.asset, network, state.nowMs);
}

/** A withdrawal that was never signed was paid by an operator, who may name any transaction. */
export function completeWithdrawal(state: ExchangeState, command: Command<"completeWithdrawal">): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "processing");
  if (typeof withdrawal === "string") return withdrawal;
  const { accountId, assetId, amount, fee, txIds } = withdrawal;
  if (txIds.length > 0 && !txIds.includes(command.txId)) return "TRANSACTION_DIFFERS";
  state.ledger.payLocked({ assetId, amount: amount - fee, from: accountId, to: OUTSIDE_ACCOUNT, reason: "withdrawal" });
  state.ledger.payLocked({ assetId, amount: fee, from: accountId, to: FEE_ACCOUNT, reason: "withdrawalFee" });
  end(state, noted({ ...withdrawal, txId: command.txId }, command), "completed", "");
  return null;
}

export function failWithdrawal(state: ExchangeState, command: Command<"failWithdrawal">): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "processing");
  if (typeof withdrawal === "string") return withdrawal;
  if (state.edition >= 2 && withdrawal.txIds.length > 0) return "ALREADY_SIGNED";
  endAndRelease(state, noted(withdrawal, command), "failed", command.why);
  return null;
}

/** Compares only the transaction that was signed last, because the list of signed transactions only grows. */
export function failSignedWithdrawal(
  state: ExchangeState,
  command: Command<"failSignedWithdrawal">,
): RejectReason | null {
  const withdrawal = inStatus(state, command.withdrawalId, "processing");
  if (typeof withdrawal === "string") return withdrawal;
  if (withdrawal.txId !== command.txId || withdrawal.nonce !== command.nonce) return "TRANSACTION_DIFFERS";
  endAndRelease(state, noted(withdrawal, command), "failed", command.why);
  return null;
}

function inStatus(
  state: ExchangeState,
  withdrawalId: string,
  ...statuses: readonly WithdrawalStatus[]
): WithdrawalRecord | RejectReason {
  const withdrawal = state.funds.withdrawals.find(withdrawalId);
  if (typeof withdrawal === "string") return withdrawal;
  return statuses.includes(withdrawal.status) ? withdrawal : "WRONG_STATUS";
}

/** Ends the withdrawal, releases its money, and subtracts it from the sums of the limits. */
function endAndRelease(
  state: ExchangeState,
  withdrawal: WithdrawalRecord,
  status: WithdrawalStatus,
  why: string,
): void {
  state.ledger.release(withdrawal.accountId, withdrawal.assetId, withdrawal.amount);
  countBack(state, withdrawal);
  end(state, withdrawal, status, why);
}

function end(state: ExchangeState, withdrawal: WithdrawalRecord, status: WithdrawalStatus, why: string): void {
  state.funds.withdrawals.close(withdrawal);
  emitWithdrawal(state, { ...withdrawal, status, updateTimeMs: state.nowMs }, why);
}

function advance(state: ExchangeState, withdrawal: WithdrawalRecord, status: WithdrawalStatus): void {
  const advanced = { ...withdrawal, status, updateTimeMs: state.nowMs };
  state.funds.withdrawals.advance(advanced);
  emitWithdrawal(state, advanced, "");
}

function emitWithdrawal(state: ExchangeState, withdrawal: WithdrawalRecord, why: string): void {
  const { status, txId } = withdrawal;
  state.emit({ type: "withdrawalChanged", withdrawal, status, txId, why });
}
