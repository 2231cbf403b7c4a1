/**
 * Runs one history on the engine with its fast book, on the engine with the naive book, and on the model. After every
 * command they must agree, and the sums must hold.
 */
import assert from "node:assert/strict";
import {
  type Command,
  decodeCommands,
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  encodeCommands,
  Engine,
  type Entry,
  type Event,
  FEE_ACCOUNT,
  type OrderRecord,
  OUTSIDE_ACCOUNT,
  priceInEffect,
  type RejectReason,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { NaiveBook } from "@pricetime/engine/naive-book";
import type { Market } from "../../src/state/market/market.ts";
import { lockedBy } from "../../src/trading/order-funds.ts";
import { liveOrder } from "../inside.ts";
import {
  differenceOfAccess,
  type Happening,
  happeningsOf,
  ModelExchange,
  type ModelMarket,
  opposite,
  productCeil,
  remaining,
  scaled,
  sentence,
} from "@pricetime/testkit/models";
import { compareVenue } from "./compare-venue.ts";
import { compareWallets } from "./compare-wallets.ts";
import { Lives } from "./lives.ts";

const VENUE_ACCOUNTS = [OUTSIDE_ACCOUNT, FEE_ACCOUNT, DEPOSITS_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT];
/** The number of commands between complete checks of invariants and hashes. */
const DEEP_EVERY = 64;
/** Tested elsewhere. Here only the two engines are compared. */
const NOT_MODELLED: readonly Command["type"][] = [
  "openListenKey",
  "keepListenKey",
  "closeListenKey",
  "createApiKey",
  "deleteApiKey",
];

export class Comparison {
  readonly fast = new Engine({ recordPostings: true });
  readonly #commissions = new Map<number, bigint>();
  /** The seed of the hashes must not affect any result. */
  readonly naive = new Engine({ recordPostings: true, newBook: () => new NaiveBook(), hashSeed: 0xfeed5eed });
  readonly model = new ModelExchange();
  readonly entries: Entry[] = [];
  /** Balances computed from the postings alone, by account, asset and bucket. */
  readonly #posted = new Map<string, bigint>();
  readonly #updateIds = new Map<number, number>();
  /** The place of every order and the executing lists, computed from events alone. */
  readonly #lives = new Lives();

  /** Runs a command on all three, compares them, and returns the outcome. */
  step(timeMs: number, command: Command): Happening[] {
    const entry: Entry = { seq: this.entries.length + 1, timeMs, command };
    this.entries.push(entry);
    assert.deepEqual(decodeCommands(encodeCommands([command]), 1), [command], "codec");
    const checked = this.#check(timeMs, command);
    const predicted = this.model.apply(timeMs, command);
    const events = this.fast.apply(entry);
    this.#checkTimes(events);
    this.#checkCommissions(events);
    const happened = happeningsOf(this.fast, events);
    const story = happened.map(sentence).join("\n");
    assert.equal(happeningsOf(this.naive, this.naive.apply(entry)).map(sentence).join("\n"), story, "naive book");
    if (!NOT_MODELLED.includes(command.type)) assert.equal(story, predicted.map(sentence).join("\n"), "model");
    if (checked !== undefined) assert.equal(checked, reasonApartFromFunds(happened), "check without placing");
    this.#lives.follow(happened);
    this.#lives.compare(this.fast, [...this.model.accounts.keys()]);
    this.#compareBalances();
    compareWallets(this.fast, this.model);
    compareVenue(this.fast, this.model);
    assert.equal(differenceOfAccess(this.fast, this.model), undefined, "those who sign in");
    this.#compareOrders();
    this.#compareDepth();
    if (this.entries.length % DEEP_EVERY === 0) this.deepCheck();
    return happened;
  }

  /** The result of `order/test`; undefined if the command is not an order. */
  #check(timeMs: number, command: Command): RejectReason | null | undefined {
    if (command.type !== "placeOrder") return undefined;
    return this.fast.check(command, Math.max(timeMs, this.fast.timeMs));
  }

  /** Every event of an order is its latest change. */
  #checkTimes(events: readonly Event[]): void {
    for (const event of events) {
      const orders = event.type === "trade" ? [event.taker.order, event.maker.order] : [];
      if (event.type === "orderReleased") orders.push(event.order);
      if (event.type === "orderOpened" || event.type === "orderEnded" || event.type === "orderAmended")
        orders.push(event.order);
      if (event.type === "tradePrevented") orders.push(...changedBy(event));
      for (const { updateTimeMs } of orders) assert.equal(updateTimeMs, this.fast.timeMs, "the time of a change");
    }
  }

  /** The commission of an order is the sum of its trades' commissions in the asset that it receives. */
  #checkCommissions(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "trade") continue;
      const { baseAssetId, quoteAssetId } = this.fast.market(event.symbolId);
      for (const { order, commission, commissionAssetId } of [event.taker, event.maker]) {
        const isReceived = commissionAssetId === (order.side === "BUY" ? baseAssetId : quoteAssetId);
        const paid = (this.#commissions.get(order.orderId) ?? 0n) + (isReceived ? commission : 0n);
        this.#commissions.set(order.orderId, paid);
        assert.equal(order.commission, paid, `commission of order ${order.orderId}`);
      }
    }
  }

  deepCheck(): void {
    this.fast.checkInvariants();
    this.naive.checkInvariants();
    assert.equal(this.fast.eventDigest(), this.naive.eventDigest(), "hashes of the two books");
  }

  #compareBalances(): void {
    this.#post();
    const accountIds = [...VENUE_ACCOUNTS, ...this.model.accounts.keys()];
    for (const [assetId, { asset, precision }] of this.model.assets.entries()) {
      let sum = 0n;
      for (const accountId of accountIds) {
        const balance = this.fast.balance(accountId, assetId);
        const other = this.naive.balance(accountId, assetId);
        const expected = this.model.money.of(accountId, asset);
        const where = `${asset} of account ${accountId}`;
        assert.equal(scaled(balance.free, precision), expected.free, `free ${where}`);
        assert.equal(scaled(balance.locked, precision), expected.locked, `locked ${where}`);
        assert.equal(other.free, balance.free, `free ${where} on the naive book`);
        assert.equal(other.locked, balance.locked, `locked ${where} on the naive book`);
        assert.equal(this.#posted.get(`${accountId} ${assetId} free`) ?? 0n, balance.free, `posted free ${where}`);
        assert.equal(
          this.#posted.get(`${accountId} ${assetId} locked`) ?? 0n,
          balance.locked,
          `posted locked ${where}`,
        );
        const mayOwe = accountId === OUTSIDE_ACCOUNT || accountId === TREASURY_ACCOUNT;
        assert.ok(balance.free >= 0n || mayOwe, `${where} is below zero`);
        assert.ok(balance.locked >= 0n, `${where} locks less than nothing`);
        sum += balance.free + balance.locked;
      }
      assert.equal(sum, 0n, `${asset} does not sum to zero`);
    }
  }

  #post(): void {
    for (const posting of this.fast.postings) {
      const { assetId, amount } = posting;
      assert.ok(amount > 0n, "a posting of nothing");
      const from = `${posting.fromAccountId} ${assetId} ${posting.fromBucket}`;
      const to = `${posting.toAccountId} ${assetId} ${posting.toBucket}`;
      this.#posted.set(from, (this.#posted.get(from) ?? 0n) - amount);
      this.#posted.set(to, (this.#posted.get(to) ?? 0n) + amount);
    }
  }

  /** The same orders are open, and the locked amounts are exactly what they need. */
  #compareOrders(): void {
    for (const accountId of this.model.accounts.keys()) {
      const expected = this.model.openOrders(accountId).map((order) => {
        const { quantityDecimals } = this.model.markets[order.symbolId]!;
        const lots = (value: bigint) => value / 10n ** BigInt(8 - quantityDecimals);
        const shown = order.place === "book" ? `shows ${lots(order.visible)}` : order.place;
        const when = `from ${order.timeMs} to ${order.updateTimeMs}`;
        const done = `${lots(order.executed)} -${lots(order.prevented)} of ${lots(order.quantity)}`;
        const trails = `${order.trailing?.delta ?? 0} bps since ${Math.max(0, order.trailing?.sinceMs ?? 0)}`;
        const peg = pegWords(
          order.peg === null ? "NONE" : order.peg.to,
          order.peg?.level ?? 0,
          order.peg?.pegged ?? 0n,
        );
        const id = `${order.orderId} ${order.clientOrderId} of list ${order.orderListId}`;
        return `${id} ${done} ${shown} ${when} ${trails} ${peg}`;
      });
      for (const engine of [this.fast, this.naive]) {
        const story = engine.openOrders(accountId).map((order) => {
          const { orderId, clientOrderId, orderListId, executedLots, preventedLots, quantityLots } = order;
          const when = `from ${order.timeMs} to ${order.updateTimeMs}`;
          const place = order.status === "PENDING_NEW" ? "pending" : "waiting";
          const shown = order.isWorking ? `shows ${liveOrder(engine, orderId).visibleLots}` : place;
          const done = `${executedLots} -${preventedLots} of ${quantityLots}`;
          const trails = `${order.trailingDelta} bps since ${order.trailingMs}`;
          const { pegTo = "NONE", pegLevel = 0, peggedTicks = 0 } = order;
          const { priceDecimals } = this.model.markets[order.symbolId]!;
          const peg = pegWords(pegTo, pegLevel, scaled(peggedTicks, priceDecimals));
          return `${orderId} ${clientOrderId} of list ${orderListId} ${done} ${shown} ${when} ${trails} ${peg}`;
        });
        assert.deepEqual(story, expected, `open orders of ${accountId}`);
      }
      this.#compareLists(accountId);
      this.#compareNeeds(accountId);
    }
  }

  #compareLists(accountId: number): void {
    const idOf = ({ orderId, clientOrderId }: Pick<OrderRecord, "orderId" | "clientOrderId">) =>
      `${orderId} ${clientOrderId}`;
    const expected = [...this.model.lists, ...this.model.otos]
      .filter((list) => list.accountId === accountId)
      .sort((a, b) => a.orderListId - b.orderListId)
      .map((list) => {
        const pair = "pending" in list ? [list.working, ...list.pending] : [list.stopLeg, list.limitLeg];
        const orders = "after" in list && list.after !== null ? [list.after, ...pair] : pair;
        return [list.orderListId, list.listClientOrderId, list.timeMs, list.kind, ...orders.map(idOf)];
      });
    for (const engine of [this.fast, this.naive]) {
      const lists = engine.openOrderLists(accountId);
      const story = lists.map((list) => [
        list.orderListId,
        list.listClientOrderId,
        list.timeMs,
        list.kind ?? "OCO",
        ...list.orders.map(idOf),
      ]);
      assert.deepEqual(story, expected, `lists of ${accountId}`);
      for (const list of lists) {
        assert.equal(engine.openOrderList(list.orderListId), list);
        assert.equal(engine.openOrderListByClientId(accountId, list.listClientOrderId), list);
      }
    }
  }

  /**
   * The locked amount is what open orders and withdrawals can still spend; a list can spend the larger amount of its
   * two orders.
   */
  #compareNeeds(accountId: number): void {
    const needed = new Map<string, bigint>();
    const ofLists = new Map<number, bigint[]>();
    const lockedByLists = new Map<number, bigint>();
    const alive = new Set(this.fast.openOrderLists(accountId).map(({ orderListId }) => orderListId));
    for (const oto of this.model.otos) {
      if (oto.accountId !== accountId) continue;
      alive.delete(oto.orderListId);
      const { base } = this.model.markets[oto.symbolId]!;
      needed.set(base, (needed.get(base) ?? 0n) + oto.held);
    }
    for (const order of this.fast.openOrders(accountId)) {
      if (order.status === "PENDING_NEW") {
        assert.equal(liveOrder(this.fast, order.orderId).extras?.locked, 0n, "a pending order locks nothing");
        continue;
      }
      const market = this.fast.market(order.symbolId);
      const { spec } = market;
      const asset = order.side === "BUY" ? spec.quoteAsset : spec.baseAsset;
      const need = this.#canSpend(order);
      const locked = scaled(lockedBy(market as Market, liveOrder(this.fast, order.orderId)), this.#places(asset));
      if (alive.has(order.orderListId)) {
        const { orderListId } = order;
        ofLists.set(orderListId, [...(ofLists.get(orderListId) ?? []), need]);
        lockedByLists.set(orderListId, (lockedByLists.get(orderListId) ?? 0n) + locked);
        const [first, second] = ofLists.get(orderListId)!;
        if (second === undefined) continue;
        const larger = first! > second ? first! : second;
        assert.equal(lockedByLists.get(orderListId), larger, `list ${orderListId} locks another amount than it needs`);
        needed.set(asset, (needed.get(asset) ?? 0n) + larger);
        continue;
      }
      assert.equal(locked, need, `order ${order.orderId} locks another amount than it needs`);
      needed.set(asset, (needed.get(asset) ?? 0n) + need);
    }
    for (const [assetId, { asset, precision }] of this.model.assets.entries()) {
      for (const withdrawal of this.model.wallet.openWithdrawals()) {
        if (withdrawal.accountId !== accountId || withdrawal.asset !== asset) continue;
        needed.set(asset, (needed.get(asset) ?? 0n) + withdrawal.amount);
      }
      const locked = scaled(this.fast.balance(accountId, assetId).locked, precision);
      assert.equal(locked, needed.get(asset) ?? 0n, `locked ${asset} of ${accountId} is unexplained`);
    }
  }

  /** The largest amount that an open order can still spend. */
  #canSpend(order: OrderRecord): bigint {
    const { spec, scale } = this.fast.market(order.symbolId);
    const left = order.quantityLots - order.executedLots - (order.preventedLots ?? 0);
    const quantity = scaled(left, scale.quantityDecimals);
    if (order.side === "SELL") return quantity;
    const atAnyPrice = order.type === "STOP_LOSS" || order.type === "TAKE_PROFIT";
    const ticks = priceInEffect(order);
    const dearest = scaled(atAnyPrice || ticks === 0 ? this.#stopOf(order) : ticks, scale.priceDecimals);
    return productCeil(dearest, quantity, this.#places(spec.quoteAsset));
  }

  /** A trailing stop locks the lowest price that triggers it from its stop price, or from the last price at its placement. */
  #stopOf({ orderId, stopTicks, trailingDelta = 0 }: OrderRecord): number {
    if (trailingDelta === 0) return stopTicks;
    const from = stopTicks === 0 ? liveOrder(this.fast, orderId).trailing!.startTicks : stopTicks;
    return Math.ceil((from * (10_000 + trailingDelta)) / 10_000);
  }

  #places(asset: string): number {
    return this.model.assets.find((listed) => listed.asset === asset)!.precision;
  }

  /** Both books show the model's depth: at each price the visible quantities of its orders. */
  #compareDepth(): void {
    for (const market of this.model.markets) {
      const views = [this.fast.market(market.symbolId), this.naive.market(market.symbolId)];
      for (const side of ["BUY", "SELL"] as const) {
        const shown = new Map<bigint, bigint>();
        for (const order of opposite(market, side === "BUY" ? "SELL" : "BUY", 0n)) {
          const most = order.icebergQty === 0n ? remaining(order) : order.icebergQty;
          assert.ok(order.visible > 0n && order.visible <= most, `order ${order.orderId} shows more than it may`);
          shown.set(order.price, (shown.get(order.price) ?? 0n) + order.visible);
        }
        for (const view of views) {
          const depth = (side === "BUY" ? view.bids(1000) : view.asks(1000)).map(([ticks, lots]) => [
            scaled(ticks, market.priceDecimals),
            scaled(lots, market.quantityDecimals),
          ]);
          assert.deepEqual(depth, [...shown], `depth of ${market.spec.symbol}`);
        }
      }
      for (const view of views) {
        const bid = view.bids(1)[0]?.[0] ?? 0;
        const ask = view.asks(1)[0]?.[0] ?? Infinity;
        assert.ok(bid < ask, `${market.spec.symbol} is crossed`);
        assert.equal(view.bookUpdateId, this.#updateIdOf(market), "book update id");
      }
      this.#updateIds.set(market.symbolId, this.#updateIdOf(market));
    }
  }

  /** Increases by one with each command that changed the resting orders, and only then. */
  #updateIdOf(market: ModelMarket): number {
    return (this.#updateIds.get(market.symbolId) ?? 0) + (market.touched ? 1 : 0);
  }
}

/** The orders that lost something in a prevented match. */
function changedBy({ takerLots, makerLots, taker, maker, otherLeg }: Event<"tradePrevented">): OrderRecord[] {
  const both = [...(takerLots > 0 ? [taker] : []), ...(makerLots > 0 ? [maker] : [])];
  return otherLeg === null ? both : [...both, otherLeg];
}

function reasonApartFromFunds(happened: readonly Happening[]): RejectReason | null {
  const [first] = happened;
  if (first?.kind !== "refused" || first.reason === "INSUFFICIENT_BALANCE") return null;
  return first.reason;
}

function pegWords(to: string, level: number, pegged: bigint): string {
  return `${to} ${level} at ${pegged}`;
}
