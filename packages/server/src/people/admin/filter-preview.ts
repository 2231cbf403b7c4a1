/**
 * Which open orders would be refused under other filters. An engine of its own, with the symbol and nothing else, gets the
 * filters and checks each order as if it were placed: the rules are the exchange's own, and nothing of it changes. The one
 * filter that needs the market's trades, PERCENT_PRICE, is judged here.
 */
import {
  ADOPT_NEWEST_RULES,
  type AveragePriceView,
  type Command,
  Engine,
  type EngineView,
  type MarketView,
  type OrderRecord,
  parseDecimal,
  type RejectReason,
  type SymbolFilters,
} from "@pricetime/engine";
import type { Timers } from "../../platform/world/port.ts";
import { rejectionOf } from "./rejections.ts";

const BY = "preview";
/** The orders that are told of those that would be refused. */
const MAX_EXAMPLES = 20;
/** The accounts, or orders, that are looked at in one turn of the event loop. */
const LOOKED_AT_A_TURN = 500;
/** Multipliers have eight places. */
const PLACES = 8;
const WHOLE = 10n ** BigInt(PLACES);

/** What a filter can say of an order by itself; counts are told apart. */
const OF_FILTERS: ReadonlySet<RejectReason> = new Set([
  ...(["PRICE_FILTER", "PERCENT_PRICE", "LOT_SIZE", "MIN_NOTIONAL", "ICEBERG_PARTS", "MARKET_LOT_SIZE"] as const),
]);

export interface Refused {
  readonly order: OrderRecord;
  readonly reason: RejectReason;
}

export interface FilterPreview {
  readonly openOrders: number;
  readonly refused: number;
  readonly byReason: Readonly<Record<string, number>>;
  /** The accounts that have refused orders. */
  readonly accounts: number;
  readonly examples: readonly Refused[];
  /** The accounts that have more open orders than a filter of counts allows. */
  readonly overCount: readonly { readonly filter: string; readonly accounts: number }[];
}

/** Throws `Rejection` where the exchange would refuse the filters. */
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
  const over = countFilters(filters);
  let [openOrders, refused, accounts, looked] = [0, 0, 0, 0];
  const isTurnOver = (): boolean => ++looked % LOOKED_AT_A_TURN === 0;
  const nextTurn = (): Promise<void> => new Promise((resolve) => timers.soon(resolve));
  for (const { accountId } of view.accounts()) {
    const before = refused;
    const counts = { open: 0, algo: 0, iceberg: 0 };
    // A market maker may have any number: they are taken at one moment, and judged a part at a time.
    const orders: OrderRecord[] = [];
    view.visitOpenOrders(accountId, market.symbolId, (order) => orders.push(order));
    for (const order of orders) {
      openOrders++;
      counts.open++;
      if (order.stopTicks !== 0) counts.algo++;
      if (order.icebergLots !== 0) counts.iceberg++;
      const reason = judge(order);
      if (reason !== null) {
        refused++;
        byReason[reason] = (byReason[reason] ?? 0) + 1;
        if (examples.length < MAX_EXAMPLES) examples.push({ order, reason });
      }
      if (isTurnOver()) await nextTurn();
    }
    if (refused > before) accounts++;
    for (const one of over) if (counts[one.of] > one.limit) one.accounts++;
    if (isTurnOver()) await nextTurn();
  }
  const overCount = over.flatMap(({ filter, accounts: n }) => (n === 0 ? [] : [{ filter, accounts: n }]));
  return { openOrders, refused, byReason, accounts, examples, overCount };
}

type Judge = (order: OrderRecord) => RejectReason | null;

function judgeOf(view: EngineView, market: MarketView, filters: SymbolFilters, nowMs: number): Judge {
  const trial = trialOf(view, market, filters);
  const [account] = trial.accounts();
  const accountId = account?.accountId ?? 0;
  const isInBand = bandOf(market, filters, nowMs);
  return (order) => {
    const { side, type: orderType, timeInForce, priceTicks, quantityLots, stopTicks, icebergLots } = order;
    const reason = trial.check(
      {
        ...{ type: "placeOrder", accountId, symbolId: 0, clientOrderId: "preview", side, orderType, timeInForce },
        ...{ priceTicks, quantityLots, stopTicks, icebergLots, quoteOrderQty: 0n },
      },
      nowMs,
    );
    const found = reason !== null && OF_FILTERS.has(reason) ? reason : null;
    return found !== "PRICE_FILTER" && !isInBand(priceTicks) ? "PERCENT_PRICE" : found;
  };
}

/** An engine whose only symbol is this one, under those filters. A listed symbol keeps its scale, whatever its filters. */
function trialOf(
  view: EngineView,
  { spec, scale, baseAssetId, quoteAssetId }: MarketView,
  filters: SymbolFilters,
): Engine {
  const engine = new Engine();
  const run = (command: Command): void => {
    const [event] = engine.apply({ seq: engine.seq + 1, timeMs: 1, command });
    if (event?.type === "rejected") throw rejectionOf(event.reason);
  };
  const places = (decimals: number): string => (decimals === 0 ? "1" : `0.${"1".padStart(decimals, "0")}`);
  const [tickSize, stepSize] = [places(scale.priceDecimals), places(scale.quantityDecimals)];
  const scaled: SymbolFilters = {
    priceFilter: { minPrice: tickSize, maxPrice: "0", tickSize },
    lotSize: { minQty: stepSize, maxQty: "0", stepSize },
  };
  run(ADOPT_NEWEST_RULES);
  for (const assetId of [baseAssetId, quoteAssetId]) {
    run({ type: "listAsset", asset: { ...view.asset(assetId).spec, networks: [] }, by: BY });
  }
  run({ type: "listSymbol", symbol: { ...spec, status: "TRADING", filters: scaled, acceptRounding: true }, by: BY });
  run({ type: "setSymbolFilters", symbol: spec.symbol, filters, by: BY });
  run({ type: "openAccount", email: "preview@localhost", name: BY, makerBps: 0, takerBps: 0, by: BY });
  return engine;
}

/** Whether a price lies within PERCENT_PRICE's band around the average price of now; orders without a price do. */
function bandOf(market: MarketView, { percentPrice }: SymbolFilters, nowMs: number): (priceTicks: number) => boolean {
  if (percentPrice === undefined) return () => true;
  const { numerator, denominator }: AveragePriceView = market.averagePrice(percentPrice.avgPriceMins, nowMs);
  if (denominator === 0n) return () => true;
  const [up, down] = [percentPrice.multiplierUp, percentPrice.multiplierDown].map(
    (multiplier) => numerator * (parseDecimal(multiplier, PLACES) ?? 0n),
  ) as [bigint, bigint];
  return (priceTicks) => {
    const price = BigInt(priceTicks) * denominator * WHOLE;
    return priceTicks === 0 || (price >= down && price <= up);
  };
}

interface CountFilter {
  readonly filter: string;
  readonly of: "open" | "algo" | "iceberg";
  readonly limit: number;
  accounts: number;
}

function countFilters({ maxNumOrders, maxNumAlgoOrders, maxNumIcebergOrders }: SymbolFilters): CountFilter[] {
  const all = [
    ["MAX_NUM_ORDERS", "open", maxNumOrders?.limit],
    ["MAX_NUM_ALGO_ORDERS", "algo", maxNumAlgoOrders?.maxNumAlgoOrders],
    ["MAX_NUM_ICEBERG_ORDERS", "iceberg", maxNumIcebergOrders?.maxNumIcebergOrders],
  ] as const;
  return all.flatMap(([filter, of, limit]) => (limit === undefined ? [] : [{ filter, of, limit, accounts: 0 }]));
}
