/** One candle: adds up its trades, and creates the next candle. Interface 10.3, 2.6. */
import type { EngineView, MarketView, Trade } from "@pricetime/engine";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import type { KlineInterval } from "@pricetime/protocol";
import type { SavedValue } from "../../../platform/world/port.ts";
import { savedBigint, savedCount } from "../../../platform/world/saved-state.ts";
import { z } from "zod";
import { addKlineDecimals, type KlineDecimals, quietKlineDecimals } from "../../../history/shapes/market-data.ts";
import { amountText, priceText, volumeText } from "../../../history/shapes/amounts.ts";

/** The fields of a trade that a candle needs, copied because the engine reuses its records. */
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

const decimal = z.string().regex(/^[0-9]+\.[0-9]{8}$/);

/** If the candle has no trades, its trade ids are -1. */
export const KLINE_STATE = z.strictObject({
  openTimeMs: savedCount,
  openTicks: savedCount,
  highTicks: savedCount,
  lowTicks: savedCount,
  closeTicks: savedCount,
  lots: savedBigint,
  quote: savedBigint,
  count: savedCount,
  takerBuyLots: savedBigint,
  takerBuyQuote: savedBigint,
  firstTradeId: z.int().min(-1),
  /** The part of `count` from before the symbol's first trade. Trades before it have no ids. */
  pastCount: savedCount,
  /**
   * Prices and amounts of imported history as decimals, if they have more decimals than the symbol's units. Counts and
   * ids cover both parts.
   */
  before: z
    .strictObject({
      ...{ open: decimal, high: decimal, low: decimal, close: decimal },
      ...{ volume: decimal, quoteVolume: decimal, takerBuyBase: decimal, takerBuyQuote: decimal },
    })
    .exactOptional(),
});

type KlineFields = Omit<z.infer<typeof KLINE_STATE>, "before"> & { before?: KlineDecimals | undefined };

/** Only the first trade id is stored: ids have no gaps, so it and the count determine the last one. */
export interface KlineKind {
  readonly interval: KlineInterval;
  /** How far the local time, to which the candles are aligned, is ahead of UTC. */
  readonly offsetMs: number;
}

export class Kline {
  readonly kind: KlineKind;
  readonly openTimeMs: number;
  /** The last millisecond of the candle. */
  readonly closeTimeMs: number;
  readonly #fields: KlineFields;

  constructor(kind: KlineKind, fields: Readonly<KlineFields>) {
    this.kind = kind;
    this.openTimeMs = fields.openTimeMs;
    this.closeTimeMs = nextOpenTime(kind.interval, fields.openTimeMs, kind.offsetMs) - 1;
    this.#fields = { ...fields };
  }

  get state(): SavedValue {
    const { lots, quote, takerBuyLots, takerBuyQuote, before, ...numbers } = this.#fields;
    const [volume, worth] = [String(lots), String(quote)];
    const takerBuy = { takerBuyLots: String(takerBuyLots), takerBuyQuote: String(takerBuyQuote) };
    return { ...numbers, lots: volume, quote: worth, ...takerBuy, ...(before && { before: { ...before } }) };
  }

  /** A candle without trades, which repeats the last price. */
  static quiet(kind: KlineKind, timeMs: number, priceTicks: number, before?: KlineDecimals): Kline {
    return new Kline(kind, {
      before,
      openTimeMs: openTimeOf(kind.interval, timeMs, kind.offsetMs),
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

  /** The candle after this one: the one that opens when this one closes, or a later one without trades in between. */
  next(timeMs = this.closeTimeMs + 1): Kline {
    const { before, lots, closeTicks } = this.#fields;
    const isRepeated = before !== undefined && lots === 0n;
    const repeated = isRepeated ? quietKlineDecimals(before.close) : undefined;
    return Kline.quiet(this.kind, timeMs, closeTicks, repeated);
  }

  add({ tradeId, priceTicks, lots, quote, takerBuys }: KlineTrade): void {
    const fields = this.#fields;
    if (fields.count === fields.pastCount) fields.firstTradeId = tradeId;
    if (fields.count === 0) fields.before = undefined;
    if (fields.count === 0 || (fields.before !== undefined && fields.lots === 0n)) {
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

  /** The JSON of the message about the candle. */
  text(engine: EngineView, market: MarketView, eventMs: number, isClosed: boolean): string {
    const { symbol } = market.spec;
    const fields = this.#fields;
    const sums = this.#decimals(engine, market);
    return (
      `{"e":"kline","E":${eventMs},"s":"${symbol}","k":{"t":${this.openTimeMs},"T":${this.closeTimeMs},` +
      `"s":"${symbol}","i":"${this.kind.interval}","f":${fields.firstTradeId},"L":${this.lastTradeId},` +
      `"o":"${sums.open}","c":"${sums.close}","h":"${sums.high}","l":"${sums.low}",` +
      `"v":"${sums.volume}","n":${fields.count},"x":${isClosed},"q":"${sums.quoteVolume}",` +
      `"V":"${sums.takerBuyBase}","Q":"${sums.takerBuyQuote}","B":"0"}}`
    );
  }

  #decimals(engine: EngineView, market: MarketView): KlineDecimals {
    const { before, lots, quote, takerBuyLots, takerBuyQuote, ...fields } = this.#fields;
    if (before !== undefined && lots === 0n) return before;
    const own = {
      open: priceText(market, fields.openTicks),
      high: priceText(market, fields.highTicks),
      low: priceText(market, fields.lowTicks),
      close: priceText(market, fields.closeTicks),
      volume: volumeText(market, lots),
      quoteVolume: amountText(engine, market.quoteAssetId, quote),
      takerBuyBase: volumeText(market, takerBuyLots),
      takerBuyQuote: amountText(engine, market.quoteAssetId, takerBuyQuote),
    };
    return before === undefined ? own : addKlineDecimals(before, own);
  }
}
