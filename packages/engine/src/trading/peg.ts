/** The prices of pegged orders, which are taken from the book once, when an order enters the market. Decision 107. */
import type { Peg, PlaceOrder } from "../entry/command.ts";
import { hasPrice, opposite, priceInEffect, type Side, waitsForStop } from "../entry/order-record.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_PEG_LEVEL } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Pegging } from "../state/order/pegging.ts";
import { present } from "../assert.ts";

/** An order to place. A pegged order that enters the market has `pegging`, and the price in effect as `priceTicks`. */
export type Placing = PlaceOrder & { readonly pegging?: Pegging };

/** The price of the peg's level; 0 if the book has too few levels. */
export function pegTicks({ book }: Market, side: Side, { to, level }: Peg): number {
  return book.levelTicks(to === "PRIMARY_PEG" ? side : opposite(side), level);
}

/**
 * The order as it enters the market now; null if the book lacks the level of its peg. A stop order takes its price later,
 * when it is triggered.
 */
export function priced(market: Market, command: PlaceOrder): Placing | null {
  const { peg = null, side, orderType, priceTicks: sentTicks } = command;
  if (peg === null || waitsForStop(orderType)) return command;
  const peggedTicks = pegTicks(market, side, peg);
  if (peggedTicks === 0) return null;
  const priceTicks = priceInEffect({ side, priceTicks: sentTicks, peggedTicks });
  return { ...command, priceTicks, pegging: { ...peg, sentTicks, peggedTicks } };
}

/** Like `priced`, for an order that was checked by `checkPegged`. */
export function entering(market: Market, command: PlaceOrder): Placing {
  return present(priced(market, command), "the level of a checked order exists");
}

/** The state of a new order's peg; null for an order that is not pegged. */
export function peggingOf({ peg = null, priceTicks, pegging }: Placing): Pegging | null {
  return pegging ?? (peg === null ? null : { ...peg, sentTicks: priceTicks, peggedTicks: 0 });
}

/** The order as it enters the market now, or why it cannot be pegged. */
export function checkPegged(state: ExchangeState, market: Market, command: PlaceOrder): Placing | RejectReason {
  if ((command.peg ?? null) === null) return command;
  return checkPeg(state, market, command) ?? priced(market, command) ?? "PEG_LEVEL_MISSING";
}

/** Checks whether the symbol and the type of the order allow its peg. */
export function checkPeg(
  { edition }: ExchangeState,
  { spec }: Market,
  { peg = null, orderType, timeInForce }: PlaceOrder,
): RejectReason | null {
  if (peg === null) return null;
  if (edition < 5 || spec.pegInstructionsAllowed === false) return "PEG_NOT_SUPPORTED";
  if (!hasPrice(orderType)) return "PEG_ORDER_TYPE";
  if (orderType === "LIMIT_MAKER" && peg.to === "MARKET_PEG") return "PEG_PRICE_TYPE";
  if (orderType === "LIMIT" && peg.to === "PRIMARY_PEG" && timeInForce !== "GTC") return "PEG_PRICE_TYPE";
  return peg.level > MAX_PEG_LEVEL ? "UNSUPPORTED_COMBINATION" : null;
}

/** The prices that filters check: the one that the client sent, and the one from the book. 0 stands for none so far. */
export function pricesOf({ sentTicks, peggedTicks }: Pick<Pegging, "sentTicks" | "peggedTicks">): readonly number[] {
  const known = [sentTicks, peggedTicks].filter((ticks) => ticks !== 0);
  return known.length === 0 ? [0] : known;
}
