/** A symbol's numbers in the format of the wire, by arithmetic that shares no code with the server. */
import type { EngineView } from "@pricetime/engine";
import { wire } from "../markets.ts";

const BPS = 10_000n;
/** The program's default fee, which every account here pays as maker and taker. */
const RATE_BPS = 10n;

export class Scale {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly #priceDecimals: number;
  readonly #quantityDecimals: number;
  readonly #baseDecimals: number;
  readonly #quoteDecimals: number;

  constructor(engine: EngineView, symbolId: number) {
    const { spec, scale, baseAssetId, quoteAssetId } = engine.market(symbolId);
    this.symbol = spec.symbol;
    this.baseAsset = spec.baseAsset;
    this.quoteAsset = spec.quoteAsset;
    this.#priceDecimals = scale.priceDecimals;
    this.#quantityDecimals = scale.quantityDecimals;
    this.#baseDecimals = engine.asset(baseAssetId).spec.precision;
    this.#quoteDecimals = engine.asset(quoteAssetId).spec.precision;
  }

  price(ticks: number): string {
    return wire(ticks, this.#priceDecimals);
  }
  quantity(lots: number): string {
    return wire(lots, this.#quantityDecimals);
  }
  quote(units: bigint): string {
    return wire(units, this.#quoteDecimals);
  }
  /** The amount, as sent, of the asset that an order of this side receives. */
  received(side: string, units: bigint): string {
    return side === "BUY" ? wire(units, this.#baseDecimals) : this.quote(units);
  }
  receivedAsset(side: string): string {
    return side === "BUY" ? this.baseAsset : this.quoteAsset;
  }

  /** The value in units of the quote asset. The demo's ticks and lots multiply to whole units. */
  worth(ticks: number, lots: number): bigint {
    const decimals = this.#quoteDecimals - this.#priceDecimals - this.#quantityDecimals;
    return BigInt(ticks) * BigInt(lots) * 10n ** BigInt(decimals);
  }

  /** The commission in units of the received asset, rounded down. */
  commission(side: string, lots: number, worth: bigint): bigint {
    const received = side === "BUY" ? BigInt(lots) * 10n ** BigInt(this.#baseDecimals - this.#quantityDecimals) : worth;
    return (received * RATE_BPS) / BPS;
  }
}
