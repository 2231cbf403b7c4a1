/** Translates the engine's events to the words of the model. */
import type { Engine, Event, Fill, OrderRecord, OrderListChanged, Trade } from "@pricetime/engine";
import { type Amount, scaled, show } from "./amount.ts";
import type { Happening, TradeSide } from "./happening.ts";
import { saidOfAccess } from "./translate-access.ts";
import { saidOfVenue } from "./translate-venue.ts";
import { saidOfWallet } from "./translate-wallet.ts";

export function happeningsOf(engine: Engine, events: readonly Event[]): Happening[] {
  return events.flatMap((event) => happeningOf(engine, event) ?? []);
}

function happeningOf(engine: Engine, event: Event): Happening | null {
  switch (event.type) {
    case "rejected":
      return { kind: "refused", reason: event.reason };
    case "done":
      return null;
    case "orderOpened":
      return opened(engine, event.order);
    case "trade":
      return traded(engine, event);
    case "orderEnded":
      return {
        kind: "ended",
        orderId: event.order.orderId,
        clientOrderId: event.order.clientOrderId,
        status: event.status,
        executed: lotsOf(engine, event.order, event.order.executedLots),
        executedQuote: quoteOf(engine, event.order.symbolId, event.order.executedQuote),
        cancelClientOrderId: event.cancelClientOrderId,
      };
    case "rulesAdopted":
      return { kind: "said", words: `rules ${event.edition} adopted` };
    case "roleGranted": {
      const { role, node, incarnation, number } = event;
      return { kind: "said", words: `${role} is for ${node} ${incarnation} by grant ${number}` };
    }
    case "orderListChanged":
      return listed(engine, event);
    case "cancelReplaced":
      return { kind: "replaced", cancelReason: event.cancelReason, placeReason: event.placeReason };
    default:
      return said(engine, event) ?? saidOfWallet(engine, event) ?? saidOfVenue(engine, event) ?? saidOfAccess(event);
  }
}

function listed(engine: Engine, { list, listOrderStatus }: OrderListChanged): Happening {
  return {
    kind: "listed",
    status: listOrderStatus,
    orderListId: list.orderListId,
    listClientOrderId: list.listClientOrderId,
    accountId: list.accountId,
    symbol: engine.market(list.symbolId).spec.symbol,
    stopId: list.stopLeg.clientOrderId,
    limitId: list.limitLeg.clientOrderId,
  };
}

function said(engine: Engine, event: Event): Happening | null {
  switch (event.type) {
    case "assetListed":
      return { kind: "said", words: `asset ${engine.asset(event.assetId).spec.asset} listed` };
    case "symbolListed":
      return { kind: "said", words: `symbol ${engine.market(event.symbolId).spec.symbol} listed` };
    case "pastAdded":
    case "klinesImported":
      return { kind: "said", words: `${engine.market(event.symbolId).spec.symbol} has candles of before` };
    case "symbolChanged":
      return { kind: "said", words: `symbol ${engine.market(event.symbolId).spec.symbol} changed` };
    case "accountOpened":
      return { kind: "said", words: `account ${event.accountId} opened` };
    case "accountChanged":
      return { kind: "said", words: `account ${event.accountId} changed` };
    case "balanceMoved": {
      const { asset, precision } = engine.asset(event.assetId).spec;
      const value = scaled(event.amount, precision);
      return {
        kind: "said",
        words: `${value < 0n ? "debited" : "deposited"} ${show(value < 0n ? -value : value)} ${asset}`,
      };
    }
    default:
      return null;
  }
}

function opened(engine: Engine, order: OrderRecord): Happening {
  const { spec, scale } = engine.market(order.symbolId);
  return {
    kind: "opened",
    orderId: order.orderId,
    accountId: order.accountId,
    clientOrderId: order.clientOrderId,
    symbol: spec.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: scaled(order.priceTicks, scale.priceDecimals),
    quantity: scaled(order.quantityLots, scale.quantityDecimals),
    stopPrice: scaled(order.stopTicks, scale.priceDecimals),
    icebergQty: scaled(order.icebergLots, scale.quantityDecimals),
    isWorking: order.isWorking,
    orderListId: order.orderListId,
  };
}

function traded(engine: Engine, trade: Trade): Happening {
  const { spec, scale } = engine.market(trade.symbolId);
  return {
    kind: "traded",
    symbol: spec.symbol,
    tradeId: trade.tradeId,
    aggTradeId: trade.aggTradeId,
    price: scaled(trade.priceTicks, scale.priceDecimals),
    quantity: scaled(trade.lots, scale.quantityDecimals),
    quote: quoteOf(engine, trade.symbolId, trade.quote),
    takerSide: trade.takerSide,
    taker: sideOf(engine, trade.taker),
    maker: sideOf(engine, trade.maker),
  };
}

function sideOf(engine: Engine, fill: Fill): TradeSide {
  const { asset, precision } = engine.asset(fill.commissionAssetId).spec;
  return {
    orderId: fill.order.orderId,
    clientOrderId: fill.order.clientOrderId,
    status: fill.order.status,
    executed: lotsOf(engine, fill.order, fill.order.executedLots),
    executedQuote: quoteOf(engine, fill.order.symbolId, fill.order.executedQuote),
    commission: scaled(fill.commission, precision),
    commissionAsset: asset,
  };
}

function lotsOf(engine: Engine, order: OrderRecord, lots: number): Amount {
  return scaled(lots, engine.market(order.symbolId).scale.quantityDecimals);
}

function quoteOf(engine: Engine, symbolId: number, units: bigint): Amount {
  return scaled(units, engine.asset(engine.market(symbolId).quoteAssetId).spec.precision);
}
