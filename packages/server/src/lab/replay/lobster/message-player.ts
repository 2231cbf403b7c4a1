/**
 * Replays messages order by order: each order of the file becomes an order of the replay, and each visible execution
 * fills the order that it names. If other orders precede it in the exchange's queue, because other traders took
 * liquidity or because the recorded venue had other rules, they are moved aside for the execution.
 */
import { type EngineView, openLotsOf, type Side, type Trade } from "@pricetime/engine";
import { z } from "zod";
import { BadMarketFile, type MarketRow, type MessageRow } from "../../../research/market-files/rows.ts";
import type { SavedValue } from "../../../platform/world/port.ts";
import { readSaved } from "../../../platform/world/saved-state.ts";
import { type ForeignOrders, JOB_OF } from "../band.ts";
import type { OrderSender, ReplayAccounts } from "../replay-orders.ts";
import { type Impact, opposite, type Player, lotsOf } from "../replay-shapes.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "../symbol-grid.ts";
import type { KnownOrders } from "./known-orders.ts";
import { type BookedOrder, cutKey, MessageBook, type UnannouncedOrders } from "./message-book.ts";
import type { BookChange, WindowPlan } from "./window-plan.ts";

export interface MessagePlayerParts {
  readonly grid: SymbolGrid;
  readonly sender: OrderSender;
  readonly others: ForeignOrders;
  readonly impact: Impact;
  readonly view: EngineView;
  readonly symbolId: number;
  readonly accounts: ReplayAccounts;
  readonly known: () => Promise<KnownOrders>;
}

/** An order of the file as it is in the exchange's book; `lots` is the quantity that can still be executed. */
interface RecordedOrder extends BookedOrder {
  /** Quantities placed behind the order only to be canceled later, by the number of the reduction. */
  readonly cuts: Map<number, number>;
}

interface Execution {
  readonly line: number;
  readonly orderId: number;
  readonly ticks: number;
  readonly lots: number;
}

const SAVED = z.strictObject({
  file: z.int(),
  skipped: z.int(),
  isDisturbed: z.boolean(),
  /** The number of reductions so far of each open order. */
  made: z.array(z.tuple([z.int(), z.int()])),
});

/** The format of order ids. Orders that no message names have negative numbers. */
const ID = /^L(-?[0-9]+)(?:-([0-9]+))?$/;
const idOf = (orderId: number): string => `L${orderId}`;
const cutIdOf = (orderId: number, cut: number): string => `L${orderId}-${cut}`;

export class MessagePlayer implements Player {
  readonly #parts: MessagePlayerParts;
  readonly #book = new MessageBook<RecordedOrder>();
  #known: KnownOrders | undefined;
  #file: number;
  #skipped: number;
  /** Whether another trader has filled an order of the replay, so that the book no longer matches the file exactly. */
  #isDisturbed: boolean;
  readonly #made: Map<number, number>;
  #run: Execution[] = [];
  #side: Side = "BUY";
  #timeMs = -1;
  /** Book changes that follow the last execution of the current run. */
  #due: readonly BookChange[] = [];

  constructor(parts: MessagePlayerParts, saved?: SavedValue) {
    const state = saved === undefined ? undefined : readSaved("messages of a replay", SAVED, saved);
    this.#parts = parts;
    this.#file = state?.file ?? -1;
    this.#skipped = state?.skipped ?? 0;
    this.#isDisturbed = state?.isDisturbed ?? false;
    this.#made = new Map(state?.made);
    if (state !== undefined) this.#takeUp();
  }

  get skipped(): number {
    return this.#skipped;
  }

  toSave(): SavedValue {
    const made = [...this.#made].filter(([orderId]) => this.#book.get(orderId) !== undefined);
    return { file: this.#file, skipped: this.#skipped, isDisturbed: this.#isDisturbed, made };
  }

  goesOn(row: MarketRow): boolean {
    const last = this.#run.at(-1);
    if (last === undefined || row.kind !== "message" || row.type !== "executed") return false;
    if (row.timeMs !== this.#timeMs || row.side !== this.#side) return false;
    // A taker fills an order only once, so a second execution of the order at the same time belongs to another taker.
    if (row.orderId === last.orderId || this.#due.length > 0) return false;
    if (this.#plan?.before.has(row.line) === true) return false;
    const ticks = this.#ticksOf(row);
    return this.#side === "SELL" ? ticks >= last.ticks : ticks <= last.ticks;
  }

  /**
   * Starts the file unless it was already started. Each file has its own initial book: the orders from before it are
   * placed in the order of their ids.
   */
  async begin(file: number): Promise<void> {
    this.#known ??= await this.#parts.known();
    if (file === this.#file) return;
    const { sender } = this.#parts;
    this.#file = file;
    sender.cancelAll("bids");
    sender.cancelAll("asks");
    this.#book.clear();
    this.#made.clear();
    for (const { orderId, side, ticks, lots } of this.#known.standing.get(file) ?? []) {
      this.#place({ orderId, side, ticks, lots, line: 0 });
    }
    for (const orders of this.#plan?.standing ?? []) this.#placeAll(orders);
  }

  take(row: MarketRow): void {
    if (row.kind !== "message") throw new TypeError(`a ${row.kind} is no message`);
    const { type, line } = row;
    const after = this.#plan?.after.get(line) ?? [];
    this.#apply(this.#plan?.before.get(line) ?? []);
    if (type === "executed hidden" || type === "auction" || type === "halt") this.#skipped++;
    else this.#takeOrder(row);
    if (type === "executed") this.#due = after;
    else this.#apply(after);
  }

  #takeOrder(row: MessageRow): void {
    const { orderId, side, type, line } = row;
    const ticks = this.#ticksOf(row);
    const lots = this.#parts.grid.lotsOf(decimalOf(row.size, row.sizeScale));
    const plan = this.#plan;
    const instead = plan?.instead.get(line);
    if (type === "new") this.#place({ orderId, side, ticks, lots, line });
    else if (type === "executed") {
      this.#side = side;
      this.#timeMs = row.timeMs;
      this.#run.push({ orderId: plan?.hits.get(line) ?? orderId, ticks, lots, line });
    } else if (instead !== undefined) this.#apply(instead);
    else if (type === "reduced") this.#reduce(orderId);
    else this.#delete(orderId);
  }

  /** Applies changes that the order book file shows but that have no message. */
  #apply(changes: readonly BookChange[]): void {
    for (const change of changes) {
      if (change.kind === "place") this.#placeAll(change.orders);
      else if (change.kind === "cut") this.#reduce(change.orderId);
      else this.#delete(change.orderId);
    }
  }

  /** Places orders that messages name, in the order of their ids, and then the one that no message names. */
  #placeAll({ line, named, rest }: UnannouncedOrders): void {
    const inOrder = [...named.values()].sort((a, b) => a.orderId - b.orderId);
    for (const order of [...inOrder, rest]) if (order.lots > 0) this.#place({ ...order, line });
  }

  get #plan(): WindowPlan | undefined {
    return this.#known?.plans.get(this.#file);
  }

  async end(): Promise<void> {
    const run = this.#run;
    this.#run = [];
    await this.#execution(run);
    const due = this.#due;
    this.#due = [];
    this.#apply(due);
  }

  async #execution(run: readonly Execution[]): Promise<void> {
    const last = run.at(-1);
    if (last === undefined) return;
    const { others, sender } = this.#parts;
    if (others.isEmpty && !this.#isDisturbed && this.#isInOrder(run)) {
      this.#taker(last.ticks, lotsOf(run));
      for (const { orderId, lots } of run) this.#executed(this.#book.get(orderId), lots);
      return;
    }
    await sender.flush();
    for (const execution of run) await this.#execute(execution);
  }

  async rest(): Promise<void> {}

  ownTaken({ maker, taker, lots }: Trade): void {
    if (this.#parts.others.isOwn(taker.order.accountId)) return;
    this.#isDisturbed = true;
    const [, orderId, cut] = ID.exec(maker.order.clientOrderId) ?? [];
    const order = this.#book.get(Number(orderId));
    if (order === undefined) return;
    if (cut === undefined) this.#executed(order, lots);
    else this.#cutBy(order, Number(cut), lots);
  }

  #ticksOf(row: MessageRow): number {
    return this.#parts.grid.ticksOf(decimalOf(row.price, row.priceScale));
  }

  /** `line`: the line at which the order begins; 0 if it begins before the file. */
  #place({ orderId, side, ticks, lots, line }: BookedOrder & { readonly line: number }): void {
    if (this.#book.get(orderId) !== undefined) throw new OffGrid(`order ${orderId} is in the book already`);
    this.#makeRoom(orderId, side, ticks);
    const sizes = this.#known?.cuts.get(cutKey(this.#file, orderId, line)) ?? [];
    const cuts = new Map(sizes.map((size, number) => [number, size] as const));
    const left = lots - sizes.reduce((sum, size) => sum + size, 0);
    if (left < 0) throw new OffGrid(`order ${orderId} is cut by more than it has`);
    this.#made.delete(orderId);
    this.#add({ orderId, side, ticks, lots: left, cuts });
  }

  /**
   * Places the remaining quantity first and the quantity that is canceled next last, so that quantities that stay
   * longer have priority.
   */
  #add(order: RecordedOrder): void {
    const { orderId, side, ticks, lots, cuts } = order;
    const { sender } = this.#parts;
    if (lots > 0) sender.place(JOB_OF[side], { side, ticks, lots, id: idOf(orderId) });
    for (const [cut, size] of [...cuts].reverse()) {
      sender.place(JOB_OF[side], { side, ticks, lots: size, id: cutIdOf(orderId, cut) });
    }
    this.#book.add(order);
  }

  /** Removes orders with which an order of the file would trade when it is placed. */
  #makeRoom(orderId: number, side: Side, ticks: number): void {
    const across = opposite(side);
    for (;;) {
      const order = this.#book.best(across);
      if (order === undefined || (side === "BUY" ? order.ticks > ticks : order.ticks < ticks)) return;
      if (!this.#isDisturbed) {
        throw new OffGrid(`order ${orderId} would trade with order ${order.orderId}, which stands in the book`);
      }
      this.#withdraw(order);
      this.#book.remove(order);
    }
  }

  #reduce(orderId: number): void {
    const order = this.#book.get(orderId);
    if (order === undefined) return;
    const cut = this.#made.get(orderId) ?? 0;
    this.#made.set(orderId, cut + 1);
    if (!order.cuts.has(cut)) return;
    this.#parts.sender.cancel(JOB_OF[order.side], cutIdOf(orderId, cut), !this.#isDisturbed);
    order.cuts.delete(cut);
    this.#removeIfOver(order);
  }

  #delete(orderId: number): void {
    const order = this.#book.get(orderId);
    if (order === undefined) return;
    this.#withdraw(order);
    this.#book.remove(order);
  }

  #withdraw({ orderId, side, lots, cuts }: RecordedOrder): void {
    const { sender } = this.#parts;
    if (lots > 0) sender.cancel(JOB_OF[side], idOf(orderId), !this.#isDisturbed);
    for (const cut of cuts.keys()) sender.cancel(JOB_OF[side], cutIdOf(orderId, cut), !this.#isDisturbed);
  }

  #isInOrder(run: readonly Execution[]): boolean {
    const queue = this.#book.queue(this.#side);
    let order: RecordedOrder | undefined;
    let left = 0;
    for (const { orderId, ticks, lots } of run) {
      while (left === 0) {
        if ((order?.cuts.size ?? 0) > 0) return false;
        const next = queue.next();
        if (next.done === true) return false;
        order = next.value;
        left = order.lots;
      }
      if (order?.orderId !== orderId || order.ticks !== ticks || lots > left) return false;
      left -= lots;
    }
    return true;
  }

  /** Replays one execution, even if other orders precede its order in the queue. */
  async #execute(execution: Execution): Promise<void> {
    const { sender, impact, others } = this.#parts;
    const { orderId, lots } = execution;
    const order = this.#standing(execution);
    if (order === undefined) {
      this.#skipped++;
      return;
    }
    const aside: RecordedOrder[] = [];
    for (const one of this.#book.queue(this.#side)) {
      if (one === order) break;
      aside.push(one);
    }
    for (const one of aside) this.#withdraw(one);
    await sender.flush();
    const mine = this.#openOrder(order);
    const before = others.within(this.#side, order.ticks).filter((other) => {
      return other.ticks !== order.ticks || other.orderId < (mine?.orderId ?? 0);
    });
    const wanted = Math.min(lots, order.lots);
    this.#taker(order.ticks, impact === "none" ? wanted + lotsOf(before) : wanted);
    await sender.flush();
    const left = order.lots - wanted;
    order.lots = this.#openOrder(order)?.lots ?? 0;
    // Orders of other traders took part of the execution.
    if (order.lots !== left) this.#isDisturbed = true;
    // The order has ended in the file. The taker left a rest of it because other traders filled the taker; the rest is
    // canceled.
    if (left === 0 && order.lots > 0) {
      sender.cancel(JOB_OF[order.side], idOf(orderId));
      order.lots = 0;
    }
    this.#removeIfOver(order);
    for (const one of aside) {
      this.#book.remove(one);
      this.#add(one);
    }
    await sender.flush();
  }

  /**
   * Returns the order that the execution fills, in its current state. With impact `none`, quantities that other traders
   * took are restored. Throws `BadMarketFile` if the file itself executes more than the order has.
   */
  #standing({ orderId, ticks, lots, line }: Execution): RecordedOrder | undefined {
    const { impact, sender } = this.#parts;
    const there = this.#book.get(orderId);
    if (there !== undefined) there.lots = this.#openOrder(there)?.lots ?? 0;
    if (there !== undefined && there.lots >= lots) return there;
    if (!this.#isDisturbed) {
      throw new BadMarketFile(sender.path, line, `order ${orderId} is executed by more than is left of it`);
    }
    if (impact === "book") return there !== undefined && there.lots > 0 ? there : undefined;
    if (there !== undefined) this.#delete(orderId);
    const order = { orderId, side: this.#side, ticks, lots, cuts: new Map(there?.cuts) };
    this.#add(order);
    return order;
  }

  #openOrder({ orderId, side }: RecordedOrder): { readonly orderId: number; readonly lots: number } | undefined {
    const { view, accounts, symbolId } = this.#parts;
    const order = view.openOrderByClientId(accounts[JOB_OF[side]], symbolId, idOf(orderId));
    return order && { orderId: order.orderId, lots: openLotsOf(order) };
  }

  #taker(ticks: number, lots: number): void {
    this.#parts.sender.place("takers", { side: opposite(this.#side), ticks, lots }, "IOC");
  }

  #executed(order: RecordedOrder | undefined, lots: number): void {
    if (order === undefined) return;
    order.lots -= lots;
    this.#removeIfOver(order);
  }

  #cutBy(order: RecordedOrder, cut: number, lots: number): void {
    const left = (order.cuts.get(cut) ?? 0) - lots;
    if (left > 0) order.cuts.set(cut, left);
    else order.cuts.delete(cut);
    this.#removeIfOver(order);
  }

  #removeIfOver(order: RecordedOrder): void {
    if (order.lots <= 0 && order.cuts.size === 0) this.#book.remove(order);
  }

  /** Takes over the orders in the book after a restore. */
  #takeUp(): void {
    const { view, accounts, symbolId } = this.#parts;
    for (const side of ["BUY", "SELL"] as const) {
      const open = view.openOrders(accounts[JOB_OF[side]], symbolId);
      for (const order of open) {
        const { clientOrderId, priceTicks: ticks } = order;
        const [, id, cut] = ID.exec(clientOrderId) ?? [];
        if (id === undefined) continue;
        const lots = openLotsOf(order);
        const recorded = this.#book.get(Number(id)) ?? { orderId: Number(id), side, ticks, lots: 0, cuts: new Map() };
        if (this.#book.get(Number(id)) === undefined) this.#book.add(recorded);
        if (cut === undefined) recorded.lots = lots;
        else recorded.cuts.set(Number(cut), lots);
      }
    }
    for (const { cuts } of this.#book.all()) {
      const ascending = [...cuts].sort(([a], [b]) => a - b);
      cuts.clear();
      for (const [cut, lots] of ascending) cuts.set(cut, lots);
    }
  }
}
