/**
 * Records trading conduct for the API trading rules (Interface 3.8): sums over the orders placed in each half minute,
 * for the last ten minutes only. If each check counted the orders instead, every order would be read twenty times.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type CommandType,
  type EngineView,
  type Entry,
  type Event,
  innerCommand,
  LIST_KINDS,
  lossesOf,
  openLotsOf,
  type OrderEnded,
  type OrderOpened,
  type OrderRecord,
  sellsReceived,
  type Trade,
  waitsForStop,
} from "@pricetime/engine";
import { CONDUCT_PERIOD_MS, CONDUCT_WINDOW_MS, moneyColumn, NamedInsert } from "../table/columns.ts";

/** A GTC order that ends within this time without a fill counts as not intended. */
const QUICK_MS = 2_500;
/**
 * Commands that end orders on behalf of their owners or by the rules of the order type. All other commands end them on
 * behalf of an operator.
 */
const OF_TRADERS: ReadonlySet<CommandType> = new Set<CommandType>([
  ...(["placeOrder", "placeOco", "cancelReplace", "cancelOrder", "cancelOrderList", "cancelOpenOrders"] as const),
  ...(["placeOto", "amendOrder"] as const),
]);
/** Greater than the number of symbols that the engine allows. */
const SYMBOL_SPAN = 2 ** 20;

/** Sums over one account's orders on one symbol that were placed in one period and after one lock (0: no lock). */
interface Conduct {
  /** Whether the sums include the row written by an earlier transaction. */
  isWhole: boolean;
  readonly accountId: number;
  readonly symbolId: number;
  readonly period: number;
  readonly lockSeq: number;
  orders: number;
  /** Sum of ticks times lots. */
  submitted: bigint;
  filled: bigint;
  immediate: number;
  immediateExpired: number;
  goodTillCancel: number;
  goodTillCancelQuick: number;
}
type Sums = Omit<Conduct, "isWhole" | "accountId" | "symbolId" | "period" | "lockSeq">;
interface Lock {
  readonly seq: number;
  readonly timeMs: number;
}

export class ConductRows {
  readonly #select: StatementSync;
  readonly #list: StatementSync;
  readonly #replace: NamedInsert;
  readonly #prune: StatementSync;
  /** Sums by period, then by account and symbol (see `keyOf`): those of the current period, and unwritten ones. */
  readonly #periods = new Map<number, Map<number | string, Conduct>>();
  readonly #touched = new Set<Conduct>();
  /** Rows of periods before this one are already deleted. */
  #prunedTo = 0;
  /** The locks of each account, oldest first. Few accounts have any. */
  readonly #locks = new Map<number, Lock[]>();
  /** The MARKET order that is being filled, and its value so far. It begins and ends within one entry. */
  #market = { orderId: 0, worth: 0n };
  /** The mass cancel of the current entry; `counted` once one of the orders that it canceled has been counted. */
  #massCancel: "none" | "begun" | "counted" = "none";
  /** Whether the current entry ends orders on behalf of an operator. */
  #isOfOperator = false;

  constructor(database: DatabaseSync) {
    this.#select = database.prepare(
      `SELECT orders, ${moneyColumn("submitted", "submitted")}, ${moneyColumn("filled", "filled")}, immediate,
         immediate_expired AS immediateExpired, good_till_cancel AS goodTillCancel,
         good_till_cancel_quick AS goodTillCancelQuick
       FROM conduct WHERE account_id = ? AND symbol_id = ? AND period = ? AND lock_seq = ?`,
    );
    this.#list = database.prepare("SELECT kind FROM order_lists WHERE order_list_id = ?");
    this.#replace = new NamedInsert(database, "conduct", { or: "OR REPLACE" });
    this.#prune = database.prepare("DELETE FROM conduct WHERE period < ?");
    const locks = database.prepare(
      "SELECT account_id AS accountId, seq, time_ms AS timeMs FROM api_trading_locks ORDER BY seq",
    );
    for (const { accountId, ...lock } of locks.all() as unknown as (Lock & { accountId: number })[]) {
      this.#addLock(accountId, lock);
    }
  }

  /** Call this before passing the events of an entry. */
  begin({ command }: Entry): void {
    const { type } = innerCommand(command);
    this.#massCancel = type === "cancelOpenOrders" ? "begun" : "none";
    this.#isOfOperator = !OF_TRADERS.has(type);
  }

  /** `engine` is in the state after the event's entry. */
  add(engine: EngineView, event: Event): void {
    switch (event.type) {
      case "orderOpened":
        return this.#opened(event);
      case "orderReleased":
        return this.#released(event.order);
      case "trade":
        this.#filled(event, event.taker.order);
        return this.#filled(event, event.maker.order);
      case "orderEnded":
        return this.#ended(engine, event);
      case "tradePrevented":
        for (const loss of lossesOf(event)) this.#prevented(loss.order, loss.lots);
        return undefined;
      case "apiTradingLocked":
        return this.#locked(engine, event);
      default:
        return undefined;
    }
  }

  /** Writes pending sums. Call it at the end of a transaction, with `engine` in the state after the last entry. */
  flush({ timeMs }: EngineView): void {
    const oldest = Math.floor((timeMs - CONDUCT_WINDOW_MS) / CONDUCT_PERIOD_MS);
    for (const conduct of this.#touched) if (conduct.period >= oldest) this.#write(conduct);
    this.#touched.clear();
    const current = Math.floor(timeMs / CONDUCT_PERIOD_MS);
    for (const period of this.#periods.keys()) if (period !== current) this.#periods.delete(period);
    if (oldest === this.#prunedTo) return;
    this.#prune.run(oldest);
    this.#prunedTo = oldest;
  }

  /** A stop order is opened again when it is triggered. A pending order of a list counts once, when it is placed. */
  #opened({ order }: OrderOpened): void {
    if (order.isWorking === waitsForStop(order.type) && order.status !== "PENDING_NEW") {
      return this.#priced(order);
    }
    const conduct = this.#of(order);
    conduct.orders++;
    conduct.submitted += ticksOf(order) * BigInt(order.quantityLots);
    if (order.type === "MARKET") return;
    if (order.timeInForce === "GTC") conduct.goodTillCancel++;
    else conduct.immediate++;
  }

  /** An order that sells what its list bought had no quantity while it was pending. */
  #released(order: OrderRecord): void {
    const { kind } = this.#list.get(order.orderListId) as { kind: number };
    if (!sellsReceived(LIST_KINDS[kind] ?? "OCO")) return this.#priced(order);
    this.#of(order).submitted += ticksOf(order) * BigInt(order.quantityLots);
  }

  /** A pegged order without another price had no value while it waited. */
  #priced(order: OrderRecord): void {
    if (order.priceTicks > 0 || order.stopTicks > 0 || (order.peggedTicks ?? 0) === 0) return;
    this.#of(order).submitted += ticksOf(order) * BigInt(order.quantityLots);
  }

  /**
   * Orders are valued at their own price (or stop price), so that a full fill at a better price is still a full fill. A
   * MARKET order has no price, so it is valued at its trade prices. It has no time in force, so it counts only for the
   * UFR.
   */
  #filled({ priceTicks, lots }: Trade, order: OrderRecord): void {
    const conduct = this.#of(order);
    if (order.type !== "MARKET") {
      conduct.filled += ticksOf(order) * BigInt(lots);
      return;
    }
    const worth = BigInt(priceTicks) * BigInt(lots);
    conduct.submitted += worth;
    conduct.filled += worth;
    const before = this.#market.orderId === order.orderId ? this.#market.worth : 0n;
    this.#market = { orderId: order.orderId, worth: before + worth };
  }

  /** Quantity that self-trade prevention took could not be filled, so it does not count as submitted. */
  #prevented(order: OrderRecord, lots: number): void {
    if (order.type !== "MARKET") this.#of(order).submitted -= ticksOf(order) * BigInt(lots);
  }

  #ended({ timeMs }: EngineView, { order, status }: OrderEnded): void {
    const { executedLots } = order;
    const conduct = this.#of(order);
    if (order.type === "MARKET") {
      // The unfilled part is valued at the average price of the filled part.
      const left = BigInt(openLotsOf(order));
      if (executedLots > 0) conduct.submitted += (this.#market.worth * left) / BigInt(executedLots);
      return;
    }
    if (executedLots > 0) return;
    if (this.#massCancel === "counted" || this.#isOfOperator) {
      this.#forget(conduct, order);
      return;
    }
    if (this.#massCancel === "begun") this.#massCancel = "counted";
    if (order.timeInForce !== "GTC") {
      if (status === "EXPIRED") conduct.immediateExpired++;
    } else if (timeMs - order.timeMs < QUICK_MS) conduct.goodTillCancelQuick++;
  }

  /**
   * Counts an order that ended. All orders that one cancel-all request ends count as one (decision 10). Orders that an
   * operator ends do not count (decision 69).
   */
  #forget(conduct: Conduct, order: OrderRecord): void {
    conduct.orders--;
    conduct.submitted -= ticksOf(order) * BigInt(openLotsOf(order) + order.executedLots);
    if (order.timeInForce === "GTC") conduct.goodTillCancel--;
    else conduct.immediate--;
  }

  #locked({ seq, timeMs }: EngineView, { accountId }: Event<"apiTradingLocked">): void {
    this.#addLock(accountId, { seq, timeMs });
  }

  #addLock(accountId: number, lock: Lock): void {
    const locks = this.#locks.get(accountId);
    if (locks === undefined) this.#locks.set(accountId, [lock]);
    else locks.push(lock);
  }

  /** The sums to which the order belongs. */
  #of({ accountId, symbolId, timeMs }: OrderRecord): Conduct {
    const period = Math.floor(timeMs / CONDUCT_PERIOD_MS);
    const lockSeq = this.#locks.get(accountId)?.findLast((lock) => lock.timeMs < timeMs)?.seq ?? 0;
    let conducts = this.#periods.get(period);
    if (conducts === undefined) {
      conducts = new Map();
      this.#periods.set(period, conducts);
    }
    const key = keyOf(accountId, symbolId, lockSeq);
    let conduct = conducts.get(key);
    if (conduct === undefined) {
      conduct = { isWhole: false, accountId, symbolId, period, lockSeq, ...nothing() };
      conducts.set(key, conduct);
    }
    this.#touched.add(conduct);
    return conduct;
  }

  #write(conduct: Conduct): void {
    if (!conduct.isWhole) {
      const { accountId, symbolId, period, lockSeq } = conduct;
      addTo(conduct, this.#select.get(accountId, symbolId, period, lockSeq) as Sums | undefined);
    }
    this.#replace.run(conduct);
  }
}

/** A number if there is no lock, which is usual, because number keys are faster. */
function keyOf(accountId: number, symbolId: number, lockSeq: number): number | string {
  return lockSeq === 0 ? accountId * SYMBOL_SPAN + symbolId : `${accountId} ${symbolId} ${lockSeq}`;
}

/** Adds a stored row. Its amounts are digits. */
function addTo(conduct: Conduct, before: Sums = nothing()): void {
  conduct.orders += before.orders;
  conduct.submitted += BigInt(before.submitted);
  conduct.filled += BigInt(before.filled);
  conduct.immediate += before.immediate;
  conduct.immediateExpired += before.immediateExpired;
  conduct.goodTillCancel += before.goodTillCancel;
  conduct.goodTillCancelQuick += before.goodTillCancelQuick;
  conduct.isWhole = true;
}

function nothing(): Sums {
  return {
    orders: 0,
    submitted: 0n,
    filled: 0n,
    immediate: 0,
    immediateExpired: 0,
    goodTillCancel: 0,
    goodTillCancelQuick: 0,
  };
}

/** The same for all events of an order, except that a pegged one may get its first price when it begins to work. */
function ticksOf({ priceTicks, stopTicks, peggedTicks = 0 }: OrderRecord): bigint {
  return BigInt(priceTicks || stopTicks || peggedTicks);
}
