/** A stored event, or a result of a view, never changes (decision 39). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, type Event } from "@pricetime/engine";
import { ORDER_FIELDS, type OrderRecord } from "../src/entry/order-record.ts";
import { OrderCopy } from "../src/state/order/order-copy.ts";
import { Order } from "../src/state/order/order.ts";
import { Dice } from "@pricetime/testkit/dice";
import { ModelExchange } from "@pricetime/testkit/models";
import { makeWorld, NETWORKS, randomCommand } from "@pricetime/testkit/workload";

const ORDER_FIELD_NAMES = Object.keys(ORDER_FIELDS) as (keyof OrderRecord)[];
const START_MS = 1_700_000_000_000;
const HISTORIES = 8;
const COMMANDS = 2_500;
/** The number of commands after which a value is checked again. */
const LATER = 1_000;
const VIEWS_EVERY = 50;

/** A returned value, and a copy made at once. */
interface Kept {
  readonly atCommand: number;
  readonly told: unknown;
  readonly copy: unknown;
}

/** A deep copy. Every object in it must be plain or the record of an order, not the engine's own. */
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof OrderCopy || value instanceof Order) return recordOf(value);
  assert.ok(Object.getPrototypeOf(value) === Object.prototype, `a ${value.constructor.name} was told`);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copyOf(field)]));
}

/** A closed order is its own record. */
function recordOf(order: OrderRecord): unknown {
  const isOpen = order.status === "NEW" || order.status === "PARTIALLY_FILLED";
  assert.ok(!(isOpen && order instanceof Order), "the engine's own record of an open order was told");
  return Object.fromEntries(ORDER_FIELD_NAMES.map((name) => [name, order[name]]));
}

/** Every result of the views except `MarketView`, which is the market itself. */
function viewsOf(engine: Engine, accountIds: readonly number[]): unknown {
  const { funds, timeMs } = engine;
  const markets = engine.markets();
  const ofAccounts = accountIds.map((accountId) => {
    const visited: unknown[] = [];
    engine.visitOpenOrders(accountId, undefined, (order) => visited.push(order));
    const orders = engine.openOrders(accountId);
    return [
      [engine.account(accountId), engine.subAccounts(accountId), engine.apiTradingLock(accountId, timeMs)],
      [orders, visited, orders.map(({ orderId }) => engine.openOrder(orderId))],
      orders.map(({ symbolId, clientOrderId }) => engine.openOrderByClientId(accountId, symbolId, clientOrderId)),
      [engine.openOrderLists(accountId), engine.apiKeys(accountId), markets.map((_, id) => engine.fees(accountId, id))],
      engine
        .assets()
        .map(({ assetId }) => [engine.balance(accountId, assetId), funds.withdrawable(accountId, assetId)]),
      [funds.allowedAddresses(accountId), [...funds.openWithdrawalsOf(accountId)]],
      NETWORKS.map((network) => funds.depositAddress(accountId, network)),
    ];
  });
  const ofNetworks = NETWORKS.map((network) => [funds.openDeposits(network), funds.networkHeight(network)]);
  const ofMarkets = markets.map((market) => [
    [market.spec, market.scale, market.past, market.bids(50), market.asks(50), market.bestLevel("BUY")],
    [market.averagePrice(5, timeMs), market.averagePrice(0, timeMs), market.ticker(timeMs)],
  ]);
  return [ofAccounts, ofNetworks, ofMarkets, engine.assets(), engine.exchangeFilters, funds.openWithdrawals()];
}

/** Stored values of a history are checked again as it continues. */
function play(seed: number, counts: Map<Event["type"], number>): void {
  const dice = new Dice(seed);
  const world = makeWorld(dice);
  const model = new ModelExchange();
  const engine = new Engine();
  const kept: Kept[] = [];
  let timeMs = START_MS;
  for (let at = 0; at < world.opening.length + COMMANDS; at++) {
    timeMs += dice.below(1_500);
    const command = world.opening[at] ?? randomCommand(dice, world, model);
    model.apply(timeMs, command);
    const events = engine.apply({ seq: at + 1, timeMs, command });
    const told: unknown[] = [events];
    if (at % VIEWS_EVERY === 0) told.push(viewsOf(engine, world.accountIds));
    kept.push({ atCommand: at, told, copy: copyOf(told) });
    for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
    const old = kept[at - LATER];
    if (old !== undefined)
      assert.deepEqual(copyOf(old.told), old.copy, `seed ${seed}, what was told at ${old.atCommand}`);
  }
}

test("events and results of views never change", () => {
  const counts = new Map<Event["type"], number>();
  for (let seed = 1; seed <= HISTORIES; seed++) play(seed, counts);
  const often = [
    "orderOpened",
    "trade",
    "orderEnded",
    "orderListChanged",
    "depositChanged",
    "withdrawalChanged",
  ] as const;
  for (const type of often) assert.ok((counts.get(type) ?? 0) > 30, `${type}: ${counts.get(type)}`);
});
