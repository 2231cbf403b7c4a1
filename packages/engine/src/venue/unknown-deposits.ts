/** Coins that came and are nobody's: told by a network's watcher or by an operator, and settled by operators. */
import type { RejectReason } from "../entry/reject.ts";
import type { NoteUnknownDeposit, SettleUnknownDeposit } from "../entry/venue-command.ts";
import { positiveUnitsOf, unitsOf } from "../funds/amount.ts";
import { isFinerThanCarried } from "../funds/networks.ts";
import { MAX_UNKNOWN_DEPOSITS } from "../limits.ts";
import { digestOfContents } from "../state/funds/used-ids.ts";
import { OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger/posting.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function noteUnknownDeposit(state: ExchangeState, command: NoteUnknownDeposit): RejectReason | null {
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

export function settleUnknownDeposit(state: ExchangeState, command: SettleUnknownDeposit): RejectReason | null {
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

/** How the decision compares with the one that was made on the deposit: as `UsedIds.repeat`. */
export function repeatOfDecision(state: ExchangeState, command: SettleUnknownDeposit): RejectReason | null {
  if (state.edition < 4) return null;
  return state.unknownDeposits.repeatOfDecision(command, contentsOfDecision(state, command));
}

function contentsOfDecision(state: ExchangeState, command: SettleUnknownDeposit): number {
  const { how, toAccountId, why } = command;
  const asset = state.assetsByName.get(command.asset ?? "");
  const amount = asset === undefined ? null : positiveUnitsOf(state, asset, command.amount ?? "");
  return digestOfContents(state.edition, [how, toAccountId, command.asset, amount, why]);
}

function checkDismissal({ toAccountId: accountId, asset, amount }: SettleUnknownDeposit): RejectReason | null {
  return accountId === null && asset === null && amount === null ? null : "INVALID_VALUE";
}

/** The coins came from outside, and are the treasury's before they are a customer's. */
function take(state: ExchangeState, command: SettleUnknownDeposit): RejectReason | null {
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
