/** Adjustments: money between a customer and an account of the venue, with a reason; never an edit of a balance. */
import type { RejectReason } from "../entry/reject.ts";
import type { Adjust } from "../entry/venue-command.ts";
import type { HouseAccount } from "../entry/venue-record.ts";
import { positiveUnitsOf } from "../funds/amount.ts";
import { DUST_ACCOUNT, FEE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger/posting.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

const HOUSES: Readonly<Record<HouseAccount, number>> = {
  treasury: TREASURY_ACCOUNT,
  fees: FEE_ACCOUNT,
  dust: DUST_ACCOUNT,
};

/** The treasury may owe, the venue's other accounts may not. */
export function adjust(state: ExchangeState, command: Adjust): RejectReason | null {
  const { accountId, direction, house, category, why, reference, by } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  if (state.moveReferences.has(reference)) return "ALREADY_EXISTS";
  const { assetId } = asset;
  const isCredit = direction === "credit";
  const [from, to] = isCredit ? [HOUSES[house], accountId] : [accountId, HOUSES[house]];
  if (from !== TREASURY_ACCOUNT && state.ledger.balance(from, assetId).free < amount) return "INSUFFICIENT_BALANCE";
  state.ledger.pay({ assetId, amount, from, to, reason: "adjustment" });
  state.moveReferences.add(reference);
  const moved = isCredit ? amount : -amount;
  state.emit({
    ...{ type: "balanceAdjusted", accountId, assetId, amount: moved },
    ...{ house, category, why, reference, by },
  });
  return null;
}
