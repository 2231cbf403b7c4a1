/**
 * `@trade`: one message per match. `@aggTrade`: one message per taker order and price. `@avgPrice`: the average price of
 * the last minutes. Interface 10.3.
 */
import { orderNumberOf, type Trade } from "@pricetime/engine";
import { z } from "zod";
import { averageText, priceText, quantityText } from "../../../history/shapes/amounts.ts";
import { AVERAGE_PRICE_MINS } from "../../../history/shapes/market-data.ts";
import { savedCount } from "../../../platform/world/saved-state.ts";
import { type CandleLoads, RETRY_MS } from "./kline-stream.ts";
import type { MarketStream, StreamPlace } from "./market-stream.ts";

export class TradeStream implements MarketStream {
  readonly #place: StreamPlace;

  constructor(place: StreamPlace) {
    this.#place = place;
  }

  trade({ tradeId, timeMs, priceTicks, lots, takerSide, taker, maker }: Trade): void {
    const { name, market, publisher, venueInterface } = this.#place;
    const isBuyerMaker = takerSide === "SELL";
    const [buyer, seller] = isBuyerMaker ? [maker, taker] : [taker, maker];
    const ids = [buyer, seller].map(({ order }) => orderNumberOf(order.orderId));
    const orders = venueInterface.tradesShowOrders ? `"b":${ids[0]},"a":${ids[1]},` : "";
    publisher.publish(
      name,
      `{"e":"trade","E":${timeMs},"s":"${market.spec.symbol}","t":${tradeId},"p":"${priceText(market, priceTicks)}",` +
        `"q":"${quantityText(market, lots)}",${orders}` +
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

/** Null if unknown. */
const SAVED_AVERAGE = z.strictObject({ lastMs: savedCount.nullable(), told: z.string().nullable() });

/** `@avgPrice`: the average price and the time of the last trade, every second if they have changed. */
export class AveragePriceStream implements MarketStream {
  readonly periodMs = 1000;
  readonly #place: StreamPlace;
  readonly #loads: CandleLoads;
  /** The time of the last trade, 0 if there is none; null until it has been read from history. */
  #lastMs: number | null;
  #told: string | null;
  #isOpen = true;

  constructor(place: StreamPlace, loads: CandleLoads) {
    this.#place = place;
    this.#loads = loads;
    const restored = place.saved.restore(place.name, SAVED_AVERAGE, () => ({ lastMs: this.#lastMs, told: this.#told }));
    this.#lastMs = restored?.lastMs ?? null;
    this.#told = restored?.told ?? null;
    if (this.#lastMs === null) loads.add(this.#load);
  }

  trade({ timeMs }: Trade): void {
    this.#lastMs = timeMs;
  }

  flush(): void {
    const { name, market, publisher } = this.#place;
    const nowMs = this.#place.nowMs();
    if (this.#lastMs === null) return;
    const average = averageText(market, market.averagePrice(AVERAGE_PRICE_MINS, nowMs));
    const fields = `"i":"${AVERAGE_PRICE_MINS}m","w":"${average}","T":${this.#lastMs}`;
    if (fields === this.#told) return;
    this.#told = fields;
    publisher.publish(name, `{"e":"avgPrice","E":${nowMs},"s":"${market.spec.symbol}",${fields}}`);
  }

  close(): void {
    this.#isOpen = false;
    this.#loads.remove(this.#load);
  }

  readonly #load = async (): Promise<void> => {
    const { engine, history, market, log, name } = this.#place;
    try {
      const [last] = await history.query(engine.seq, "trades", { symbolId: market.symbolId, limit: 1 });
      // A trade since then is later.
      this.#lastMs ??= last?.time ?? 0;
    } catch (error) {
      log.error({ err: error, stream: name }, "cannot read the last trade from history, retrying");
      if (this.#isOpen) this.#place.world.after(RETRY_MS, () => this.#isOpen && this.#loads.add(this.#load));
    }
  };
}

/** The last price that was sent, null if there was none; absent before the first message. */
const SAVED_REFERENCE = z.strictObject({ told: z.string().nullable().exactOptional() });

/**
 * `@referencePrice`: the reference price of a symbol with a price range, every second if it has changed. When the range
 * is removed, null follows the last price.
 */
export class ReferencePriceStream implements MarketStream {
  readonly periodMs = 1000;
  readonly #place: StreamPlace;
  #told: string | null | undefined;

  constructor(place: StreamPlace) {
    this.#place = place;
    const restored = place.saved.restore(place.name, SAVED_REFERENCE, () =>
      this.#told === undefined ? {} : { told: this.#told },
    );
    this.#told = restored?.told;
  }

  flush(): void {
    const { name, market, publisher } = this.#place;
    const { symbol, priceRange } = market.spec;
    if (priceRange === undefined && typeof this.#told !== "string") return;
    const nowMs = this.#place.nowMs();
    const price = market.referencePrice(nowMs);
    const text = price === null ? null : averageText(market, price);
    if (text === this.#told) return;
    this.#told = text;
    const shown = text === null ? "null" : `"${text}"`;
    publisher.publish(name, `{"e":"referencePrice","s":"${symbol}","r":${shown},"t":${nowMs}}`);
  }
}
