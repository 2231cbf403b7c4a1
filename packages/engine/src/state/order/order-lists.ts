/** The order lists that are still executing: pairs of orders of which one cancels the other. Interface 2.9. */
import { assert } from "../../assert.ts";
import { type LegRecord, NO_ORDER_LIST, type OrderListRecord } from "../../entry/order-record.ts";
import { MAX_SYMBOLS } from "../../limits.ts";
import type { Order } from "./order.ts";

export interface OrderList {
  readonly record: OrderListRecord;
  /** While the list executes, the stop leg locks the funds of both legs, because only one leg can spend them. */
  readonly stopLeg: Order;
  readonly limitLeg: Order;
}

/** Creates the list. `placed` has the fields of its record except the legs. */
export function orderList(
  placed: Omit<OrderListRecord, "stopLeg" | "limitLeg">,
  stopLeg: Order,
  limitLeg: Order,
): OrderList {
  return { record: { ...placed, stopLeg: legRecord(stopLeg), limitLeg: legRecord(limitLeg) }, stopLeg, limitLeg };
}

function legRecord({ orderId, clientOrderId }: Order): LegRecord {
  return { orderId, clientOrderId };
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

  /** The executing list of which the order is a leg. */
  ofLeg(order: Order): OrderList | undefined {
    return order.orderListId === NO_ORDER_LIST ? undefined : this.byId.get(order.orderListId);
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
    for (const { record, stopLeg, limitLeg } of this.byId.values()) {
      for (const [leg, recorded] of [[stopLeg, record.stopLeg] as const, [limitLeg, record.limitLeg] as const]) {
        const isRecorded = recorded.orderId === leg.orderId && recorded.clientOrderId === leg.clientOrderId;
        const isOf = record.accountId === leg.accountId && record.symbolId === leg.symbolId;
        assert(isRecorded && isOf, "a list says what its legs say");
      }
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
