/**
 * Commission: each side of a fill pays from what it receives, or from the free balance of the venue's discount asset if
 * its account has chosen that. Interface 3.3.
 */
import type { Command, DiscountRules } from "../entry/command.ts";
import type { Fill } from "../entry/event.ts";
import type { RejectReason } from "../entry/reject.ts";
import { BPS_IN_WHOLE } from "../limits.ts";
import { CommissionDiscount } from "../state/commission-discount.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { FEE_ACCOUNT } from "../state/ledger.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";

export function commissionOf(received: bigint, bps: number): bigint {
  return bps === 0 ? 0n : (received * BigInt(bps)) / BPS_IN_WHOLE;
}

/** Takes the commission of a settled fill from the order's account, and returns the order's side of the trade. */
export function payCommission(state: ExchangeState, market: Market, order: Order, commission: bigint): Fill {
  const { accountId, side } = order;
  const receivedAssetId = side === "BUY" ? market.baseAssetId : market.quoteAssetId;
  const { discount } = state;
  if (discount !== null && commission > 0n && state.accounts.get(accountId)?.paysInDiscountAsset === true) {
    const amount = discountedCommission(state, discount, order, receivedAssetId, commission);
    if (amount !== null) {
      const { assetId } = discount;
      state.ledger.pay({ assetId, amount, from: accountId, to: FEE_ACCOUNT, reason: "commission" });
      // The order counts only what it paid of the asset that it received.
      order.reduceCommission(assetId === receivedAssetId ? commission - amount : commission);
      return { order: order.record(), commission: amount, commissionAssetId: assetId };
    }
  }
  state.ledger.pay({
    assetId: receivedAssetId,
    amount: commission,
    from: accountId,
    to: FEE_ACCOUNT,
    reason: "commission",
  });
  return { order: order.record(), commission, commissionAssetId: receivedAssetId };
}

/** The discounted commission of a fill; null if the fill pays in the asset received. */
function discountedCommission(
  state: ExchangeState,
  discount: CommissionDiscount,
  { accountId, symbolId }: Order,
  receivedAssetId: number,
  commission: bigint,
): bigint | null {
  if (!discount.appliesTo(symbolId)) return null;
  const amount = discount.amountFor(state, commission, receivedAssetId);
  if (amount === null || state.ledger.balance(accountId, discount.assetId).free < amount) return null;
  return amount;
}

/** Sets or removes the venue's discount. It applies from the next fill on, also to open orders. */
export function setCommissionDiscount(
  state: ExchangeState,
  { discount }: Command<"setCommissionDiscount">,
): RejectReason | null {
  if (state.edition < 5) return "INVALID_VALUE";
  const known = discount === null ? null : discountOf(state, discount);
  if (typeof known === "string") return known;
  state.discount = known;
  state.emit({ type: "done" });
  return null;
}

/** The discount with these rules, or what is wrong with them. */
export function discountOf(
  state: ExchangeState,
  { asset, factorBps, excludedSymbols }: DiscountRules,
): CommissionDiscount | RejectReason {
  const assetId = state.assetsByName.get(asset)?.assetId;
  if (assetId === undefined) return "UNKNOWN_ASSET";
  const excludedIds = new Set<number>();
  for (const symbol of excludedSymbols) {
    const market = state.marketsBySymbol.get(symbol);
    if (market === undefined) return "UNKNOWN_SYMBOL";
    excludedIds.add(market.symbolId);
  }
  if (excludedIds.size !== excludedSymbols.length) return "INVALID_VALUE";
  return new CommissionDiscount({ asset, factorBps, excludedSymbols }, assetId, excludedIds);
}
