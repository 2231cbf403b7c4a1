/** The order lists that are still executing: pairs of orders of which one cancels the other. Interface 2.9. */
import { assert } from "../../assert.ts";
import { NO_ORDER_LIST } from "../../entry/order-words.ts";
import type { OrderListRecord } from "../../entry/order-record.ts";
import type { Order } from "./order.ts";

export interface OrderList extends OrderListRecord {
  /** While the list executes it holds the funds of both, for only one of the two can spend them. */
  readonly stopLeg: Order;
  readonly limitLeg: Order;
}

export class OrderLists {
  private readonly byId = new Map<number, OrderList>();
  /** By account, then by client id. */
  private readonly byAccount = new Map<number, Map<string, OrderList>>();

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

  /** The list that an order is a leg of, while the list executes. */
  ofLeg(order: Order): OrderList | undefined {
    return order.orderListId === NO_ORDER_LIST ? undefined : this.byId.get(order.orderListId);
  }

  /** By id, ascending. */
  ofAccount(accountId: number): OrderList[] {
    const lists = [...(this.byAccount.get(accountId)?.values() ?? [])];
    return lists.sort((a, b) => a.orderListId - b.orderListId);
  }

  countOf(accountId: number): number {
    return this.byAccount.get(accountId)?.size ?? 0;
  }

  add(list: OrderList): void {
    let lists = this.byAccount.get(list.accountId);
    if (lists === undefined) {
      lists = new Map();
      this.byAccount.set(list.accountId, lists);
    }
    assert(!lists.has(list.listClientOrderId), "client ids of executing lists are unique");
    lists.set(list.listClientOrderId, list);
    this.byId.set(list.orderListId, list);
  }

  remove(list: OrderList): void {
    assert(this.byId.delete(list.orderListId), "a list ends once");
    this.byAccount.get(list.accountId)?.delete(list.listClientOrderId);
  }
}
