/** Compares what was answered with what is there, and adds up the money, through the public API alone. */
import assert from "node:assert/strict";
import { Client } from "@pricetime/testkit/client";
import type { DemoAccount } from "@pricetime/testkit/venue";
import { type OrderLog, type Sent, SYMBOL } from "@pricetime/testkit/load";

interface Order {
  readonly orderId: number;
  readonly orderListId: number;
  readonly type: string;
  readonly stopPrice: string;
  readonly clientOrderId: string;
  readonly status: string;
  readonly side: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
}
interface OrderList {
  readonly orderListId: number;
  readonly listClientOrderId: string;
  readonly listOrderStatus: string;
  readonly orders: readonly { readonly orderId: number; readonly clientOrderId: string }[];
}
interface Trade {
  readonly id: number;
  readonly orderId: number;
  readonly qty: string;
  readonly commission: string;
  readonly commissionAsset: string;
}
interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

interface Statement {
  readonly account: DemoAccount;
  readonly orders: readonly Order[];
  readonly lists: readonly OrderList[];
  readonly trades: readonly Trade[];
  readonly balances: ReadonlyMap<string, { readonly free: bigint; readonly locked: bigint }>;
}

/** A wire decimal, always of 8 places, as an integer of 10^-8. */
function units(decimal: string): bigint {
  assert.match(decimal, /^\d+\.\d{8}$/);
  return BigInt(decimal.replace(".", ""));
}

const PAGE = 1000;

export async function statement(rest: string, account: DemoAccount): Promise<Statement> {
  const client = new Client(rest, account, 1);
  try {
    const { balances } = await ok<{ balances: Balance[] }>(client, "/api/v3/account", {});
    return {
      account,
      orders: await pages<Order>(client, "/api/v3/allOrders", "orderId", (order) => order.orderId),
      lists: await pages<OrderList>(client, "/api/v3/allOrderList", "fromId", (list) => list.orderListId),
      trades: await pages<Trade>(client, "/api/v3/myTrades", "fromId", (trade) => trade.id),
      balances: new Map(
        balances.map(({ asset, free, locked }) => [asset, { free: units(free), locked: units(locked) }]),
      ),
    };
  } finally {
    client.close();
  }
}

async function ok<T>(client: Client, path: string, parameters: Record<string, string | number>): Promise<T> {
  const answer = await client.patient<T>(path, parameters);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** All rows. Rows of one id may come in pairs (a trade with oneself), so a full page's last id is asked for again. */
async function pages<T>(client: Client, path: string, from: string, idOf: (row: T) => number): Promise<T[]> {
  const rows: T[] = [];
  for (let next = 0; ; ) {
    const page = await ok<T[]>(client, path, {
      ...(path === "/api/v3/allOrderList" ? {} : { symbol: SYMBOL }),
      [from]: next,
      limit: PAGE,
    });
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return [...rows, ...page];
    next = idOf(last);
    rows.push(...page.filter((row) => idOf(row) !== next));
  }
}

/** Everything each account owns, per asset, commissions paid so far added back: it must never change. */
export function wealth(statements: readonly Statement[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (asset: string, amount: bigint): void => void sums.set(asset, (sums.get(asset) ?? 0n) + amount);
  for (const { balances, trades } of statements) {
    for (const [asset, { free, locked }] of balances) add(asset, free + locked);
    // A trade with oneself shows up once for each side, each with its own commission.
    for (const { commission, commissionAsset } of trades) add(commissionAsset, units(commission));
  }
  return sums;
}

/** Each answered order is there as answered, or later by fills that are there too; refused ones are not. */
export function checkOrders(log: OrderLog, statements: readonly Statement[]): void {
  for (const { account, orders, trades } of statements) {
    const byClientId = new Map(orders.map((order) => [order.clientOrderId, order]));
    const filled = new Map<number, bigint>();
    for (const { orderId, qty } of trades) filled.set(orderId, (filled.get(orderId) ?? 0n) + units(qty));
    for (const order of orders) {
      assert.equal(units(order.executedQty), filled.get(order.orderId) ?? 0n, `fills of ${JSON.stringify(order)}`);
    }
    for (const sent of log.sent.filter((each) => each.account.apiKey === account.apiKey)) {
      checkOrder(sent, byClientId.get(sent.clientOrderId));
    }
  }
}

const RESTING = ["NEW", "PARTIALLY_FILLED"];

function checkOrder(sent: Sent, now: Order | undefined): void {
  const what = `answered ${JSON.stringify({ ...sent, account: sent.account.name, list: sent.list?.orderListId })}, now ${JSON.stringify(now)}`;
  if (sent.refused) return assert.equal(now, undefined, what);
  if (sent.orderId === undefined) return;
  assert.ok(now, `lost: ${what}`);
  assert.equal(now.orderId, sent.orderId, what);
  const { status = "", executedQty = "" } = sent;
  if (!RESTING.includes(status)) {
    assert.deepEqual([now.status, now.executedQty], [status, executedQty], what);
    return;
  }
  assert.ok(units(now.executedQty) >= units(executedQty), what);
  if (now.status === "CANCELED") assert.ok(sent.cancelSent, what);
  else if (now.status === "EXPIRED") assert.ok(mayExpire(sent), what);
  else if (now.status === "FILLED") assert.equal(now.executedQty, now.origQty, what);
  else assert.equal(now.status, units(now.executedQty) === 0n ? "NEW" : "PARTIALLY_FILLED", what);
}

/** Whether an open order may expire: it may be set off, or another order of its list may end it. */
function mayExpire({ type, list }: Sent): boolean {
  return list !== undefined || /^(?:STOP_LOSS|TAKE_PROFIT)/.test(type);
}

/** Each answered list is there; one executes exactly while both of its orders are untouched. */
export function checkLists(log: OrderLog, { account, lists, orders }: Statement): void {
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  const byClientId = new Map(lists.map((list) => [list.listClientOrderId, list]));
  for (const list of lists) {
    const statuses = list.orders.map(({ orderId }) => byId.get(orderId)?.status);
    const isExecuting = statuses.every((status) => status === "NEW");
    assert.equal(list.listOrderStatus, isExecuting ? "EXECUTING" : "ALL_DONE", `${JSON.stringify(list)} ${statuses}`);
  }
  for (const sent of log.lists.filter((each) => each.account.apiKey === account.apiKey)) {
    const now = byClientId.get(sent.listClientOrderId);
    if (sent.refused) assert.equal(now, undefined, sent.listClientOrderId);
    if (sent.orderListId === undefined) continue;
    assert.equal(now?.orderListId, sent.orderListId, sent.listClientOrderId);
    const legs = sent.legs.map(({ clientOrderId }) => clientOrderId);
    assert.deepEqual(
      now?.orders.map(({ clientOrderId }) => clientOrderId),
      legs,
    );
  }
}

/** What is locked is what the open orders need, to the last unit; of a list that executes, what the dearer one needs. */
export function checkLocked({ account, orders, lists, balances }: Statement): void {
  const executing = new Set(
    lists.filter((list) => list.listOrderStatus === "EXECUTING").map((list) => list.orderListId),
  );
  const ofLists = new Map<number, Need>();
  const needs: Need[] = [];
  for (const order of orders.filter(({ status }) => RESTING.includes(status))) {
    const need = needOf(order);
    const other = ofLists.get(order.orderListId);
    if (!executing.has(order.orderListId)) needs.push(need);
    else if (other === undefined || other.quote < need.quote) ofLists.set(order.orderListId, need);
  }
  const all = [...needs, ...ofLists.values()];
  const sum = (of: keyof Need): bigint => all.reduce((total, need) => total + need[of], 0n);
  assert.equal(balances.get("BTC")?.locked, sum("base"), `BTC locked by ${account.name}`);
  assert.equal(balances.get("USDT")?.locked, sum("quote"), `USDT locked by ${account.name}`);
}

interface Need {
  readonly base: bigint;
  readonly quote: bigint;
}

/** What is left of an open order at its price; a purchase that has only a stop price keeps that times all of it. */
function needOf({ side, price, stopPrice, origQty, executedQty }: Order): Need {
  const left = units(origQty) - units(executedQty);
  if (side === "SELL") return { base: left, quote: 0n };
  const at = units(price) === 0n ? units(stopPrice) : units(price);
  return { base: 0n, quote: (left * at) / 100_000_000n };
}
