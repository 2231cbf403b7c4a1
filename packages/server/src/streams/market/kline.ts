/** One interval's candle: the sum of its trades, and the candle after it. Interface 10.3, 2.6. */
import type { EngineView, MarketView, Trade } from "@pricetime/engine";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import type { KlineInterval } from "@pricetime/protocol";
import type { KeptValue } from "../../world/kept.ts";
import { keptBigint, keptCount } from "../../world/read-kept.ts";
import { z } from "zod";
import { amountText, priceText, volumeText } from "../../shapes/amounts.ts";

/** The fields of a trade that a candle needs; copied when the engine's own record would not last. */
export interface KlineTrade {
  readonly tradeId: number;
  readonly timeMs: number;
  readonly priceTicks: number;
  readonly lots: bigint;
  readonly quote: bigint;
  readonly takerBuys: boolean;
}

export function klineTrade({ tradeId, timeMs, priceTicks, lots, quote, takerSide }: Trade): KlineTrade {
  return { tradeId, timeMs, priceTicks, lots: BigInt(lots), quote, takerBuys: takerSide === "BUY" };
}

/** Trade ids are -1 without a trade. `pastCount` is the part of `count` from before the first trade, without ids. */
export interface KlineFields {
  readonly openTimeMs: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
  readonly lots: bigint;
  readonly quote: bigint;
  readonly count: number;
  readonly takerBuyLots: bigint;
  readonly takerBuyQuote: bigint;
  readonly firstTradeId: number;
  readonly pastCount: number;
}

export const KEPT_KLINE: z.ZodType<KlineFields> = z.strictObject({
  openTimeMs: keptCount,
  openTicks: keptCount,
  highTicks: keptCount,
  lowTicks: keptCount,
  closeTicks: keptCount,
  lots: keptBigint,
  quote: keptBigint,
  count: keptCount,
  takerBuyLots: keptBigint,
  takerBuyQuote: keptBigint,
  firstTradeId: z.int().min(-1),
  pastCount: keptCount,
});

/** Trade ids have no gaps: the first id and the count give the last. */
export class Kline {
  readonly interval: KlineInterval;
  readonly openTimeMs: number;
  /** The candle's last millisecond. */
  readonly closeTimeMs: number;
  readonly #fields: { -readonly [Name in keyof KlineFields]: KlineFields[Name] };

  constructor(interval: KlineInterval, fields: KlineFields) {
    this.interval = interval;
    this.openTimeMs = fields.openTimeMs;
    this.closeTimeMs = nextOpenTime(interval, fields.openTimeMs) - 1;
    this.#fields = { ...fields };
  }

  kept(): KeptValue {
    const { lots, quote, takerBuyLots, takerBuyQuote, ...numbers } = this.#fields;
    const [volume, worth] = [String(lots), String(quote)];
    const takerBuy = { takerBuyLots: String(takerBuyLots), takerBuyQuote: String(takerBuyQuote) };
    return { ...numbers, lots: volume, quote: worth, ...takerBuy };
  }

  /** A candle without a trade: it repeats the price of the one before. */
  static quiet(interval: KlineInterval, timeMs: number, priceTicks: number): Kline {
    return new Kline(interval, {
      openTimeMs: openTimeOf(interval, timeMs),
      openTicks: priceTicks,
      highTicks: priceTicks,
      lowTicks: priceTicks,
      closeTicks: priceTicks,
      lots: 0n,
      quote: 0n,
      count: 0,
      takerBuyLots: 0n,
      takerBuyQuote: 0n,
      firstTradeId: -1,
      pastCount: 0,
    });
  }

  get lastTradeId(): number {
    const { count, pastCount, firstTradeId } = this.#fields;
    return count === pastCount ? -1 : firstTradeId + count - pastCount - 1;
  }

  /** The candle that opens when this one closes. */
  next(): Kline {
    return Kline.quiet(this.interval, this.closeTimeMs + 1, this.#fields.closeTicks);
  }

  add({ tradeId, priceTicks, lots, quote, takerBuys }: KlineTrade): void {
    const fields = this.#fields;
    if (fields.count === fields.pastCount) fields.firstTradeId = tradeId;
    if (fields.count === 0) {
      fields.openTicks = fields.highTicks = fields.lowTicks = priceTicks;
    }
    fields.highTicks = Math.max(fields.highTicks, priceTicks);
    fields.lowTicks = Math.min(fields.lowTicks, priceTicks);
    fields.closeTicks = priceTicks;
    fields.lots += lots;
    fields.quote += quote;
    fields.count++;
    if (!takerBuys) return;
    fields.takerBuyLots += lots;
    fields.takerBuyQuote += quote;
  }

  /** The text of the message. */
  text(engine: EngineView, market: MarketView, eventMs: number, isClosed: boolean): string {
    const { symbol } = market.spec;
    const fields = this.#fields;
    const price = (ticks: number): string => priceText(market, ticks);
    const quote = (units: bigint): string => amountText(engine, market.quoteAssetId, units);
    return (
      `{"e":"kline","E":${eventMs},"s":"${symbol}","k":{"t":${this.openTimeMs},"T":${this.closeTimeMs},` +
      `"s":"${symbol}","i":"${this.interval}","f":${fields.firstTradeId},"L":${this.lastTradeId},` +
      `"o":"${price(fields.openTicks)}","c":"${price(fields.closeTicks)}",` +
      `"h":"${price(fields.highTicks)}","l":"${price(fields.lowTicks)}",` +
      `"v":"${volumeText(market, fields.lots)}","n":${fields.count},"x":${isClosed},"q":"${quote(fields.quote)}",` +
      `"V":"${volumeText(market, fields.takerBuyLots)}","Q":"${quote(fields.takerBuyQuote)}","B":"0"}}`
    );
  }
}
