/**
 * Plans the actions of a replay in addition to the messages of a file that covers only a few levels of the book: when a
 * price reenters the visible levels, orders at it may have disappeared or appeared. The order book file contains the
 * total at each price, and later messages show which orders it consists of; the rest becomes an order without a number.
 * Prices outside the visible levels keep their last known state.
 */
import type { Side } from "@pricetime/engine";
import type { BookRow } from "../../../research/market-files/lobster-files.ts";
import type { MessageRow } from "../../../research/market-files/rows.ts";
import { opposite, REPLAY_LIMITS } from "../replay-shapes.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "../symbol-grid.ts";
import { cutKey, type UnannouncedOrders, WindowBook, type WindowLevel, type WindowOrder } from "./message-book.ts";

interface OrderChange {
  readonly kind: "cut" | "delete";
  readonly orderId: number;
}

export type BookChange = { readonly kind: "place"; readonly orders: UnannouncedOrders } | OrderChange;

/** The part of an order that a message removes. `isWhole`: the entire order is removed. */
interface Share {
  readonly orderId: number;
  readonly line: number;
  readonly lots: number;
  readonly isWhole: boolean;
}

/** Actions in addition to the messages of a file, by the line of the message. */
export interface WindowPlan {
  readonly before: ReadonlyMap<number, readonly BookChange[]>;
  readonly after: ReadonlyMap<number, readonly BookChange[]>;
  /** Replacements for the actions of a message, if they concern another order than the one that it names. */
  readonly instead: ReadonlyMap<number, readonly OrderChange[]>;
  /** The order that an execution fills, if it is not the one that the execution names. */
  readonly hits: ReadonlyMap<number, number>;
  readonly standing: readonly UnannouncedOrders[];
}

/** The extent to which the order book file and the messages agree. */
export interface BookReport {
  readonly rows: number;
  /** The number of rows that the messages explain completely, ignoring prices that have just become visible. */
  readonly equalRows: number;
  /** The number of orders, or parts of orders, that appeared or disappeared without a message. */
  readonly came: number;
  readonly vanished: number;
}

/** The quantity in lots of each order that later messages refer to, by the line where the order begins. */
export class LaterMentions {
  readonly #lines = new Map<number, number>();
  readonly #lots = new Map<number, number>();

  take({ type, orderId, line }: MessageRow, lots: number): void {
    if (type === "new") {
      if (this.#lots.size >= REPLAY_LIMITS.maxKnownOrders) {
        throw new OffGrid(`the files tell of more than ${REPLAY_LIMITS.maxKnownOrders} orders`);
      }
      this.#lines.set(orderId, line);
      this.#lots.set(line, 0);
      return;
    }
    const begun = this.#lines.get(orderId);
    if (begun !== undefined) this.#lots.set(begun, (this.#lots.get(begun) ?? 0) + lots);
  }

  of(line: number): number {
    return this.#lots.get(line) ?? 0;
  }
}

type Levels = ReadonlyMap<number, number>;
const SIDES = ["BUY", "SELL"] as const;

export class WindowPlanner {
  readonly #grid: SymbolGrid;
  readonly #file: number;
  readonly #later: LaterMentions;
  /** The reductions of each order in sequence; the keys are those of `cutKey`. */
  readonly #cuts: Map<string, number[]>;
  readonly #book = new WindowBook();
  readonly #before = new Map<number, BookChange[]>();
  readonly #after = new Map<number, BookChange[]>();
  readonly #instead = new Map<number, OrderChange[]>();
  readonly #hits = new Map<number, number>();
  readonly #standing: UnannouncedOrders[] = [];
  /** For each order that appeared without a message, by id: the order in the book that contains it. */
  readonly #nameIn = new Map<number, WindowOrder>();
  readonly #ticks = new Map<number, number>();
  #shown: Readonly<Record<Side, Levels>> | undefined;
  #lastId = 0;
  #rows = 0;
  #equalRows = 0;
  #came = 0;
  #vanished = 0;
  /** The first line at which the book differs; 0 if there is none. */
  #firstOther = 0;

  constructor(grid: SymbolGrid, file: number, later: LaterMentions, cuts: Map<string, number[]>) {
    this.#grid = grid;
    this.#file = file;
    this.#later = later;
    this.#cuts = cuts;
  }

  get plan(): WindowPlan {
    const [before, after, instead, hits] = [this.#before, this.#after, this.#instead, this.#hits];
    return { before, after, instead, hits, standing: this.#standing };
  }

  get report(): BookReport {
    return { rows: this.#rows, equalRows: this.#equalRows, came: this.#came, vanished: this.#vanished };
  }

  get firstOther(): number {
    return this.#firstOther;
  }

  /**
   * Adds a message. `shown`: the book after the message; undefined after the end of the order book file. Throws
   * `OffGrid`.
   */
  take(row: MessageRow, shown: BookRow | undefined): void {
    const levels = shown && { BUY: this.#levelsOf(row, shown.bids), SELL: this.#levelsOf(row, shown.asks) };
    const isOfOrder = row.type !== "auction" && row.type !== "halt" && row.type !== "executed hidden";
    const ticks = isOfOrder ? this.#ticksOf(row.price, row.priceScale) : 0;
    const lots = isOfOrder ? this.#lotsOf(row.size, row.sizeScale) : 0;
    if (this.#shown === undefined && levels !== undefined) this.#begin(row, ticks, lots, levels);
    if (row.type === "new") this.#new(row, ticks, lots);
    else if (isOfOrder) this.#mention(row, ticks, lots);
    if (shown === undefined || levels === undefined) return;
    this.#rows++;
    const isExplained = this.#correct(row.line, levels, shown.levels) || row.type === "auction";
    if (isExplained) this.#equalRows++;
    else this.#firstOther ||= row.line;
    this.#shown = levels;
  }

  /**
   * Computes the book before the first message: the first row of the order book file with the message's effect undone.
   */
  #begin({ type, side }: MessageRow, ticks: number, lots: number, levels: Readonly<Record<Side, Levels>>): void {
    for (const each of SIDES) {
      const before = new Map(levels[each]);
      if (each === side && lots > 0) {
        const left = (before.get(ticks) ?? 0) + (type === "new" ? -lots : lots);
        if (left > 0) before.set(ticks, left);
        else before.delete(ticks);
      }
      for (const [price, sum] of before) this.#standing.push(this.#unannounced(each, price, sum, 0));
    }
  }

  #new({ orderId, side, line }: MessageRow, ticks: number, lots: number): void {
    const before = this.#book.get(orderId);
    if (before !== undefined) this.#remove(before, before.lots, line, this.#before);
    this.#nameIn.delete(orderId);
    for (;;) {
      const across = this.#book.best(opposite(side));
      if (across === undefined || (side === "BUY" ? across.ticks > ticks : across.ticks < ticks)) break;
      for (const order of [...across.orders]) this.#remove(order, order.lots, line, this.#before);
    }
    this.#book.add({ orderId, side, ticks, line, lots, need: this.#later.of(line), unannounced: null });
  }

  #mention(row: MessageRow, ticks: number, lots: number): void {
    const { orderId, side, type, line } = row;
    const shares: Share[] = [];
    let left = lots;
    const take = (order: WindowOrder, most: number): void => {
      const taken = Math.min(left, most);
      if (taken <= 0) return;
      left -= taken;
      shares.push(this.#takeFrom(order, taken));
    };
    const own = this.#book.get(orderId);
    if (own !== undefined && own.side === side && own.ticks === ticks) {
      own.need = Math.max(0, own.need - lots);
      take(own, own.lots);
    } else if (own === undefined) {
      const share = this.#name(row, ticks, left);
      left -= share?.lots ?? 0;
      if (share !== undefined) shares.push(share);
    }
    const orders = this.#book.level(side, ticks)?.orders ?? [];
    for (const order of [...orders]) if (order.unannounced !== null) take(order, order.lots);
    for (const order of [...orders]) take(order, order.lots - order.need);
    for (const order of [...orders]) take(order, order.lots);
    if (left > 0) {
      this.#came++;
      take(this.#placeBefore(side, ticks, left, line), left);
    }
    const [first] = shares;
    if (type === "executed") {
      if (shares.length > 1) this.#joined(row, ticks, shares);
      else if (first !== undefined && first.orderId !== orderId) this.#hits.set(line, first.orderId);
    } else {
      const instead = shares.map((share) => this.#ended(share));
      const isAsSaid = instead.length === 1 && first?.orderId === orderId && (type === "deleted") === first.isWhole;
      if (!isAsSaid) this.#instead.set(line, instead);
    }
  }

  /** Assigns an order that appeared without a message the id from the first message that names it. */
  #name({ orderId, side, type }: MessageRow, ticks: number, lots: number): Share | undefined {
    const known = this.#nameIn.get(orderId);
    const isThere = (order: WindowOrder): boolean => order.unannounced !== null && order.lots > 0;
    const inLevel = this.#book.level(side, ticks)?.orders ?? [];
    const within =
      known ?? inLevel.find((order) => isThere(order) && order.lots >= lots) ?? inLevel.find((order) => isThere(order));
    const orders = within?.unannounced;
    if (within === undefined || orders === null || orders === undefined) return undefined;
    if (within.ticks !== ticks || within.side !== side || within.lots <= 0) return undefined;
    const taken = Math.min(lots, within.lots);
    const { named, rest, line } = orders;
    const order = named.get(orderId) ?? { orderId, side, ticks, lots: 0 };
    order.lots += taken;
    rest.lots -= taken;
    named.set(orderId, order);
    this.#nameIn.set(orderId, within);
    this.#book.reduce(within, taken);
    return { orderId, line, lots: taken, isWhole: type === "deleted" };
  }

  /**
   * Replaces several orders by a single one before an execution that fills all of them, because it would otherwise
   * produce several trades.
   */
  #joined({ side, line }: MessageRow, ticks: number, shares: readonly Share[]): void {
    const before = changesAt(this.#before, line);
    for (const share of shares) before.push(this.#ended(share));
    const lots = shares.reduce((sum, share) => sum + share.lots, 0);
    this.#hits.set(line, this.#takeFrom(this.#placeBefore(side, ticks, lots, line), lots).orderId);
  }

  /** Returns the change for a part of an order that is removed without an execution. */
  #ended({ orderId, line, lots, isWhole }: Share): OrderChange {
    if (!isWhole) this.#cut(orderId, line, lots);
    return { kind: isWhole ? "delete" : "cut", orderId };
  }

  #placeBefore(side: Side, ticks: number, lots: number, line: number): WindowOrder {
    const orders = this.#unannounced(side, ticks, lots, -line);
    changesAt(this.#before, line).push({ kind: "place", orders });
    return this.#book.get(orders.rest.orderId) as WindowOrder;
  }

  /**
   * Adjusts the orders at visible prices to the order book file. Returns whether only prices that have just become
   * visible differed.
   */
  #correct(line: number, levels: Readonly<Record<Side, Levels>>, room: number): boolean {
    let isExplained = true;
    const differs = (side: Side, ticks: number): void => {
      if (this.#shown?.[side].has(ticks) !== false) isExplained = false;
    };
    for (const side of SIDES) {
      const isFull = levels[side].size === room;
      const worst = isFull ? [...levels[side].keys()].at(-1) : undefined;
      for (const level of this.#book.within(side, worst)) {
        const excess = level.sum - (levels[side].get(level.ticks) ?? 0);
        if (excess <= 0) continue;
        differs(side, level.ticks);
        this.#vanish(level, excess, line);
      }
    }
    for (const side of SIDES) {
      for (const [ticks, sum] of levels[side]) {
        const missing = sum - (this.#book.level(side, ticks)?.sum ?? 0);
        if (missing <= 0) continue;
        differs(side, ticks);
        const across = this.#book.best(opposite(side))?.ticks;
        const isCrossed = across !== undefined && (side === "BUY" ? ticks >= across : ticks <= across);
        if (isCrossed) continue;
        this.#came++;
        changesAt(this.#after, line).push({ kind: "place", orders: this.#unannounced(side, ticks, missing, -line) });
      }
    }
    return isExplained;
  }

  /** Removes `lots` at a price: first from orders that no later message names, because the named ones still exist. */
  #vanish({ orders }: WindowLevel, lots: number, line: number): void {
    let left = lots;
    const take = (order: WindowOrder, most: number): void => {
      const taken = Math.min(left, most);
      if (taken <= 0) return;
      left -= taken;
      this.#remove(order, taken, line, this.#after);
    };
    for (const order of [...orders]) if (order.unannounced === null) take(order, order.lots - order.need);
    for (const order of [...orders]) if (order.unannounced !== null) take(order, order.lots);
    for (const order of [...orders]) take(order, order.lots);
  }

  #remove(order: WindowOrder, lots: number, line: number, changes: Map<number, BookChange[]>): void {
    this.#vanished++;
    changesAt(changes, line).push(this.#ended(this.#takeFrom(order, lots)));
  }

  #takeFrom(order: WindowOrder, lots: number): Share {
    const { orderId, line } = order;
    const isWhole = lots === order.lots;
    this.#book.reduce(order, lots);
    return { orderId, line, lots, isWhole };
  }

  #unannounced(side: Side, ticks: number, lots: number, line: number): UnannouncedOrders {
    this.#lastId--;
    const orderId = this.#lastId;
    const orders = { line, named: new Map(), rest: { orderId, side, ticks, lots } };
    this.#book.add({ orderId, side, ticks, line, lots, need: 0, unannounced: orders });
    return orders;
  }

  #cut(orderId: number, line: number, lots: number): void {
    const key = cutKey(this.#file, orderId, line);
    const cuts = this.#cuts.get(key);
    if (cuts === undefined) this.#cuts.set(key, [lots]);
    else cuts.push(lots);
  }

  #levelsOf({ priceScale, sizeScale }: MessageRow, side: readonly number[]): Levels {
    const levels = new Map<number, number>();
    for (let at = 0; at < side.length; at += 2) {
      levels.set(this.#ticksOf(side[at] as number, priceScale), this.#lotsOf(side[at + 1] as number, sizeScale));
    }
    return levels;
  }

  #ticksOf(price: number, scale: number): number {
    let ticks = this.#ticks.get(price);
    if (ticks === undefined) {
      ticks = this.#grid.ticksOf(decimalOf(price, scale));
      this.#ticks.set(price, ticks);
    }
    return ticks;
  }

  #lotsOf(size: number, scale: number): number {
    const lots = this.#grid.lotsOf(decimalOf(size, scale));
    if (lots === 0) throw new OffGrid("its size is 0");
    return lots;
  }
}

function changesAt(changes: Map<number, BookChange[]>, line: number): BookChange[] {
  let at = changes.get(line);
  if (at === undefined) changes.set(line, (at = []));
  return at;
}
