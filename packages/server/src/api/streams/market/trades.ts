/** `@trade`: one message per match. `@aggTrade`: one message per taker order and price. Interface 10.3. */
import type { Trade } from "@pricetime/engine";
import { priceText, quantityText } from "../../../history/shapes/amounts.ts";
import type { MarketStream, StreamPlace } from "./market-stream.ts";

export class TradeStream implements MarketStream {
  readonly #place: StreamPlace;

  constructor(place: StreamPlace) {
    this.#place = place;
  }

  trade({ tradeId, timeMs, priceTicks, lots, takerSide, taker, maker }: Trade): void {
    const { name, market, publisher } = this.#place;
    const isBuyerMaker = takerSide === "SELL";
    const [buyer, seller] = isBuyerMaker ? [maker, taker] : [taker, maker];
    publisher.publish(
      name,
      `{"e":"trade","E":${timeMs},"s":"${market.spec.symbol}","t":${tradeId},"p":"${priceText(market, priceTicks)}",` +
        `"q":"${quantityText(market, lots)}","b":${buyer.order.orderId},"a":${seller.order.orderId},` +
        `"T":${timeMs},"m":${isBuyerMaker},"M":true}`,
    );
  }
}

interface AggTrade {
  readonly aggTradeId: number;
  readonly firstTradeId: number;
  readonly priceTicks: number;
  readonly timeMs: number;
  readonly isBuyerMaker: boolean;
  lastTradeId: number;
  lots: number;
}

export class AggTradeStream implements MarketStream {
  readonly #place: StreamPlace;
  #open: AggTrade | undefined;

  constructor(place: StreamPlace) {
    this.#place = place;
  }

  trade({ aggTradeId, tradeId, priceTicks, timeMs, takerSide, lots }: Trade): void {
    const open = this.#open;
    if (open?.aggTradeId === aggTradeId) {
      open.lastTradeId = tradeId;
      open.lots += lots;
      return;
    }
    this.entryDone();
    const isBuyerMaker = takerSide === "SELL";
    this.#open = { aggTradeId, firstTradeId: tradeId, priceTicks, timeMs, isBuyerMaker, lastTradeId: tradeId, lots };
  }

  /** Sends the last aggregate trade, because an aggregate trade never spans two entries. */
  entryDone(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { name, market, publisher } = this.#place;
    publisher.publish(
      name,
      `{"e":"aggTrade","E":${open.timeMs},"s":"${market.spec.symbol}","a":${open.aggTradeId},` +
        `"p":"${priceText(market, open.priceTicks)}","q":"${quantityText(market, open.lots)}",` +
        `"f":${open.firstTradeId},"l":${open.lastTradeId},"T":${open.timeMs},"m":${open.isBuyerMaker},"M":true}`,
    );
  }
}
