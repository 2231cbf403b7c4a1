/** Dividends: the treasury pays the holders of an asset, pro rata. */
import { FIRST_CUSTOMER_ACCOUNT, TREASURY_ACCOUNT } from "../../state/ledger/posting.ts";
import { MAX_DIVIDEND_HOLDERS } from "../../limits.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import { positiveUnitsOf } from "../amount.ts";
import { digestOfContents } from "../../state/funds/used-ids.ts";
import type { DistributeDividend } from "../../entry/wallet-command.ts";

/** Shares are rounded down; holders whose share is zero are left out. */
export function distributeDividend(state: ExchangeState, command: DistributeDividend): RejectReason | null {
  const { reference, info } = command;
  const held = state.assetsByName.get(command.heldAsset);
  const paid = state.assetsByName.get(command.paidAsset);
  if (held === undefined || paid === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, paid, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const contents = digestOfContents(state.edition, [held.assetId, paid.assetId, amount, info]);
  const repeat = state.funds.distributed.repeat(reference, contents);
  if (repeat !== null) return repeat;
  const shares = sharesOf(state, held.assetId, amount);
  if (shares.length === 0) return "NO_HOLDERS";
  if (shares.length > MAX_DIVIDEND_HOLDERS) return "TOO_MANY";
  const { assetId } = paid;
  const total = shares.reduce((sum, share) => sum + share.amount, 0n);
  if (state.ledger.balance(TREASURY_ACCOUNT, assetId).free < total) return "TREASURY_SHORT";
  const tranId = ++state.funds.lastTranId;
  state.funds.distributed.add(reference, contents, state.seq, String(tranId));
  for (const share of shares) {
    state.ledger.pay({
      assetId,
      amount: share.amount,
      from: TREASURY_ACCOUNT,
      to: share.accountId,
      reason: "dividend",
    });
    state.emit({ type: "dividendPaid", tranId, assetId, info, ...share });
  }
  return null;
}

/** The share of each customer, by holdings before the payment. */
function sharesOf(state: ExchangeState, heldAssetId: number, amount: bigint) {
  const holders: { readonly accountId: number; readonly holding: bigint }[] = [];
  let total = 0n;
  for (let i = 0; i < state.accounts.size; i++) {
    const accountId = FIRST_CUSTOMER_ACCOUNT + i;
    const { free, locked } = state.ledger.balance(accountId, heldAssetId);
    const holding = free + locked;
    if (holding === 0n) continue;
    holders.push({ accountId, holding });
    total += holding;
  }
  return holders
    .map(({ accountId, holding }) => ({ accountId, amount: (amount * holding) / total }))
    .filter((share) => share.amount > 0n);
}
