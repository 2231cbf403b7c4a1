/** Operators' corrections of a customer's balance, and unattributed deposits. */
import type { RejectReason } from "../entry/reject.ts";
import type { Command } from "../entry/command.ts";
import type { HouseAccount } from "../entry/venue.ts";
import { isFinerThanCarried, positiveUnitsOf, unitsOf } from "../funds/networks.ts";
import { digestOfContents } from "../state/funds/used-ids.ts";
import { DUST_ACCOUNT, FEE_ACCOUNT, OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { MAX_UNKNOWN_DEPOSITS } from "../limits.ts";

const HOUSES: Readonly<Record<HouseAccount, number>> = {
  treasury: TREASURY_ACCOUNT,
  fees: FEE_ACCOUNT,
  dust: DUST_ACCOUNT,
};

function contentsOf(state: ExchangeState, command: Command<"adjust">): number {
  const { accountId, direction, house, category, why } = command;
  const asset = state.assetsByName.get(command.asset);
  const amount = asset === undefined ? null : positiveUnitsOf(state, asset, command.amount);
  const fields = ["adjust", accountId, asset?.assetId ?? null, direction, amount, house, category, why];
  return digestOfContents(state.edition, fields);
}

/** Compares the adjustment with an earlier command that has the same reference, like `UsedIds.repeat`. */
export function repeatOfAdjustment(state: ExchangeState, command: Command<"adjust">): RejectReason | null {
  return state.edition < 4 ? null : state.moveReferences.repeat(command.reference, contentsOf(state, command));
}

/** The treasury's balance may become negative, those of the other house accounts may not. */
export function adjust(state: ExchangeState, command: Command<"adjust">): RejectReason | null {
  const { accountId, direction, house, category, why, reference, by } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const { assetId } = asset;
  const contents = contentsOf(state, command);
  const repeat = state.moveReferences.repeat(reference, contents);
  if (repeat !== null) return repeat;
  const isCredit = direction === "credit";
  const [from, to] = isCredit ? [HOUSES[house], accountId] : [accountId, HOUSES[house]];
  if (from !== TREASURY_ACCOUNT && state.ledger.balance(from, assetId).free < amount) return "INSUFFICIENT_BALANCE";
  state.ledger.pay({ assetId, amount, from, to, reason: "adjustment" });
  state.moveReferences.add(reference, contents, state.seq);
  const moved = isCredit ? amount : -amount;
  state.emit({
    ...{ type: "balanceAdjusted", accountId, assetId, amount: moved },
    ...{ house, category, why, reference, by },
  });
  return null;
}

// Unattributed deposits: reported by a network's watcher or by an operator, and settled by operators.

export function noteUnknownDeposit(state: ExchangeState, command: Command<"noteUnknownDeposit">): RejectReason | null {
  if (state.funds.deposits.isTaken(command)) return state.edition < 4 ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  const repeat = state.unknownDeposits.repeat(command, state.edition);
  if (repeat !== null) return repeat;
  if (state.unknownDeposits.size >= MAX_UNKNOWN_DEPOSITS) return "TOO_MANY";
  const { network, txId, output, address, tag, coin, amount, reason } = command;
  const asset = state.assetsByName.get(coin);
  const units = asset && unitsOf(state, asset, amount);
  if (asset && units && isFinerThanCarried(state, asset, command, units)) return "DEPOSIT_NOT_A_MULTIPLE";
  const deposit = { network, txId, output, address, tag, coin, amount, reason, seenMs: state.nowMs };
  state.unknownDeposits.add(deposit);
  state.emit({ type: "unknownDepositChanged", deposit, status: "seen", accountId: null, why: "" });
  return null;
}

export function settleUnknownDeposit(
  state: ExchangeState,
  command: Command<"settleUnknownDeposit">,
): RejectReason | null {
  const deposit = state.unknownDeposits.get(command);
  const decision = contentsOfDecision(state, command);
  if (deposit === undefined) return repeatOfDecision(state, command) ?? "UNKNOWN_DEPOSIT";
  if (state.funds.deposits.isTaken(command)) return state.edition < 4 ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  const { how, why, toAccountId: accountId } = command;
  const reason = how === "dismiss" ? checkDismissal(command) : take(state, command);
  if (reason !== null) return reason;
  const { edition, seq } = state;
  state.unknownDeposits.end(deposit, how !== "dismiss", { edition, seq, decision });
  state.emit({ type: "unknownDepositChanged", deposit, status: how, accountId, why });
  return null;
}

/** Compares the decision with an earlier one on the same deposit, like `UsedIds.repeat`. */
export function repeatOfDecision(state: ExchangeState, command: Command<"settleUnknownDeposit">): RejectReason | null {
  if (state.edition < 4) return null;
  return state.unknownDeposits.repeatOfDecision(command, contentsOfDecision(state, command));
}

function contentsOfDecision(state: ExchangeState, command: Command<"settleUnknownDeposit">): number {
  const { how, toAccountId, why } = command;
  const asset = state.assetsByName.get(command.asset ?? "");
  const amount = asset === undefined ? null : positiveUnitsOf(state, asset, command.amount ?? "");
  return digestOfContents(state.edition, [how, toAccountId, command.asset, amount, why]);
}

function checkDismissal({
  toAccountId: accountId,
  asset,
  amount,
}: Command<"settleUnknownDeposit">): RejectReason | null {
  return accountId === null && asset === null && amount === null ? null : "INVALID_VALUE";
}

/** Posts the amount from outside to the treasury, and from there to the customer, if any. */
function take(state: ExchangeState, command: Command<"settleUnknownDeposit">): RejectReason | null {
  const { how, toAccountId: accountId, network, txId, output, why, by } = command;
  if ((how === "credit") !== (accountId !== null)) return "INVALID_VALUE";
  if (accountId !== null && state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const asset = state.assetsByName.get(command.asset ?? "");
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount ?? "");
  if (amount === null) return "INVALID_VALUE";
  const { assetId } = asset;
  state.ledger.pay({ assetId, amount, from: OUTSIDE_ACCOUNT, to: TREASURY_ACCOUNT, reason: "deposit" });
  if (accountId === null) return null;
  state.ledger.pay({ assetId, amount, from: TREASURY_ACCOUNT, to: accountId, reason: "adjustment" });
  const reference = `${network}/${txId}/${output}`;
  state.emit({
    ...{ type: "balanceAdjusted", accountId, assetId, amount },
    ...{ house: "treasury", category: "unknownDeposit", why, reference, by },
  });
  return null;
}

// Notes on accounts. They are stored in history and have no effect on the exchange.

export function noteAccount(
  state: ExchangeState,
  { accountId, text, by }: Command<"noteAccount">,
): RejectReason | null {
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  state.emit({ type: "accountNoted", accountId, text, by });
  return null;
}
