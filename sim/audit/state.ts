/** Requests everything that clients can see and compares it with the expected state. */
import { type ModelMarket, opposite } from "@pricetime/testkit/models";
import type { ClientRequest } from "../world/request.ts";
import { wire } from "./amounts.ts";
import type { Auditor } from "./auditor.ts";
import type { FillRecord, OrderRecord } from "./ledger-of-orders.ts";

// Bodies have any shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
export type Ask = (request: ClientRequest) => Promise<{ readonly status: number; readonly json: Json }>;

/** The auditor's expected state. */
export type Audited = Pick<Auditor, "model" | "ledger" | "keys" | "fail">;

/** No request may be running meanwhile. */
export async function auditState(auditor: Audited, ask: Ask): Promise<void> {
  const audit = new StateAudit(auditor, ask);
  for (const market of auditor.model.markets) await audit.market(market);
  for (const accountId of auditor.model.accounts.keys()) {
    if (!auditor.keys.apiKeys.has(apiKeyNameOf(accountId))) continue;
    await audit.account(accountId);
  }
}

function apiKeyNameOf(accountId: number): string {
  return `key${accountId}`.padEnd(64, "A");
}

const MOST = "1000";

class StateAudit {
  readonly #auditor: Audited;
  readonly #ask: Ask;

  constructor(auditor: Audited, ask: Ask) {
    this.#auditor = auditor;
    this.#ask = ask;
  }

  async #get(path: string, accountId: number, parameters: Record<string, string>, isSigned = true): Promise<Json> {
    const request = { method: "GET", path: `/api/v3/${path}`, accountId, isSigned, parameters };
    const { status, json } = await this.#ask(request);
    if (status !== 200) this.#auditor.fail(`${path} of ${accountId}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  #same(what: string, expected: unknown, actual: unknown): void {
    const [must, is] = [JSON.stringify(expected), JSON.stringify(actual)];
    if (must !== is) this.#auditor.fail(`${what} must be\n    ${must}\n  and is\n    ${is}`);
  }

  async market(market: ModelMarket): Promise<void> {
    const { symbol } = market.spec;
    const depth = await this.#get("depth", 0, { symbol, limit: "1000" }, false);
    this.#same(`bids of ${symbol}`, shown(market, "BUY"), depth.bids);
    this.#same(`asks of ${symbol}`, shown(market, "SELL"), depth.asks);
    const trades = await this.#get("trades", 0, { symbol, limit: MOST }, false);
    const expected = (this.#auditor.ledger.trades.get(symbol) ?? []).slice(-Number(MOST));
    this.#same(
      `trades of ${symbol}`,
      expected.map((trade) => [trade.tradeId, wire(trade.price), wire(trade.quantity), trade.takerSide === "SELL"]),
      trades.map((trade: Json) => [trade.id, trade.price, trade.qty, trade.isBuyerMaker]),
    );
  }

  async account(accountId: number): Promise<void> {
    await this.#balances(accountId);
    await this.#openOrders(accountId);
    for (const { spec } of this.#auditor.model.markets) {
      await this.#allOrders(accountId, spec.symbol);
      await this.#myTrades(accountId, spec.symbol);
    }
  }

  async #balances(accountId: number): Promise<void> {
    const { model } = this.#auditor;
    const { balances } = await this.#get("account", accountId, {});
    const expected = model.assets.map(({ asset }) => {
      const { free, locked } = model.money.of(accountId, asset);
      return [asset, wire(free), wire(locked)];
    });
    const actual = balances?.map((balance: Json) => [balance.asset, balance.free, balance.locked]);
    this.#same(`balances of ${accountId}`, expected, actual);
  }

  async #openOrders(accountId: number): Promise<void> {
    const { model } = this.#auditor;
    const open = await this.#get("openOrders", accountId, {});
    this.#same(
      `open orders of ${accountId}`,
      model.openOrders(accountId).map((order) => [order.orderId, order.clientOrderId, wire(order.executed)]),
      open.map((order: Json) => [order.orderId, order.clientOrderId, order.executedQty]),
    );
    const lists = await this.#get("openOrderList", accountId, {});
    this.#same(
      `open lists of ${accountId}`,
      [...model.lists, ...model.otos]
        .filter((list) => list.accountId === accountId)
        .map(({ orderListId }) => orderListId)
        .sort((a, b) => a - b),
      lists.map((list: Json) => list.orderListId),
    );
  }

  async #allOrders(accountId: number, symbol: string): Promise<void> {
    const orders = [...this.#auditor.ledger.orders.values()].filter(
      ({ opened }) => opened.accountId === accountId && opened.symbol === symbol,
    );
    const all = await this.#get("allOrders", accountId, { symbol, limit: MOST });
    this.#same(
      `all orders of ${accountId} on ${symbol}`,
      orders.slice(-Number(MOST)).map(orderStory),
      all.map(answeredStory),
    );
  }

  async #myTrades(accountId: number, symbol: string): Promise<void> {
    const fills = this.#auditor.ledger.fills.filter((fill) => fill.accountId === accountId && fill.symbol === symbol);
    const trades = await this.#get("myTrades", accountId, { symbol, limit: MOST });
    const reported = trades.map((trade: Json) => [trade.id, trade.orderId, trade.price, trade.qty, trade.commission]);
    this.#same(
      `trades of ${accountId} on ${symbol}`,
      sorted(fills.slice(-Number(MOST)).map(fillStory)),
      sorted(reported),
    );
  }
}

/** The two sides of a self-trade have no defined order. */
function sorted(stories: readonly unknown[]): string[] {
  return stories.map((story) => JSON.stringify(story)).sort();
}

function fillStory({ trade, side }: FillRecord): unknown[] {
  return [trade.tradeId, side.orderId, wire(trade.price), wire(trade.quantity), wire(side.commission)];
}

function orderStory({ opened, clientOrderId, status, executed, executedQuote, isWorking }: OrderRecord): unknown[] {
  const { orderId, orderListId, type, side } = opened;
  return [orderId, clientOrderId, orderListId, type, side, status, wire(executed), wire(executedQuote), isWorking];
}

export const UNKNOWN_ORDER = "-2013";

/**
 * The expected response to an order query at this time: it includes everything acknowledged before, and nothing
 * partial.
 */
export function expectedOrder(auditor: Pick<Auditor, "ledger">, accountId: number, orderId: number): string {
  const record = auditor.ledger.orders.get(orderId);
  return record?.opened.accountId === accountId ? JSON.stringify(orderStory(record)) : UNKNOWN_ORDER;
}

export function answeredOrder(status: number, json: Json): string {
  return status === 200 ? JSON.stringify(answeredStory(json)) : String(json.code);
}

function answeredStory(order: Json): unknown[] {
  const { orderId, clientOrderId, orderListId, type, side, status, executedQty, cummulativeQuoteQty, isWorking } =
    order;
  return [orderId, clientOrderId, orderListId, type, side, status, executedQty, cummulativeQuoteQty, isWorking];
}

/** The model's visible book levels: hidden quantities of icebergs are excluded. */
export function shown(market: ModelMarket, side: "BUY" | "SELL"): string[][] {
  const levels = new Map<bigint, bigint>();
  for (const order of opposite(market, side === "BUY" ? "SELL" : "BUY", 0n)) {
    levels.set(order.price, (levels.get(order.price) ?? 0n) + order.visible);
  }
  return [...levels].map(([price, quantity]) => [wire(price), wire(quantity)]);
}
