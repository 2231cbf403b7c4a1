/**
 * Reads ahead in message files, because some facts must be known before a message is replayed. A file mentions an older
 * order only when something happens to it, so the order's quantity is the sum of its later messages. The exchange
 * cannot reduce an order without loss of priority, so an order that is reduced later is placed as several orders in
 * sequence: reductions cancel the last ones, and executions fill the first.
 *
 * Also detects contradictory messages, by following the book as the file describes it.
 */
import type { Side } from "@pricetime/engine";
import type { MessageRow } from "../../../research/market-files/rows.ts";
import { opposite, REPLAY_LIMITS } from "../replay-shapes.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "../symbol-grid.ts";
import { type BookedOrder, cutKey, MessageBook, type StandingOrder } from "./message-book.ts";
import type { WindowPlan } from "./window-plan.ts";

export interface KnownOrders {
  /** Orders from before each file, sorted by id; the key is the number of the file. */
  readonly standing: ReadonlyMap<number, readonly StandingOrder[]>;
  /** The reductions of each order in sequence; the keys are those of `cutKey`. */
  readonly cuts: ReadonlyMap<string, readonly number[]>;
  /** Actions in addition to the messages, for files that have an order book file; the key is the number of the file. */
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

/** The state of the file that is being read. */
interface FileSeen {
  readonly file: number;
  readonly standing: Map<number, StandingOrder>;
  /** The open orders that began within the file. */
  readonly book: MessageBook<BegunOrder>;
  readonly gone: Set<number>;
  /**
   * The most aggressive order of each side, among orders that began within the file and among orders from before it.
   */
  readonly nearest: { readonly begun: Nearest; readonly standing: Nearest };
}

type Nearest = Partial<Record<Side, { readonly ticks: number; readonly orderId: number; readonly line: number }>>;

export class OrdersAhead {
  readonly #grid: SymbolGrid;
  readonly #standing = new Map<number, readonly StandingOrder[]>();
  readonly #cuts: Map<string, number[]>;
  #seen: FileSeen | undefined;
  #count = 0;

  /** `cuts`: the map that receives the reductions of orders. */
  constructor(grid: SymbolGrid, cuts: Map<string, number[]>) {
    this.#grid = grid;
    this.#cuts = cuts;
  }

  /** The orders from before each file; complete once all rows have been passed to `take`. */
  get known(): Pick<KnownOrders, "standing"> {
    this.#endFile();
    return { standing: this.#standing };
  }

  /**
   * Adds a message. Throws `OffGrid` for values that the symbol's units cannot represent, and for rows that contradict
   * earlier ones.
   */
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

  /** Records a message about an order from before the file. Such an order stays open until its last message. */
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

/** Whether an order trades with an order of the other side at `otherTicks`. */
function doMeet(side: Side, ticks: number, otherTicks: number): boolean {
  return side === "BUY" ? ticks >= otherTicks : ticks <= otherTicks;
}

function note(nearest: Nearest, { side, orderId, line }: MessageRow, ticks: number): void {
  const before = nearest[side];
  if (before === undefined || (side === "BUY" ? ticks > before.ticks : ticks < before.ticks)) {
    nearest[side] = { ticks, orderId, line };
  }
}
