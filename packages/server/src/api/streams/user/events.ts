/** Account events as JSON: orders, order lists and balances. Interface 6.1 to 6.7, 3.1 and S.13. */
import {
  type Event,
  type AccountView,
  type EngineView,
  type Fill,
  hasPrice,
  isClosed,
  type LegRecord,
  type MarketView,
  NO_STRATEGY,
  orderNumberOf,
  type OrderEnded,
  type OrderOpened,
  type OrderRecord,
  type SelfTradePreventionMode,
  type Trade,
  trailingTimeMs,
  workingTimeMs,
} from "@pricetime/engine";
import { amountText, priceText, quantityText } from "../../../history/shapes/amounts.ts";
import { contingencyOf } from "../../../history/shapes/orders.ts";

// The balances of an account as sent to its listeners. Each message contains all nonzero balances, up to a thousand, so
// the JSON of each asset is cached.

interface CachedBalance {
  readonly free: bigint;
  readonly locked: bigint;
  readonly json: string;
}

export class BalanceTexts {
  readonly #accountId: number;
  /** JSON by asset id; undefined for assets with a zero balance. */
  readonly #cached: (CachedBalance | undefined)[] = [];

  constructor(accountId: number) {
    this.#accountId = accountId;
  }

  /** The balances of all nonzero assets, and of those for which `isIncluded` returns true. */
  all(engine: EngineView, isIncluded: (assetId: number) => boolean): string {
    const told: string[] = [];
    for (const { assetId } of engine.assets()) {
      const { free, locked } = engine.balance(this.#accountId, assetId);
      if (free !== 0n || locked !== 0n || isIncluded(assetId)) told.push(this.#json(engine, assetId, free, locked));
    }
    return `[${told.join(",")}]`;
  }

  some(engine: EngineView, assetIds: readonly number[]): string {
    const told = assetIds.map((assetId) => {
      const { free, locked } = engine.balance(this.#accountId, assetId);
      return this.#json(engine, assetId, free, locked);
    });
    return `[${told.join(",")}]`;
  }

  #json(engine: EngineView, assetId: number, free: bigint, locked: bigint): string {
    const told = this.#cached[assetId];
    if (told !== undefined && told.free === free && told.locked === locked) return told.json;
    const [f, l] = [amountText(engine, assetId, free), amountText(engine, assetId, locked)];
    const json = `{"a":"${engine.asset(assetId).spec.asset}","f":"${f}","l":"${l}"}`;
    this.#cached[assetId] = free === 0n && locked === 0n ? undefined : { free, locked, json };
    return json;
  }
}

// Account events other than those of orders and order lists. Interface 6.1, 6.2, 6.7 and S.13.

/** Contains all nonzero assets, and those of `movedAssetIds` that have become zero. */
export function outboundAccountInfo(
  engine: EngineView,
  account: AccountView,
  balances: BalanceTexts,
  movedAssetIds: ReadonlySet<number>,
): string {
  return (
    `{"e":"outboundAccountInfo","E":${engine.timeMs},"m":${account.makerBps},"t":${account.takerBps},"b":0,"s":0,` +
    `"T":${account.canTrade},"W":${account.canWithdraw},"D":${account.canDeposit},"u":${account.updateTimeMs},` +
    `"B":${balances.all(engine, (assetId) => movedAssetIds.has(assetId))},"P":["SPOT"]}`
  );
}

/** Contains the assets whose balances may have changed. */
export function outboundAccountPosition(
  engine: EngineView,
  account: AccountView,
  balances: BalanceTexts,
  assetIds: ReadonlySet<number>,
): string {
  const ascending = [...assetIds].sort((a, b) => a - b);
  return (
    `{"e":"outboundAccountPosition","E":${engine.timeMs},"u":${account.updateTimeMs},` +
    `"B":${balances.some(engine, ascending)}}`
  );
}

/** A balance change other than by trading. `amount` is the increase or, if negative, the decrease. */
export function balanceUpdate(engine: EngineView, assetId: number, amount: bigint): string {
  const { asset } = engine.asset(assetId).spec;
  return (
    `{"e":"balanceUpdate","E":${engine.timeMs},"a":"${asset}","d":"${amountText(engine, assetId, amount)}",` +
    `"T":${engine.timeMs}}`
  );
}

/** The last message on the stream of an expired key. Interface S.14. */
export function listenKeyExpired(engine: EngineView, listenKey: string): string {
  return `{"e":"listenKeyExpired","E":${engine.timeMs},"listenKey":"${listenKey}"}`;
}

// executionReport: an event of one order. Interface 6.3, 3.1. Decimals have 8 places. The JSON is written by hand for
// speed, because every order causes reports.

/** The fields that differ between the reports of an order. */
interface Happening {
  /** Field `c`: the order's client id, or that of the cancellation. */
  readonly clientOrderId: string;
  /**
   * Field `C`: the client id of the canceled order in the report of a cancellation, the id before an amendment,
   * otherwise "". Interface S.14.
   */
  readonly origClientOrderId: string;
  /** Field `x`: the execution type. */
  readonly execution: "NEW" | "TRADE" | "CANCELED" | "EXPIRED" | "REPLACED" | "TRADE_PREVENTION";
  readonly isOnBook: boolean;
  /** Fields `l` to `Y`, present only for trades. */
  readonly trade?: LastFill;
  /** JSON of the fields `B` to `pY`, present only for prevented matches. */
  readonly prevented?: string;
  /** Field `V` of a prevented match: the mode in effect. */
  readonly mode?: SelfTradePreventionMode;
}

interface LastFill {
  readonly tradeId: number;
  readonly lots: number;
  readonly priceTicks: number;
  readonly quote: bigint;
  readonly commission: bigint;
  readonly commissionAssetId: number;
  readonly isMaker: boolean;
}

/** The time of the entry and the number of the report. */
export interface ReportAt {
  readonly timeMs: number;
  readonly executionId: number;
}

/** The report of an order that was accepted, whose stop price was reached, or whose working order was filled. */
export function openedReport(
  engine: EngineView,
  at: ReportAt,
  { order }: OrderOpened | Event<"orderReleased">,
): string {
  return report(engine, at, order, {
    clientOrderId: order.clientOrderId,
    origClientOrderId: "",
    execution: "NEW",
    isOnBook: order.isWorking,
  });
}

/** The report of a trade to one of its two orders. */
export function tradeReport(engine: EngineView, at: ReportAt, trade: Trade, fill: Fill): string {
  const { order, commission, commissionAssetId } = fill;
  return report(engine, at, order, {
    clientOrderId: order.clientOrderId,
    origClientOrderId: "",
    execution: "TRADE",
    isOnBook: order.status === "PARTIALLY_FILLED" && hasPrice(order.type) && order.timeInForce === "GTC",
    trade: { ...trade, commission, commissionAssetId, isMaker: fill === trade.maker },
  });
}

/** The report of a prevented match to one of the orders that lost lots in it. Interface 6.3. */
export function preventedReport(
  engine: EngineView,
  at: ReportAt,
  event: Event<"tradePrevented">,
  { order, lots }: { readonly order: OrderRecord; readonly lots: number },
): string {
  const market = engine.market(event.symbolId);
  const other = order === event.taker ? event.maker : event.taker;
  return report(engine, at, order, {
    clientOrderId: order.clientOrderId,
    origClientOrderId: "",
    execution: "TRADE_PREVENTION",
    mode: event.mode,
    isOnBook: !isClosed(order.status) && order.isWorking && hasPrice(order.type) && order.timeInForce === "GTC",
    prevented:
      `,"B":"${quantityText(market, lots)}","u":${event.tradeGroupId},"U":${orderNumberOf(other.orderId)},` +
      `"Cs":"${market.spec.symbol}","pl":"${quantityText(market, event.lots)}",` +
      `"pL":"${priceText(market, event.priceTicks)}","pY":"${amountText(engine, market.quoteAssetId, event.quote)}"`,
  });
}

/** The report of an order that has ended, with its unfilled rest canceled or expired. */
export function endedReport(engine: EngineView, at: ReportAt, event: OrderEnded): string {
  const { order, status, cancelClientOrderId } = event;
  const isCancel = cancelClientOrderId !== "";
  return report(engine, at, order, {
    clientOrderId: isCancel ? cancelClientOrderId : order.clientOrderId,
    origClientOrderId: isCancel ? order.clientOrderId : "",
    execution: status,
    isOnBook: false,
  });
}

/** The report of an order whose quantity was reduced. It keeps its place in the book. */
export function amendedReport(engine: EngineView, at: ReportAt, event: Event<"orderAmended">): string {
  const { order, origClientOrderId } = event;
  const { clientOrderId, isWorking: isOnBook } = order;
  return report(engine, at, order, { clientOrderId, origClientOrderId, execution: "REPLACED", isOnBook });
}

function report(engine: EngineView, at: ReportAt, order: OrderRecord, what: Happening): string {
  const market = engine.market(order.symbolId);
  const { timeMs, executionId } = at;
  const isTrade = what.trade !== undefined;
  return (
    `{"e":"executionReport","E":${timeMs},"s":"${market.spec.symbol}","c":"${what.clientOrderId}",` +
    `${requestJson(market, order)},"g":${order.orderListId},"C":"${what.origClientOrderId}",` +
    `"x":"${what.execution}","X":"${order.status}","r":"NONE","i":${orderNumberOf(order.orderId)},` +
    `"l":"${quantityText(market, what.trade?.lots ?? 0)}","z":"${quantityText(market, order.executedLots)}",` +
    `"L":"${priceText(market, what.trade?.priceTicks ?? 0)}",${commissionJson(engine, what.trade)},` +
    `"T":${timeMs},"t":${what.trade?.tradeId ?? -1},"I":${executionId},"w":${what.isOnBook},` +
    `"m":${what.trade?.isMaker ?? false},"M":${isTrade},"O":${order.timeMs},` +
    `"Z":"${amountText(engine, market.quoteAssetId, order.executedQuote)}",` +
    `"Y":"${amountText(engine, market.quoteAssetId, what.trade?.quote ?? 0n)}",` +
    `"Q":"${amountText(engine, market.quoteAssetId, order.quoteOrderQty)}"${laterJson(market, order, what.mode)}${what.prevented ?? ""}}`
  );
}

/** The order as its owner wants it: only an amendment changes the quantity. */
function requestJson(market: MarketView, order: OrderRecord): string {
  return (
    `"S":"${order.side}","o":"${order.type}","f":"${order.timeInForce}","q":"${quantityText(market, order.quantityLots)}",` +
    `"p":"${priceText(market, order.priceTicks)}","P":"${priceText(market, order.stopTicks)}",` +
    `"F":"${quantityText(market, order.icebergLots)}"`
  );
}

/** The fields of later versions of the original interface. Interface 6.3. */
function laterJson(market: MarketView, order: OrderRecord, mode = order.selfTradePrevention ?? "NONE"): string {
  const { strategyId = NO_STRATEGY, strategyType = 0, expiryReason = "NONE", preventedLots = 0 } = order;
  const { trailingDelta = 0 } = order;
  const workingTime = workingTimeMs(order);
  return (
    (workingTime === -1 ? "" : `,"W":${workingTime}`) +
    `,"V":"${mode}"` +
    (trailingDelta === 0 ? "" : `,"d":${trailingDelta},"D":${trailingTimeMs(order)}`) +
    pegJson(market, order) +
    (preventedLots === 0 ? "" : `,"v":${order.preventedMatchId},"A":"${quantityText(market, preventedLots)}"`) +
    (strategyId === NO_STRATEGY ? "" : `,"j":${strategyId}`) +
    (strategyType === 0 ? "" : `,"J":${strategyType}`) +
    (expiryReason === "NONE" ? "" : `,"eR":"${expiryReason}"`)
  );
}

function pegJson(market: MarketView, { pegTo = "NONE", pegLevel = 0, peggedTicks = 0 }: OrderRecord): string {
  if (pegTo === "NONE") return "";
  return (
    `,"gP":"${pegTo}"` +
    (pegLevel === 0 ? "" : `,"gOT":"PRICE_LEVEL","gOV":${pegLevel}`) +
    (peggedTicks === 0 ? "" : `,"gp":"${priceText(market, peggedTicks)}"`)
  );
}

function commissionJson(engine: EngineView, fill: LastFill | undefined): string {
  if (fill === undefined || fill.commission === 0n) return `"n":"0","N":null`;
  const { asset } = engine.asset(fill.commissionAssetId).spec;
  return `"n":"${amountText(engine, fill.commissionAssetId, fill.commission)}","N":"${asset}"`;
}

// listStatus: an order list was placed or has ended, or a leg got another client id. Interface 6.4, 3.5, 3.12.

/** `timeMs` is the time of the entry. */
export function listStatus(
  engine: EngineView,
  timeMs: number,
  { list, listOrderStatus, isUpdate }: Event<"orderListChanged">,
): string {
  const { symbol } = engine.market(list.symbolId).spec;
  const type = isUpdate ? "UPDATED" : listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE";
  const leg = ({ orderId, clientOrderId }: LegRecord): string =>
    `{"s":"${symbol}","i":${orderNumberOf(orderId)},"c":"${clientOrderId}"}`;
  return (
    `{"e":"listStatus","E":${timeMs},"s":"${symbol}","g":${list.orderListId},"c":"${contingencyOf(list)}","l":"${type}",` +
    `"L":"${listOrderStatus}","r":"NONE","C":"${list.listClientOrderId}","T":${timeMs},` +
    `"O":[${list.orders.map(leg).join(",")}]}`
  );
}
