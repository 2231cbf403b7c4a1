/** A symbol's book as rows: by level, by order, or in LOBSTER's layout. */
import assert from "node:assert/strict";
import {
  DAY_MS,
  type EngineView,
  type Entry,
  type Event,
  isClosed,
  type MarketView,
  openLotsOf,
  orderNumberOf,
  type OrderRecord,
  priceInEffect,
  type Side,
  type Trade,
} from "@pricetime/engine";
import type { Column, RowSink } from "../market-files/write-table.ts";
import { type Extractor, type ListedSymbol, RowExtractor, type TimeRange } from "./request.ts";
import {
  LOBSTER_HALT,
  LOBSTER_TYPE,
  type LobsterMeta,
  type LobsterRow,
  NS_A_MS,
} from "../market-files/lobster-files.ts";
import { applyMessage, LobsterDay, VisibleBook } from "../market-files/write-lobster.ts";
import type { OutputFile } from "../market-files/output-file.ts";

// Follows one symbol's book by its events: the visible quantity of each order, and the orders' priority. No event
// reports that an order begins to rest: it does so after the events of its own matching.

/** One change of the visible book. */
interface BookChange {
  /**
   * `add`: an order begins to rest, at the end of the queue at its price. `fill`: the order trades. `refresh`: the next
   * slice of an iceberg becomes visible, again at the end of the queue. `reduce`: an amendment, or
   * self-trade prevention, reduces the visible quantity, and the order keeps its place. `remove`: the order ends otherwise. `standing`: the order already rested at
   * the start of the range.
   */
  readonly kind: "add" | "fill" | "refresh" | "reduce" | "remove" | "standing";
  readonly order: StandingOrder;
  /** Number of lots that become visible or invisible. */
  readonly lots: number;
  /** The trade of a fill; otherwise 0. */
  readonly tradeId: number;
}

interface StandingOrder {
  readonly orderId: number;
  readonly accountId: number;
  readonly side: Side;
  readonly priceTicks: number;
  readonly shownLots: number;
  /** Remaining lots of the order, including the hidden part of an iceberg. */
  readonly leftLots: number;
}

interface Resting extends StandingOrder {
  /** Maximum size of the visible slice; 0: no limit. */
  readonly sliceLots: number;
  shownLots: number;
  leftLots: number;
}

export class BookFollower {
  readonly #symbolId: number;
  readonly #tell: (change: BookChange) => void;
  /** Resting orders in time priority. */
  readonly #resting = new Map<number, Resting>();
  /** The order that is being matched. Its remainder, if any, will rest. */
  #matching: OrderRecord | undefined;

  constructor(symbolId: number, tell: (change: BookChange) => void) {
    this.#symbolId = symbolId;
    this.#tell = tell;
  }

  /** Processes the events of an entry. Returns whether any of them concerned this symbol's orders. */
  take(events: readonly Event[]): boolean {
    let isOurs = false;
    for (const event of events) isOurs = this.#takeEvent(event) || isOurs;
    this.#rest();
    return isOurs;
  }

  /** The resting orders of a side: best price first, and in time priority at each price. */
  standing(side: Side): StandingOrder[] {
    const order = side === "BUY" ? -1 : 1;
    return [...this.#resting.values()]
      .filter((each) => each.side === side)
      .sort((a, b) => order * (a.priceTicks - b.priceTicks));
  }

  #takeEvent(event: Event): boolean {
    switch (event.type) {
      case "orderOpened":
      case "orderReleased":
        // A pending order of a list is placed before the working order has met the book.
        if (event.order.symbolId !== this.#symbolId || event.order.status === "PENDING_NEW") return false;
        this.#rest();
        if (event.order.isWorking) this.#matching = event.order;
        return true;
      case "trade":
        if (event.symbolId !== this.#symbolId) return false;
        this.#trade(event);
        return true;
      case "tradePrevented":
        if (event.symbolId !== this.#symbolId) return false;
        this.#prevent(event);
        return true;
      case "orderEnded":
        if (event.order.symbolId !== this.#symbolId) return false;
        this.#remove(event.order);
        return true;
      case "orderAmended":
        if (event.order.symbolId !== this.#symbolId) return false;
        this.#reduce(event.order);
        return true;
      default:
        return false;
    }
  }

  #trade({ maker, taker, lots, tradeId }: Trade): void {
    this.#matching = taker.order;
    const order = this.#resting.get(maker.order.orderId);
    assert(order !== undefined && order.shownLots >= lots, "who makes a trade stands in the book");
    this.#take(order, lots);
    this.#tell({ kind: "fill", order, lots, tradeId });
    this.#refresh(order);
  }

  /** The maker leaves the book, or loses visible lots as if it had traded. */
  #prevent({ taker, maker, makerLots }: Event<"tradePrevented">): void {
    this.#matching = taker;
    if (isClosed(maker.status)) return this.#remove(maker);
    const order = this.#resting.get(maker.orderId);
    if (makerLots === 0 || order === undefined) return;
    this.#take(order, makerLots);
    this.#tell({ kind: "reduce", order, lots: makerLots, tradeId: 0 });
    this.#refresh(order);
  }

  #take(order: Resting, lots: number): void {
    order.shownLots -= lots;
    order.leftLots -= lots;
  }

  /** Shows the next slice of an iceberg of which nothing is visible. */
  #refresh(order: Resting): void {
    if (order.shownLots > 0) return;
    this.#resting.delete(order.orderId);
    if (order.leftLots === 0) return;
    order.shownLots = Math.min(order.sliceLots, order.leftLots);
    this.#resting.set(order.orderId, order);
    this.#tell({ kind: "refresh", order, lots: order.shownLots, tradeId: 0 });
  }

  /** An order that has nothing left is removed by its end, which follows. */
  #reduce({ orderId, quantityLots, executedLots, preventedLots = 0 }: OrderRecord): void {
    const order = this.#resting.get(orderId);
    const leftLots = quantityLots - executedLots - preventedLots;
    if (order === undefined || leftLots <= 0) return;
    const lots = Math.max(0, order.shownLots - leftLots);
    order.leftLots = leftLots;
    order.shownLots -= lots;
    if (lots > 0) this.#tell({ kind: "reduce", order, lots, tradeId: 0 });
  }

  #remove({ orderId }: OrderRecord): void {
    if (this.#matching?.orderId === orderId) this.#matching = undefined;
    const order = this.#resting.get(orderId);
    if (order === undefined) return;
    this.#resting.delete(orderId);
    this.#tell({ kind: "remove", order, lots: order.shownLots, tradeId: 0 });
  }

  #rest(): void {
    const record = this.#matching;
    this.#matching = undefined;
    if (record === undefined || isClosed(record.status)) return;
    const { orderId, accountId, side, icebergLots: sliceLots } = record;
    const priceTicks = priceInEffect(record);
    const leftLots = openLotsOf(record);
    const shownLots = sliceLots === 0 ? leftLots : Math.min(sliceLots, leftLots);
    const order = { orderId, accountId, side, priceTicks, sliceLots, shownLots, leftLots };
    this.#resting.set(orderId, order);
    this.#tell({ kind: "add", order, lots: shownLots, tradeId: 0 });
  }
}

// The book level by level: after each entry, the new quantity at each price that changed, as in a depth stream.

export function bookLevelColumns({ market }: ListedSymbol): Column[] {
  return [
    { name: "time", kind: "time" },
    { name: "seq", kind: "integer" },
    { name: "isSnapshot", kind: "boolean" },
    { name: "side", kind: "text" },
    { name: "price", kind: "price", places: market.scale.priceDecimals },
    { name: "qty", kind: "price", places: market.scale.quantityDecimals },
  ];
}

export class BookLevelRows extends RowExtractor {
  readonly #range: TimeRange;
  readonly #book: BookFollower;
  readonly #levels: Readonly<Record<Side, Map<number, number>>> = { BUY: new Map(), SELL: new Map() };
  /** The levels that the current entry has changed, with their previous quantities. */
  readonly #touched: Readonly<Record<Side, Map<number, number>>> = { BUY: new Map(), SELL: new Map() };
  #hasBegun = false;

  constructor({ market }: ListedSymbol, range: TimeRange, open: () => RowSink) {
    super(open);
    this.#range = range;
    this.#book = new BookFollower(market.symbolId, (change) => this.#change(change));
  }

  take(entry: Entry, events: readonly Event[]): void {
    if (!this.#hasBegun && entry.timeMs >= this.#range.fromMs) this.#begin(entry.seq - 1);
    if (!this.#book.take(events)) return;
    for (const side of ["BUY", "SELL"] as const) {
      for (const [priceTicks, before] of this.#touched[side]) {
        const lots = this.#levels[side].get(priceTicks) ?? 0;
        if (this.#hasBegun && lots !== before) {
          this.add([entry.timeMs, entry.seq, false, side, priceTicks, lots]);
        }
      }
      this.#touched[side].clear();
    }
  }

  /** Writes the levels at the start of the range, best price first. */
  #begin(seq: number): void {
    this.#hasBegun = true;
    for (const side of ["BUY", "SELL"] as const) {
      const order = side === "BUY" ? -1 : 1;
      for (const [priceTicks, lots] of [...this.#levels[side]].sort(([a], [b]) => order * (a - b))) {
        this.add([this.#range.fromMs, seq, true, side, priceTicks, lots]);
      }
    }
  }

  #change({ kind, order: { side, priceTicks }, lots }: BookChange): void {
    const levels = this.#levels[side];
    const before = levels.get(priceTicks) ?? 0;
    if (!this.#touched[side].has(priceTicks)) this.#touched[side].set(priceTicks, before);
    const after = kind === "add" || kind === "refresh" ? before + lots : before - lots;
    if (after === 0) levels.delete(priceTicks);
    else levels.set(priceTicks, after);
  }
}

// LOBSTER's layout, one file per day (docs/decisions/0056). Each file begins with the orders that already rested. Each
// further slice of an iceberg is written as a new order with the same id.

const NOT_BEGUN = -1;
const { newOrder, partialCancel, execution, deletion } = LOBSTER_TYPE;
const TYPE_OF = {
  ...{ add: newOrder, refresh: newOrder, standing: newOrder },
  ...{ fill: execution, reduce: partialCancel, remove: deletion },
};

export interface LobsterOptions extends TimeRange {
  /** Number of levels in the orderbook file. */
  readonly levels: number;
}

export class LobsterRows implements Extractor {
  readonly #symbolId: number;
  readonly #meta: Omit<LobsterMeta, "epochDay">;
  readonly #fromMs: number;
  readonly #create: (name: string) => OutputFile;
  readonly #follower: BookFollower;
  /** The book as computed from the day's messages. */
  #book: VisibleBook;
  #day: LobsterDay | undefined;
  #epochDay = NOT_BEGUN;
  #timeMs = 0;
  #isTrading: boolean;
  rows = 0;

  /** `create`: creates a file with the given name. */
  constructor({ market }: ListedSymbol, { fromMs, levels }: LobsterOptions, create: (name: string) => OutputFile) {
    this.#symbolId = market.symbolId;
    const { priceDecimals: priceScale, quantityDecimals: sizeScale } = market.scale;
    this.#meta = { venue: "pricetime", symbol: market.spec.symbol, priceScale, sizeScale, levels };
    this.#fromMs = fromMs;
    this.#create = create;
    this.#isTrading = isTrading(market);
    this.#book = new VisibleBook(levels);
    this.#follower = new BookFollower(market.symbolId, (change) => this.#change(change));
  }

  take({ timeMs }: Entry, events: readonly Event[], engine: EngineView): void {
    this.#beginDay(timeMs);
    this.#timeMs = timeMs;
    this.#follower.take(events);
    const isListing = events.some((event) => event.type === "symbolChanged" && event.symbolId === this.#symbolId);
    if (isListing) this.#tellStatus(isTrading(engine.market(this.#symbolId)));
  }

  end(): void {}

  /** Begins a file with the resting orders. The first file begins with the range, further files begin at midnight. */
  #beginDay(timeMs: number): void {
    const epochDay = Math.floor(timeMs / DAY_MS);
    if (timeMs < this.#fromMs || epochDay === this.#epochDay) return;
    this.#epochDay = epochDay;
    this.#day = undefined;
    this.#timeMs = Math.max(this.#fromMs, epochDay * DAY_MS);
    this.#book = new VisibleBook(this.#meta.levels);
    for (const side of ["SELL", "BUY"] as const) {
      for (const order of this.#follower.standing(side)) this.#tell(LOBSTER_TYPE.newOrder, order, order.shownLots);
    }
  }

  #change({ kind, order, lots }: BookChange): void {
    this.#tell(TYPE_OF[kind], order, lots);
  }

  #tellStatus(isTradingNow: boolean): void {
    if (isTradingNow === this.#isTrading) return;
    this.#isTrading = isTradingNow;
    const price = isTradingNow ? LOBSTER_HALT.trading : LOBSTER_HALT.halted;
    this.#write({ type: LOBSTER_TYPE.halt, orderId: 0, size: 0, price, direction: -1 });
  }

  #tell(type: number, { orderId, priceTicks: price, side }: StandingOrder, size: number): void {
    this.#write({ type, orderId: orderNumberOf(orderId), size, price, direction: side === "BUY" ? 1 : -1 });
  }

  #write(message: Omit<LobsterRow, "timeNs">): void {
    const epochDay = this.#epochDay;
    if (epochDay === NOT_BEGUN) return;
    const row = { ...message, timeNs: (this.#timeMs - epochDay * DAY_MS) * NS_A_MS };
    applyMessage(this.#book, row);
    this.#day ??= new LobsterDay({ ...this.#meta, epochDay }, this.#create);
    this.#day.add(row, this.#book);
    this.rows++;
  }
}

function isTrading({ spec }: MarketView): boolean {
  return spec.status === "TRADING";
}

// The book order by order: one row each time an order begins to rest, trades, shows its next slice, shows less after an
// amendment, or ends.

export interface BookOrderOptions extends TimeRange {
  readonly withAccounts: boolean;
}

export function bookOrderColumns({ market }: ListedSymbol, { withAccounts }: BookOrderOptions): Column[] {
  const quantity = { kind: "price", places: market.scale.quantityDecimals } as const;
  return [
    { name: "time", kind: "time" },
    { name: "seq", kind: "integer" },
    { name: "event", kind: "text" },
    { name: "orderId", kind: "integer" },
    { name: "side", kind: "text" },
    { name: "price", kind: "price", places: market.scale.priceDecimals },
    { name: "qty", ...quantity },
    { name: "shownQty", ...quantity },
    { name: "tradeId", kind: "integer", isOptional: true },
    ...(withAccounts ? ([{ name: "account", kind: "integer" }] as const) : []),
  ];
}

export class BookOrderRows extends RowExtractor {
  readonly #options: BookOrderOptions;
  readonly #book: BookFollower;
  #hasBegun = false;
  #timeMs = 0;
  #seq = 0;

  constructor({ market }: ListedSymbol, options: BookOrderOptions, open: () => RowSink) {
    super(open);
    this.#options = options;
    this.#book = new BookFollower(market.symbolId, (change) => this.#tell(change));
  }

  take({ timeMs, seq }: Entry, events: readonly Event[]): void {
    if (!this.#hasBegun && timeMs >= this.#options.fromMs) this.#begin(seq - 1);
    this.#timeMs = timeMs;
    this.#seq = seq;
    this.#book.take(events);
  }

  /** Writes the orders resting at the start of the range: best price first, and in time priority at each price. */
  #begin(seq: number): void {
    this.#hasBegun = true;
    this.#timeMs = this.#options.fromMs;
    this.#seq = seq;
    for (const order of [...this.#book.standing("BUY"), ...this.#book.standing("SELL")]) {
      this.#tell({ kind: "standing", order, lots: order.shownLots, tradeId: 0 });
    }
  }

  #tell({ kind, order, lots, tradeId }: BookChange): void {
    if (!this.#hasBegun) return;
    const { orderId, side, priceTicks, accountId } = order;
    const shownLots = kind === "remove" ? 0 : order.shownLots;
    this.add([
      ...[this.#timeMs, this.#seq, kind, orderNumberOf(orderId), side, priceTicks, lots, shownLots],
      tradeId === 0 ? null : tradeId,
      ...(this.#options.withAccounts ? [accountId] : []),
    ]);
  }
}
