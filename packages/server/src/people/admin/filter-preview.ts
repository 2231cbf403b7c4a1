/** Finds the open orders that new filters would reject. Each order is checked as if it were placed now. */
import {
  checksFor,
  compileFilters,
  type EngineView,
  failedFilter,
  hasPrice,
  INTERFACE_RULES,
  limitOf,
  type MarketView,
  NO_ORDER_LIST,
  type OrderRecord,
  type PercentPrice,
  type PriceBand,
  priceBand,
  pricesOf,
  type RejectReason,
  SYMBOL_COUNTS,
  type SymbolFilters,
  waitsForRise,
  waitsForStop,
} from "@pricetime/engine";
import type { Timers } from "../../platform/world/port.ts";
import { rejectionOf } from "./rejections.ts";

/** Maximum number of rejected orders in the result. */
const MAX_EXAMPLES = 20;
/** Number of accounts and orders checked per turn of the event loop. */
const LOOKED_AT_A_TURN = 500;

export interface Refused {
  readonly order: OrderRecord;
  readonly reason: RejectReason;
}

export interface FilterPreview {
  readonly openOrders: number;
  readonly refused: number;
  readonly byReason: Readonly<Record<string, number>>;
  /** The number of accounts with rejected orders. */
  readonly accounts: number;
  readonly examples: readonly Refused[];
  /** For each filter that limits the number of orders: how many accounts are above the limit. */
  readonly overCount: readonly { readonly filter: string; readonly accounts: number }[];
}

/** Checks the open orders against new filters. Throws `Rejection` if the exchange would not accept the filters. */
export async function previewFilters(
  view: EngineView,
  market: MarketView,
  {
    filters,
    nowMs,
    timers,
  }: { readonly filters: SymbolFilters; readonly nowMs: number; readonly timers: Pick<Timers, "soon"> },
): Promise<FilterPreview> {
  const judge = judgeOf(view, market, filters, nowMs);
  const byReason: Record<string, number> = {};
  const examples: Refused[] = [];
  const over = SYMBOL_COUNTS.flatMap((one) => {
    const limit = limitOf(filters, one);
    return limit === undefined ? [] : [{ filter: one.name, of: one.counts, limit, accounts: 0 }];
  });
  let [openOrders, refused, accounts, looked] = [0, 0, 0, 0];
  const isTurnOver = (): boolean => ++looked % LOOKED_AT_A_TURN === 0;
  const nextTurn = (): Promise<void> => new Promise((resolve) => timers.soon(resolve));
  for (const { accountId } of view.accounts()) {
    const before = refused;
    const counts = { open: 0, algo: 0, iceberg: 0, lists: 0 };
    const lists = new Set<number>();
    // A market maker may have many orders, so they are collected in one turn and checked in several.
    const orders: OrderRecord[] = [];
    let boughtLots = 0n;
    view.visitOpenOrders(accountId, market.symbolId, (order) => {
      orders.push(order);
      const { side, quantityLots, executedLots, preventedLots = 0 } = order;
      if (side === "BUY") boughtLots += BigInt(quantityLots - executedLots - preventedLots);
    });
    // The open orders contain the order that is checked.
    const position = (): bigint => ownLots(view, market, accountId) + boughtLots;
    for (const order of orders) {
      openOrders++;
      counts.open++;
      if (waitsForStop(order.type)) counts.algo++;
      if (order.icebergLots !== 0) counts.iceberg++;
      if (order.orderListId !== NO_ORDER_LIST) lists.add(order.orderListId);
      const reason = judge(order, position);
      if (reason !== null) {
        refused++;
        byReason[reason] = (byReason[reason] ?? 0) + 1;
        if (examples.length < MAX_EXAMPLES) examples.push({ order, reason });
      }
      if (isTurnOver()) await nextTurn();
    }
    counts.lists = lists.size;
    if (refused > before) accounts++;
    for (const one of over) if (counts[one.of] > one.limit) one.accounts++;
    if (isTurnOver()) await nextTurn();
  }
  const overCount = over.flatMap(({ filter, accounts: n }) => (n === 0 ? [] : [{ filter, accounts: n }]));
  return { openOrders, refused, byReason, accounts, examples, overCount };
}

/** The base asset that an account has, free and locked, in lots, rounded up. */
function ownLots(view: EngineView, { baseAssetId, scale }: MarketView, accountId: number): bigint {
  const { free, locked } = view.balance(accountId, baseAssetId);
  const lotUnits = 10n ** BigInt(view.asset(baseAssetId).spec.precision - scale.quantityDecimals);
  return (free + locked + lotUnits - 1n) / lotUnits;
}

type Judge = (order: OrderRecord, position: () => bigint) => RejectReason | null;

function judgeOf(view: EngineView, market: MarketView, filters: SymbolFilters, nowMs: number): Judge {
  const compiled = compileFilters(
    filters,
    market.scale,
    view.asset(market.quoteAssetId).spec.precision,
    INTERFACE_RULES[view.interface].stepOrigin,
  );
  if (compiled === null) throw rejectionOf("INVALID_VALUE");
  const bands = new Map<PercentPrice, PriceBand>();
  const atAverage = {
    filterPrice: (mins: number) => market.filterPrice(mins, nowMs),
    percentBand(filter: PercentPrice): PriceBand {
      const band = bands.get(filter) ?? priceBand(filter, market.filterPrice(filter.avgPriceMins, nowMs));
      bands.set(filter, band);
      return band;
    },
  };
  return (order, position) => {
    const { side, type, stopTicks, trailingDelta = 0, icebergLots, quantityLots: lots } = order;
    // An order that waits to sell what another one buys has no quantity yet.
    if (lots === 0) return null;
    const { pegTo = "NONE", pegLevel = 0, peggedTicks = 0 } = order;
    const peg = pegTo === "NONE" ? null : { to: pegTo, level: pegLevel };
    const reasons = pricesOf({ sentTicks: order.priceTicks, peggedTicks }).map((priceTicks) =>
      failedFilter(checksFor(compiled, { peg, priceTicks }), {
        ...{ side, hasPrice: hasPrice(type), waitsForStop: waitsForStop(type), waitsForRise: waitsForRise(type, side) },
        ...{ priceTicks, stopTicks, trailingDelta, icebergLots },
        ...{ quoteOrderQty: 0n, lots, hasQuantity: true, market: atAverage, position, nowMs, amendCount: 0 },
      }),
    );
    return reasons.find((reason) => reason !== null) ?? null;
  };
}
