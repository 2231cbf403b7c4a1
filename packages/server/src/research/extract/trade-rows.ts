/**
 * The trades of a symbol: with both orders and fees, or in the layout of the public archive (individual or aggregated).
 */
import {
  type Entry,
  type Event,
  formatDecimal,
  fromScale,
  orderNumberOf,
  type SymbolScale,
  type Trade,
  WIRE_PLACES,
} from "@pricetime/engine";
import {
  ARCHIVE_AGG_TRADE_COLUMNS,
  ARCHIVE_TRADE_COLUMNS,
  archiveBoolean,
  archiveTime,
} from "../market-files/public-archive.ts";
import type { Cell, Column, RowSink } from "../market-files/write-table.ts";
import { type ListedSymbol, RowExtractor, type TimeRange, type TRADE_LAYOUTS } from "./request.ts";

export interface TradeRowOptions extends TimeRange {
  readonly layout: (typeof TRADE_LAYOUTS)[number];
  /** Whether rows include the accounts. Rows in the archive's layouts never do. */
  readonly withAccounts: boolean;
}

export function tradeColumns({ market, engine }: ListedSymbol, { layout, withAccounts }: TradeRowOptions): Column[] {
  if (layout === "archive") return [...ARCHIVE_TRADE_COLUMNS];
  if (layout === "archive-agg") return [...ARCHIVE_AGG_TRADE_COLUMNS];
  const commission = { kind: "amount", places: WIRE_PLACES } as const;
  return [
    { name: "time", kind: "time" },
    { name: "seq", kind: "integer" },
    { name: "id", kind: "integer" },
    { name: "aggId", kind: "integer" },
    { name: "price", kind: "price", places: market.scale.priceDecimals },
    { name: "qty", kind: "price", places: market.scale.quantityDecimals },
    { name: "quoteQty", kind: "amount", places: engine.asset(market.quoteAssetId).spec.precision },
    { name: "isBuyerMaker", kind: "boolean" },
    { name: "takerOrderId", kind: "integer" },
    { name: "takerCommission", ...commission },
    { name: "takerCommissionAsset", kind: "text" },
    { name: "makerOrderId", kind: "integer" },
    { name: "makerCommission", ...commission },
    { name: "makerCommissionAsset", kind: "text" },
    ...(withAccounts
      ? ([
          { name: "takerAccount", kind: "integer" },
          { name: "makerAccount", kind: "integer" },
        ] as const)
      : []),
  ];
}

export class TradeRows extends RowExtractor {
  readonly #symbolId: number;
  readonly #scale: SymbolScale;
  readonly #quotePlaces: number;
  readonly #options: TradeRowOptions;
  /** Each asset's name, and the factor from its units to units of 10^-8, by asset id. */
  readonly #assets: ReadonlyMap<number, { readonly name: string; readonly factor: bigint }>;
  /** The trades of one taker order at one price, all in the same entry. */
  #aggregate: { readonly first: Trade; lots: number; lastTradeId: number } | undefined;

  constructor({ market, engine }: ListedSymbol, options: TradeRowOptions, open: () => RowSink) {
    super(open);
    this.#symbolId = market.symbolId;
    this.#scale = market.scale;
    this.#options = options;
    this.#quotePlaces = engine.asset(market.quoteAssetId).spec.precision;
    this.#assets = new Map(
      [market.baseAssetId, market.quoteAssetId].map((assetId) => {
        const { asset, precision } = engine.asset(assetId).spec;
        return [assetId, { name: asset, factor: 10n ** BigInt(WIRE_PLACES - precision) }];
      }),
    );
  }

  take(entry: Entry, events: readonly Event[]): void {
    if (entry.timeMs < this.#options.fromMs) return;
    for (const event of events) {
      if (event.type !== "trade" || event.symbolId !== this.#symbolId) continue;
      if (this.#options.layout === "full") this.#add(entry, event);
      else if (this.#options.layout === "archive") this.#addPublic(event);
      else this.#addTo(event);
    }
    this.#endAggregate();
  }

  #add(entry: Entry, trade: Trade): void {
    const { taker, maker } = trade;
    const row: Cell[] = [
      ...[trade.timeMs, entry.seq, trade.tradeId, trade.aggTradeId, trade.priceTicks, trade.lots, trade.quote],
      trade.takerSide === "SELL",
    ];
    for (const { order, commission, commissionAssetId } of [taker, maker]) {
      const asset = this.#assets.get(commissionAssetId);
      row.push(orderNumberOf(order.orderId), commission * (asset?.factor ?? 1n), asset?.name ?? "");
    }
    if (this.#options.withAccounts) row.push(taker.order.accountId, maker.order.accountId);
    this.add(row);
  }

  #addPublic(trade: Trade): void {
    const quoteQty = formatDecimal(trade.quote, this.#quotePlaces);
    const [price, qty] = this.#decimals(trade, trade.lots);
    this.add([String(trade.tradeId), price, qty, quoteQty, ...publicEnd(trade)]);
  }

  #addTo(trade: Trade): void {
    if (this.#aggregate?.first.aggTradeId === trade.aggTradeId) {
      this.#aggregate.lots += trade.lots;
      this.#aggregate.lastTradeId = trade.tradeId;
      return;
    }
    this.#endAggregate();
    this.#aggregate = { first: trade, lots: trade.lots, lastTradeId: trade.tradeId };
  }

  #endAggregate(): void {
    if (this.#aggregate === undefined) return;
    const { first, lots, lastTradeId } = this.#aggregate;
    this.#aggregate = undefined;
    const ids = [String(first.tradeId), String(lastTradeId)];
    this.add([String(first.aggTradeId), ...this.#decimals(first, lots), ...ids, ...publicEnd(first)]);
  }

  #decimals({ priceTicks }: Trade, lots: number): [price: string, qty: string] {
    return [fromScale(priceTicks, this.#scale.priceDecimals), fromScale(lots, this.#scale.quantityDecimals)];
  }
}

/** The last cells of a public trade: time, whether the buyer was the maker, and whether it was the best match. */
function publicEnd({ timeMs, takerSide }: Trade): Cell[] {
  return [archiveTime(timeMs), archiveBoolean(takerSide === "SELL"), archiveBoolean(true)];
}
