/** The order lists that are still executing. Interface 2.9, decision 101. */
import { assert } from "../../assert.ts";
import { type LegRecord, NO_ORDER_LIST, type OrderListRecord, sellsReceived } from "../../entry/order-record.ts";
import { MAX_SYMBOLS } from "../../limits.ts";
import type { Order } from "./order.ts";

/** Two open orders of which one cancels the other: an OCO, or an OTOCO whose working order was filled. */
export interface PairList {
  readonly record: OrderListRecord;
  /** The stop leg locks the funds of both legs, because only one leg can spend them. */
  readonly stopLeg: Order;
  readonly limitLeg: Order;
}

/** A list whose working order is not filled yet. */
export interface PendingList {
  readonly record: OrderListRecord;
  readonly working: Order;
  /** One order, or the stop leg and the limit leg of a pair. They lock nothing. */
  readonly pending: readonly Order[];
  /** The base asset that the working order has bought and that is locked for the pending orders: OPO, OPOCO. */
  held: bigint;
}

export type OrderList = PairList | PendingList;

/** The record of a list without its orders, or with the orders that it had before. */
type Placed = Omit<OrderListRecord, "orders"> & Partial<Pick<OrderListRecord, "orders">>;

export function pairList(placed: Placed, stopLeg: Order, limitLeg: Order): PairList {
  return { record: recordOf(placed, [stopLeg, limitLeg]), stopLeg, limitLeg };
}

export function pendingList(placed: Placed, working: Order, pending: readonly Order[], held = 0n): PendingList {
  return { record: recordOf(placed, [working, ...pending]), working, pending, held };
}

/** The last orders of the record are the open ones. Before them is the working order of a pair that was placed later. */
function recordOf(placed: Placed, open: readonly Order[]): OrderListRecord {
  const ended = placed.orders?.slice(0, -open.length) ?? [];
  return { ...placed, orders: [...ended, ...open.map(legRecord)] };
}

function legRecord({ orderId, clientOrderId }: Order): LegRecord {
  return { orderId, clientOrderId };
}

export function isPending(list: OrderList): list is PendingList {
  return "pending" in list;
}

/** The open orders of a list, in the order of its record. */
export function openOrdersOf(list: OrderList): readonly Order[] {
  return isPending(list) ? [list.working, ...list.pending] : [list.stopLeg, list.limitLeg];
}

/** One number for an account and a symbol. */
function placeOf(accountId: number, symbolId: number): number {
  return accountId * MAX_SYMBOLS + symbolId;
}

export class OrderLists {
  private readonly byId = new Map<number, OrderList>();
  /** Lists by account, then by client id of the list. */
  private readonly byAccount = new Map<number, Map<string, OrderList>>();
  /** The number of lists by account and symbol, without zeros. */
  private readonly counts = new Map<number, number>();

  get size(): number {
    return this.byId.size;
  }
  all(): Iterable<OrderList> {
    return this.byId.values();
  }
  get(orderListId: number): OrderList | undefined {
    return this.byId.get(orderListId);
  }
  getByClientId(accountId: number, listClientOrderId: string): OrderList | undefined {
    return this.byAccount.get(accountId)?.get(listClientOrderId);
  }

  /** The executing list of which the order is one of the orders. */
  ofLeg(order: Order): OrderList | undefined {
    return order.orderListId === NO_ORDER_LIST ? undefined : this.byId.get(order.orderListId);
  }

  /** The executing pair of which the order is a leg. */
  pairOf(order: Order): PairList | undefined {
    const list = this.ofLeg(order);
    return list === undefined || isPending(list) ? undefined : list;
  }

  /** The list that waits until this order is filled. */
  startedBy(order: Order): PendingList | undefined {
    const list = this.ofLeg(order);
    return list !== undefined && isPending(list) && list.working === order ? list : undefined;
  }

  /** The account's lists in ascending order of id. */
  ofAccount(accountId: number): OrderList[] {
    const lists = [...(this.byAccount.get(accountId)?.values() ?? [])];
    return lists.sort((a, b) => a.record.orderListId - b.record.orderListId);
  }

  countOf(accountId: number): number {
    return this.byAccount.get(accountId)?.size ?? 0;
  }
  countOn(accountId: number, symbolId: number): number {
    return this.counts.get(placeOf(accountId, symbolId)) ?? 0;
  }

  /** Throws if the indices do not match the lists, or a record does not match its legs. */
  check(isAccount: (accountId: number) => boolean): void {
    for (const list of this.byId.values()) {
      const { record } = list;
      const open = openOrdersOf(list);
      for (const [place, recorded] of record.orders.slice(-open.length).entries()) {
        const leg = open[place] as Order;
        const isRecorded = recorded.orderId === leg.orderId && recorded.clientOrderId === leg.clientOrderId;
        const isOf = record.accountId === leg.accountId && record.symbolId === leg.symbolId;
        assert(isRecorded && isOf, "a list says what its legs say");
      }
      const holds = isPending(list) ? list.held : 0n;
      assert(holds >= 0n && (holds === 0n || sellsReceived(record.kind)), "only OPO holds what was received");
    }
    let count = 0;
    for (const [accountId, lists] of this.byAccount) {
      assert(isAccount(accountId), "lists are of accounts");
      assert(lists.size > 0, "accounts without lists are forgotten");
      for (const [listClientOrderId, list] of lists) {
        const { record } = list;
        const isInPlace = record.accountId === accountId && record.listClientOrderId === listClientOrderId;
        assert(isInPlace && this.byId.get(record.orderListId) === list, "a list is found either way");
        count++;
      }
    }
    assert(count === this.byId.size, "every list is its account's");
    const counts = new Map<number, number>();
    for (const { record } of this.byId.values()) {
      const place = placeOf(record.accountId, record.symbolId);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    const areCounted = [...counts].every(([place, lists]) => this.counts.get(place) === lists);
    assert(areCounted && counts.size === this.counts.size, "an account's lists on a symbol are counted");
  }

  add(list: OrderList): void {
    const { orderListId, accountId, listClientOrderId } = list.record;
    let lists = this.byAccount.get(accountId);
    if (lists === undefined) {
      lists = new Map();
      this.byAccount.set(accountId, lists);
    }
    assert(!lists.has(listClientOrderId), "client ids of executing lists are unique");
    lists.set(listClientOrderId, list);
    this.byId.set(orderListId, list);
    this.count(list.record, 1);
  }

  /** Puts a list in the place of the one with the same ids. */
  replace(list: OrderList): void {
    const { orderListId, accountId, listClientOrderId } = list.record;
    const lists = this.byAccount.get(accountId);
    assert(lists?.has(listClientOrderId) === true, "only an executing list can be replaced");
    lists.set(listClientOrderId, list);
    this.byId.set(orderListId, list);
  }

  remove({ record }: OrderList): void {
    assert(this.byId.delete(record.orderListId), "a list ends once");
    const lists = this.byAccount.get(record.accountId);
    lists?.delete(record.listClientOrderId);
    if (lists?.size === 0) this.byAccount.delete(record.accountId);
    this.count(record, -1);
  }

  private count({ accountId, symbolId }: OrderListRecord, by: 1 | -1): void {
    const place = placeOf(accountId, symbolId);
    const lists = (this.counts.get(place) ?? 0) + by;
    if (lists === 0) this.counts.delete(place);
    else this.counts.set(place, lists);
  }
}
