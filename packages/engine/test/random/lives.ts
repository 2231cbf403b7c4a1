/**
 * Tracks every order and list by events alone: an order is either waiting, working or ended, and a list is over exactly
 * when one of its orders has traded or ended.
 */
import assert from "node:assert/strict";
import type { Engine } from "@pricetime/engine";
import type { Happening } from "@pricetime/testkit/models";

type State = "pending" | "waiting" | "working" | "ended";

export class Lives {
  readonly #orders = new Map<number, State>();
  /** Executing lists by id; their orders. */
  readonly #lists = new Map<number, number[]>();
  readonly #listsEver = new Set<number>();
  /** The last id of each run of ids: of all orders, or of those of one symbol. */
  readonly #lastIds = new Map<number, number>();
  /** Orders that have traded or ended. */
  readonly #touched = new Set<number>();

  follow(happened: readonly Happening[]): void {
    const finished: number[][] = [];
    for (const happening of happened) {
      if (happening.kind === "opened") this.#open(happening);
      else if (happening.kind === "ended") this.#end(happening.orderId);
      else if (happening.kind === "traded") {
        for (const side of [happening.taker, happening.maker]) this.#trade(side);
      } else if (happening.kind === "prevented") {
        this.#prevent(happening);
      } else if (happening.kind === "listed") {
        if (happening.status === "ALL_DONE") finished.push(this.#lists.get(happening.orderListId) ?? []);
        this.#list(happening);
      }
    }
    // A working order may trade while the others are pending. Once it has ended, so has the list, or the others are placed.
    const isTouched = (orders: readonly number[]) => {
      const isPending = orders.some((orderId) => this.#orders.get(orderId) === "pending");
      if (isPending) return this.#orders.get(orders[0]!) !== "working";
      return orders.slice(-2).some((orderId) => this.#touched.has(orderId));
    };
    assert.ok(
      finished.every((orders) => orders.every((orderId) => this.#orders.get(orderId) !== "pending")),
      "a list is over although an order is pending",
    );
    assert.ok(finished.every(isTouched), "a list is over although nothing happened to its orders");
    assert.ok(![...this.#lists.values()].some(isTouched), "a list goes on although one of its orders does not");
  }

  #open({ orderId, isWorking, isPending, orderListId }: Happening & { kind: "opened" }): void {
    const before = this.#orders.get(orderId);
    if (before === undefined) {
      const run = Math.floor(orderId / 2 ** 38);
      const expected = (this.#lastIds.get(run) ?? run * 2 ** 38) + 1;
      assert.equal(orderId, expected, "order ids have no gaps");
      this.#lastIds.set(run, orderId);
      if (orderListId !== -1) this.#lists.set(orderListId, [...(this.#lists.get(orderListId) ?? []), orderId]);
    } else {
      const mayOpen = (before === "waiting" && isWorking) || (before === "pending" && !isPending);
      assert.ok(mayOpen, `order ${orderId} was ${before} and opens again`);
    }
    this.#orders.set(orderId, isWorking ? "working" : isPending ? "pending" : "waiting");
  }

  #trade({ orderId, status }: { orderId: number; status: string }): void {
    assert.equal(this.#orders.get(orderId), "working", `order ${orderId} trades`);
    this.#touched.add(orderId);
    if (status === "FILLED") this.#orders.set(orderId, "ended");
  }

  /** Only an order without a remaining quantity ends; losing a part is no trade. */
  #prevent({ taker, maker, otherLeg }: Happening & { kind: "prevented" }): void {
    if (otherLeg !== null) assert.equal(this.#orders.get(otherLeg.orderId), "waiting", "the other leg of a list waits");
    for (const { orderId, lost, status } of [taker, maker]) {
      assert.equal(this.#orders.get(orderId), "working", `order ${orderId} meets another order of its account`);
      if (status !== "EXPIRED_IN_MATCH") continue;
      assert.ok(lost > 0n, `order ${orderId} ends without a loss`);
      this.#end(orderId);
    }
  }

  #end(orderId: number): void {
    const before = this.#orders.get(orderId);
    assert.ok(before !== undefined && before !== "ended", `order ${orderId} ends, and was ${before}`);
    this.#orders.set(orderId, "ended");
    this.#touched.add(orderId);
  }

  #list({ orderListId, status, ids }: Happening & { kind: "listed" }): void {
    assert.equal(this.#lists.get(orderListId)?.length, ids.length, `list ${orderListId} has its orders`);
    if (status === "UPDATED") {
      assert.ok(this.#lists.has(orderListId), `list ${orderListId} changes while it executes`);
    } else if (status === "ALL_DONE") {
      assert.ok(this.#listsEver.has(orderListId), `list ${orderListId} ends before it was placed`);
      this.#lists.delete(orderListId);
    } else {
      assert.ok(!this.#listsEver.has(orderListId), `list ${orderListId} was placed twice`);
      this.#listsEver.add(orderListId);
    }
  }

  /** The engine's state must agree with the events. */
  compare(engine: Engine, accountIds: readonly number[]): void {
    const working: number[] = [];
    const waiting: number[] = [];
    for (const [orderId, state] of this.#orders) {
      const order = engine.openOrder(orderId);
      assert.equal(order?.isWorking, state === "ended" ? undefined : state === "working", `order ${orderId} ${state}`);
      if (state === "ended") this.#orders.delete(orderId);
      else (state === "working" ? working : waiting).push(orderId);
    }
    assert.equal(engine.openOrderCount, working.length + waiting.length, "open orders");
    const lists = accountIds.flatMap((accountId) =>
      engine.openOrderLists(accountId).map(({ orderListId }) => orderListId),
    );
    assert.deepEqual(new Set(lists), new Set(this.#lists.keys()), "executing lists");
  }
}
