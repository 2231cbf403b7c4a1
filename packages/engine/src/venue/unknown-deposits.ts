/** Coins that came and are nobody's: told by a network's watcher or by an operator, and settled by operators. */
import type { RejectReason } from "../entry/reject.ts";
import type { NoteUnknownDeposit, SettleUnknownDeposit } from "../entry/venue-command.ts";
import { positiveUnitsOf } from "../funds/amount.ts";
import { MAX_UNKNOWN_DEPOSITS } from "../limits.ts";
import { OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger/posting.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function noteUnknownDeposit(state: ExchangeState, command: NoteUnknownDeposit): RejectReason | null {
  if (state.funds.deposits.isTaken(command) || state.unknownDeposits.isTaken(command)) return "ALREADY_EXISTS";
  if (state.unknownDeposits.size >= MAX_UNKNOWN_DEPOSITS) return "TOO_MANY";
  const { network, txId, output, address, tag, coin, amount, reason } = command;
  const deposit = { network, txId, output, address, tag, coin, amount, reason, seenMs: state.nowMs };
  state.unknownDeposits.add(deposit);
  state.emit({ type: "unknownDepositChanged", deposit, status: "seen", accountId: null, why: "" });
  return null;
}

export function settleUnknownDeposit(state: ExchangeState, command: SettleUnknownDeposit): RejectReason | null {
  const deposit = state.unknownDeposits.get(command);
  if (deposit === undefined) return "UNKNOWN_DEPOSIT";
  if (state.funds.deposits.isTaken(command)) return "ALREADY_EXISTS";
  const { how, why, toAccountId: accountId } = command;
  const reason = how === "dismiss" ? checkDismissal(command) : take(state, command);
  if (reason !== null) return reason;
  if (how === "dismiss") state.unknownDeposits.dismiss(deposit);
  else state.unknownDeposits.settle(deposit);
  state.emit({ type: "unknownDepositChanged", deposit, status: how, accountId, why });
  return null;
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
