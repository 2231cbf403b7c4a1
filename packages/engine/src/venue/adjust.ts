/** Adjustments: money between a customer and an account of the venue, with a reason; never an edit of a balance. */
import type { RejectReason } from "../entry/reject.ts";
import type { Adjust } from "../entry/venue-command.ts";
import type { HouseAccount } from "../entry/venue-record.ts";
import { positiveUnitsOf } from "../funds/amount.ts";
import { digestOfContents } from "../state/funds/used-ids.ts";
import { DUST_ACCOUNT, FEE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger/posting.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

const HOUSES: Readonly<Record<HouseAccount, number>> = {
  treasury: TREASURY_ACCOUNT,
  fees: FEE_ACCOUNT,
  dust: DUST_ACCOUNT,
};

function contentsOf(state: ExchangeState, command: Adjust): number {
  const { accountId, direction, house, category, why } = command;
  const asset = state.assetsByName.get(command.asset);
  const amount = asset === undefined ? null : positiveUnitsOf(state, asset, command.amount);
  const fields = ["adjust", accountId, asset?.assetId ?? null, direction, amount, house, category, why];
  return digestOfContents(state.edition, fields);
}

/** How the adjustment compares with what its reference has moved before: as `UsedIds.repeat`. */
export function repeatOfAdjustment(state: ExchangeState, command: Adjust): RejectReason | null {
  return state.edition < 4 ? null : state.moveReferences.repeat(command.reference, contentsOf(state, command));
}

/** The treasury may owe, the venue's other accounts may not. */
export function adjust(state: ExchangeState, command: Adjust): RejectReason | null {
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
