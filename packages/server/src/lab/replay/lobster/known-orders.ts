/**
 * What must be known of messages before they are played. A file mentions an order from before it only when something
 * happens to the order, so the order's quantity is the sum of all that happens to it. And the exchange cannot make an
 * order smaller in its place, so an order that is cut later is placed as several, one behind the other; cuts cancel
 * those at the end, and executions take from the first.
 *
 * Messages that cannot all be true are found here, too: the book is followed as the file tells it.
 */
import type { Side } from "@pricetime/engine";
import type { MessageRow } from "../../../research/market-files/rows.ts";
import { opposite, REPLAY_LIMITS } from "../replay-shapes.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "../symbol-grid.ts";
import { type BookedOrder, cutKey, MessageBook, type StandingOrder } from "./message-book.ts";
import type { WindowPlan } from "./window-plan.ts";

export interface KnownOrders {
  /** Orders from before each file, in the order of their ids, by file. */
  readonly standing: ReadonlyMap<number, readonly StandingOrder[]>;
  /** The quantities by which each order is cut, in turn, by `cutKey`. */
  readonly cuts: ReadonlyMap<string, readonly number[]>;
  /** What is done besides the messages of files that have a file of the book beside them, by file. */
  readonly plans: ReadonlyMap<number, WindowPlan>;
}

interface BegunOrder extends BookedOrder {
  readonly line: number;
}

interface Message {
  readonly row: MessageRow;
  readonly ticks: number;
  readonly lots: number;
}

/** A file as far as it was read. */
interface FileSeen {
  readonly file: number;
  readonly standing: Map<number, StandingOrder>;
  /** The orders that the file begins, while they stand. */
  readonly book: MessageBook<BegunOrder>;
  readonly gone: Set<number>;
  /** On each side the order that came nearest to the other one, of those that the file begins and of those before it. */
  readonly nearest: { readonly begun: Nearest; readonly standing: Nearest };
}

type Nearest = Partial<Record<Side, { readonly ticks: number; readonly orderId: number; readonly line: number }>>;

export class OrdersAhead {
  readonly #grid: SymbolGrid;
  readonly #standing = new Map<number, readonly StandingOrder[]>();
  readonly #cuts: Map<string, number[]>;
  #seen: FileSeen | undefined;
  #count = 0;

  /** `cuts`: where the quantities go by which orders are cut. */
  constructor(grid: SymbolGrid, cuts: Map<string, number[]>) {
    this.#grid = grid;
    this.#cuts = cuts;
  }

  /** To be asked for when all rows were taken in. */
  get known(): Pick<KnownOrders, "standing"> {
    this.#endFile();
    return { standing: this.#standing };
  }

  /** Throws `OffGrid` for what the symbol cannot hold, and for what cannot be after the rows before it. */
  take(row: MessageRow, file: number): { readonly ticks: number; readonly lots: number } {
    const { type } = row;
    if (type === "auction" || type === "halt" || type === "executed hidden") return { ticks: 0, lots: 0 };
    const ticks = this.#grid.ticksOf(decimalOf(row.price, row.priceScale));
    const lots = this.#grid.lotsOf(decimalOf(row.size, row.sizeScale));
    if (lots === 0) throw new OffGrid("its size is 0");
    const message = { row, ticks, lots };
    if (this.#seen?.file !== file) this.#endFile();
    const seen = (this.#seen ??= newlySeen(file));
    const begun = seen.book.get(row.orderId);
    if (type === "new") this.#begin(seen, message);
    else if (begun !== undefined) this.#change(seen, begun, message);
    else this.#mention(seen, message);
    return { ticks, lots };
  }

  #begin({ book, gone, nearest }: FileSeen, { row, ticks, lots }: Message): void {
    const { orderId, side, line } = row;
    if (book.get(orderId) !== undefined) throw new OffGrid(`order ${orderId} is in the book already`);
    const best = book.best(opposite(side));
    if (best !== undefined && doMeet(side, ticks, best.ticks)) {
      throw new OffGrid(`order ${orderId} would trade with order ${best.orderId}, which stands in the book`);
    }
    this.#counted();
    gone.delete(orderId);
    book.add({ orderId, side, ticks, lots, line });
    note(nearest.begun, row, ticks);
  }

  #change({ book, gone, file }: FileSeen, order: BegunOrder, message: Message): void {
    const { row, lots } = message;
    const { type, orderId } = row;
    this.#checkPlace(order, message);
    if (lots > order.lots || (type === "deleted" && lots < order.lots)) {
      const has = this.#grid.quantityOf(order.lots);
      throw new OffGrid(`order ${orderId} is ${type} by ${this.#grid.quantityOf(lots)}, and has ${has}`);
    }
    if (type === "reduced") this.#cut(cutKey(file, orderId, order.line), lots);
    order.lots -= lots;
    if (order.lots > 0) return;
    book.remove(order);
    gone.add(orderId);
  }

  /** Takes in a message of an order from before the file, which stands up to its last one. */
  #mention({ standing, gone, nearest, file }: FileSeen, message: Message): void {
    const { row, ticks, lots } = message;
    const { type, orderId, side } = row;
    if (gone.has(orderId)) throw new OffGrid(`order ${orderId} is not in the book any more`);
    let order = standing.get(orderId);
    if (order === undefined) {
      this.#counted();
      order = { orderId, side, ticks, lots: 0 };
      standing.set(orderId, order);
      note(nearest.standing, row, ticks);
    }
    this.#checkPlace(order, message);
    for (const { [opposite(side)]: other } of [nearest.standing, nearest.begun]) {
      if (other === undefined || !doMeet(side, ticks, other.ticks)) continue;
      const which = `order ${other.orderId} of line ${other.line}`;
      throw new OffGrid(`order ${orderId} stands from before the file, and would have traded with ${which}`);
    }
    order.lots += lots;
    if (type === "reduced") this.#cut(cutKey(file, orderId, 0), lots);
    else if (type === "deleted") gone.add(orderId);
  }

  #checkPlace(order: Pick<StandingOrder, "side" | "ticks">, { row, ticks }: Message): void {
    if (order.side === row.side && order.ticks === ticks) return;
    const [was, is] = [order.ticks, ticks].map((each) => this.#grid.priceOf(each));
    throw new OffGrid(`order ${row.orderId} is a ${order.side} at ${was}, and here a ${row.side} at ${is}`);
  }

  #cut(key: string, lots: number): void {
    const cuts = this.#cuts.get(key);
    if (cuts === undefined) this.#cuts.set(key, [lots]);
    else cuts.push(lots);
  }

  #endFile(): void {
    if (this.#seen === undefined) return;
    const { file, standing } = this.#seen;
    this.#standing.set(
      file,
      [...standing.values()].sort((a, b) => a.orderId - b.orderId),
    );
    this.#seen = undefined;
  }

  #counted(): void {
    this.#count++;
    if (this.#count > REPLAY_LIMITS.maxKnownOrders) {
      throw new OffGrid(`the files tell of more than ${REPLAY_LIMITS.maxKnownOrders} orders`);
    }
  }
}

function newlySeen(file: number): FileSeen {
  const nearest = { begun: {}, standing: {} };
  return { file, standing: new Map(), book: new MessageBook(), gone: new Set(), nearest };
}

/** Whether an order trades with one of the other side at this price. */
function doMeet(side: Side, ticks: number, otherTicks: number): boolean {
  return side === "BUY" ? ticks >= otherTicks : ticks <= otherTicks;
}

function note(nearest: Nearest, { side, orderId, line }: MessageRow, ticks: number): void {
  const before = nearest[side];
  if (before === undefined || (side === "BUY" ? ticks > before.ticks : ticks < before.ticks)) {
    nearest[side] = { ticks, orderId, line };
  }
}
