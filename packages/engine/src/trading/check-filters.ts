/** The symbol's filters of prices and quantities, in the order in which failures are reported. Interface 2.8. */
import type { PlaceOrder } from "../entry/command.ts";
import { MAX_ICEBERG_PARTS } from "../limits.ts";
import { passesLotSize } from "../state/market/filters/lot-size.ts";
import { reachesNotional, reachesNotionalAtAverage } from "../state/market/filters/min-notional.ts";
import { passesPriceFilter } from "../state/market/filters/price-filter.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import { lotsForQuote, lotsToCheck } from "./market-order.ts";
import { hasPrice, opposite, waitsForStop } from "../entry/order-words.ts";

export function checkFilters(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  return checkPrices(market, command, nowMs) ?? checkQuantity(market, command, nowMs);
}

function checkPrices(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  const { orderType, priceTicks, stopTicks } = command;
  const { price, percentPrice } = market.filters;
  if (hasPrice(orderType)) {
    if (priceTicks <= 0 || (price !== null && !passesPriceFilter(price, priceTicks))) return "PRICE_FILTER";
  }
  if (waitsForStop(orderType)) {
    if (stopTicks <= 0 || (price !== null && !passesPriceFilter(price, stopTicks))) return "PRICE_FILTER";
  }
  if (percentPrice !== null && hasPrice(orderType)) {
    const { lowestTicks, highestTicks } = market.percentBand(percentPrice, nowMs);
    if (priceTicks < lowestTicks || priceTicks > highestTicks) return "PERCENT_PRICE";
  }
  return null;
}

function checkQuantity(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  const byQuote = command.quoteOrderQty > 0n;
  if (!byQuote && command.quantityLots === 0) return "INVALID_QUANTITY";
  const lots = byQuote ? quantityByQuote(market, command) : command.quantityLots;
  const { lotSize, marketLotSize, icebergParts } = market.filters;
  // An order by quote that finds the book empty has no quantity to check, and expires.
  const hasQuantity = !byQuote || market.book.bestTicks(opposite(command.side)) !== 0;
  if (hasQuantity) {
    if (lots <= 0 || (lotSize !== null && !passesLotSize(lotSize, lots))) return "LOT_SIZE";
    if (command.icebergLots !== 0 && !passesIcebergLots(market, command)) return "LOT_SIZE";
  }
  if (!meetsNotional(market, command, lots, nowMs)) return "MIN_NOTIONAL";
  if (command.icebergLots > 0) {
    const most = Math.min(icebergParts ?? MAX_ICEBERG_PARTS, MAX_ICEBERG_PARTS);
    if (partsOf(lots, command.icebergLots) > most) return "ICEBERG_PARTS";
  }
  if (marketLotSize !== null && hasQuantity && !hasPrice(command.orderType)) {
    if (!passesLotSize(marketLotSize, lots)) return "MARKET_LOT_SIZE";
  }
  return null;
}

/** A quantity for the filters: that of the order or, if every filter treats it alike, a smaller one. */
function quantityByQuote(market: Market, { orderType, side, quoteOrderQty, icebergLots }: PlaceOrder): number {
  const isSound = orderType === "MARKET" && icebergLots === 0;
  return isSound ? lotsToCheck(market, side, quoteOrderQty) : lotsForQuote(market, side, quoteOrderQty);
}

function passesIcebergLots(market: Market, command: PlaceOrder): boolean {
  const { lotSize } = market.filters;
  return command.icebergLots > 0 && (lotSize === null || passesLotSize(lotSize, command.icebergLots));
}

/** CEIL(quantity / icebergQty), in integers. */
function partsOf(lots: number, icebergLots: number): number {
  const rest = lots % icebergLots;
  return (lots - rest) / icebergLots + (rest === 0 ? 0 : 1);
}

/** Orders without a price are checked at the average price; one that waits may pass before the first trade. */
function meetsNotional(market: Market, command: PlaceOrder, lots: number, nowMs: number): boolean {
  const { minNotional } = market.filters;
  if (minNotional === null) return true;
  if (hasPrice(command.orderType)) {
    return reachesNotional(minNotional, command.priceTicks, lots);
  }
  if (!minNotional.applyToMarket) return true;
  const average = market.averagePrice(minNotional.avgPriceMins, nowMs);
  if (average.denominator === 0n) return waitsForStop(command.orderType);
  if (command.quoteOrderQty > 0n) return command.quoteOrderQty >= minNotional.minimum;
  return reachesNotionalAtAverage(minNotional, market.quoteScale, average, lots);
}
