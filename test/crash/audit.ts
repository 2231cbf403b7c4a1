/** Compares what was answered with what is there, and adds up the money, through the public API alone. */
import assert from "node:assert/strict";
import { Client } from "../client.ts";
import type { DemoAccount } from "../exchange.ts";
import { type OrderLog, type Sent, SYMBOL } from "./load.ts";

interface Order {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: string;
  readonly side: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
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
  readonly trades: readonly Trade[];
  readonly balances: ReadonlyMap<string, { readonly free: bigint; readonly locked: bigint }>;
}

/** A wire decimal, always of 8 places, as an integer of 10^-8. */
export function units(decimal: string): bigint {
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
  const answer = await client.signed<T>("GET", path, parameters);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** All rows. Rows of one id may come in pairs (a trade with oneself), so a full page's last id is asked for again. */
async function pages<T>(client: Client, path: string, from: string, idOf: (row: T) => number): Promise<T[]> {
  const rows: T[] = [];
  for (let next = 0; ; ) {
    const page = await ok<T[]>(client, path, { symbol: SYMBOL, [from]: next, limit: PAGE });
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
  const what = `answered ${JSON.stringify({ ...sent, account: sent.account.name })}, now ${JSON.stringify(now)}`;
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
  else if (now.status === "FILLED") assert.equal(now.executedQty, now.origQty, what);
  else assert.equal(now.status, units(now.executedQty) === 0n ? "NEW" : "PARTIALLY_FILLED", what);
}

/** What is locked is what the open orders need, to the last unit. */
export function checkLocked({ account, orders, balances }: Statement): void {
  let base = 0n;
  let quote = 0n;
  for (const order of orders.filter(({ status }) => RESTING.includes(status))) {
    const left = units(order.origQty) - units(order.executedQty);
    if (order.side === "SELL") base += left;
    else quote += (left * units(order.price)) / 100_000_000n;
  }
  assert.equal(balances.get("BTC")?.locked, base, `BTC locked by ${account.name}`);
  assert.equal(balances.get("USDT")?.locked, quote, `USDT locked by ${account.name}`);
}
