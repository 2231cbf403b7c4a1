/** Requests everything that clients can see and compares it with the expected state. */
import { type Amended, type ModelMarket, opposite, type Prevented } from "@pricetime/testkit/models";
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

/** No request may be running meanwhile. `isThorough`: order lists, amendments and prevented matches too. */
export async function auditState(auditor: Audited, ask: Ask, isThorough = true): Promise<void> {
  const audit = new StateAudit(auditor, ask, isThorough);
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

  readonly #isThorough: boolean;

  constructor(auditor: Audited, ask: Ask, isThorough: boolean) {
    this.#auditor = auditor;
    this.#isThorough = isThorough;
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

  /** Compares those fields of the answered rows that the expected ones have. */
  #sameRows(what: string, expected: readonly object[], rows: Json): void {
    const actual = rows.map((row: Json, at: number) => picked(row, Object.keys(expected[at] ?? {})));
    this.#same(what, expected, actual);
  }

  async market(market: ModelMarket): Promise<void> {
    const { symbol } = market.spec;
    const depth = await this.#get("depth", 0, { symbol, limit: "1000" }, false);
    this.#same(`bids of ${symbol}`, shown(market, "BUY"), depth.bids);
    this.#same(`asks of ${symbol}`, shown(market, "SELL"), depth.asks);
    const trades = await this.#get("trades", 0, { symbol, limit: MOST }, false);
    const expected = (this.#auditor.ledger.trades.get(symbol) ?? []).slice(-Number(MOST));
    const stories = expected.map(({ tradeId: id, price, quantity, takerSide }) => {
      return { id, price: wire(price), qty: wire(quantity), isBuyerMaker: takerSide === "SELL" };
    });
    this.#sameRows(`trades of ${symbol}`, stories, trades);
  }

  async account(accountId: number): Promise<void> {
    await this.#balances(accountId);
    await this.#openOrders(accountId);
    if (this.#isThorough) await this.#allLists(accountId);
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
      return { asset, free: wire(free), locked: wire(locked) };
    });
    this.#sameRows(`balances of ${accountId}`, expected, balances);
  }

  async #openOrders(accountId: number): Promise<void> {
    const { model } = this.#auditor;
    const orders = model.openOrders(accountId).map(({ orderId, clientOrderId, executed }) => {
      return { orderId, clientOrderId, executedQty: wire(executed) };
    });
    this.#sameRows(`open orders of ${accountId}`, orders, await this.#get("openOrders", accountId, {}));
    const lists = [...model.lists, ...model.otos].filter((list) => list.accountId === accountId);
    const ids = lists.map(({ orderListId }) => ({ orderListId })).sort((a, b) => a.orderListId - b.orderListId);
    this.#sameRows(`open lists of ${accountId}`, ids, await this.#get("openOrderList", accountId, {}));
  }

  async #allLists(accountId: number): Promise<void> {
    const lists = [...this.#auditor.ledger.lists.values()].filter((list) => list.accountId === accountId);
    const stories = lists.slice(-Number(MOST)).map(({ orderListId, listClientOrderId, symbol, status }) => {
      return { orderListId, listClientOrderId, symbol, listOrderStatus: status === "UPDATED" ? "EXECUTING" : status };
    });
    this.#sameRows(`all lists of ${accountId}`, stories, await this.#get("allOrderList", accountId, { limit: MOST }));
  }

  async #allOrders(accountId: number, symbol: string): Promise<void> {
    const orders = [...this.#auditor.ledger.orders.values()].filter(
      ({ opened }) => opened.accountId === accountId && opened.symbol === symbol,
    );
    const all = await this.#get("allOrders", accountId, { symbol, limit: MOST });
    this.#sameRows(`all orders of ${accountId} on ${symbol}`, orders.slice(-Number(MOST)).map(orderStory), all);
    for (const { opened, amendments, matches } of this.#isThorough ? orders : []) {
      const of = { symbol, orderId: String(opened.orderId), limit: MOST };
      for (const [path, expected] of [
        ["order/amendments", amendments.map(amendmentStory)],
        ["myPreventedMatches", matches.map(matchStory)],
      ] as const) {
        if (expected.length === 0) continue;
        this.#sameRows(`${path} of ${of.orderId}`, expected, await this.#get(path, accountId, of));
      }
    }
  }

  async #myTrades(accountId: number, symbol: string): Promise<void> {
    const fills = this.#auditor.ledger.fills.filter((fill) => fill.accountId === accountId && fill.symbol === symbol);
    const trades = await this.#get("myTrades", accountId, { symbol, limit: MOST });
    const stories = fills.slice(-Number(MOST)).map(fillStory);
    const reported = trades.map((trade: Json) => picked(trade, Object.keys(stories[0] ?? {})));
    this.#same(`trades of ${accountId} on ${symbol}`, sorted(stories), sorted(reported));
  }
}

function picked(row: Json, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** The two sides of a self-trade have no defined order. */
function sorted(stories: readonly unknown[]): string[] {
  return stories.map((story) => JSON.stringify(story)).sort();
}

function fillStory({ trade, side }: FillRecord) {
  const { orderId, commission, commissionAsset } = side;
  const amounts = { price: wire(trade.price), qty: wire(trade.quantity), commission: wire(commission) };
  return { id: trade.tradeId, orderId, ...amounts, commissionAsset };
}

function amendmentStory({ orderId, origClientOrderId, clientOrderId, origQuantity, quantity }: Amended) {
  const ids = { orderId, origClientOrderId, newClientOrderId: clientOrderId };
  return { ...ids, origQty: wire(origQuantity), newQty: wire(quantity) };
}

function matchStory({ id, mode, price, taker, maker, tradeGroupId }: Prevented) {
  return {
    ...{ preventedMatchId: id, selfTradePreventionMode: mode, price: wire(price), tradeGroupId },
    ...{ takerOrderId: taker.orderId, takerPreventedQuantity: taker.lost === 0n ? undefined : wire(taker.lost) },
    ...{ makerOrderId: maker.orderId, makerPreventedQuantity: maker.lost === 0n ? undefined : wire(maker.lost) },
  };
}

function orderStory(order: OrderRecord) {
  const { opened, clientOrderId, status, isWorking, prevented, expiryReason } = order;
  const { orderId, orderListId, type, side } = opened;
  return {
    ...{ orderId, clientOrderId, orderListId, type, side, status, isWorking, origQty: wire(order.quantity) },
    ...{ executedQty: wire(order.executed), cummulativeQuoteQty: wire(order.executedQuote) },
    preventedQuantity: prevented === 0n ? undefined : wire(prevented),
    expiryReason,
  };
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

const ORDER_FIELDS = (
  "orderId clientOrderId orderListId type side status isWorking origQty executedQty cummulativeQuoteQty " +
  "preventedQuantity expiryReason"
).split(" ");

export function answeredOrder(status: number, json: Json): string {
  return status === 200 ? JSON.stringify(picked(json, ORDER_FIELDS)) : String(json.code);
}

/** The model's visible book levels: hidden quantities of icebergs are excluded. */
export function shown(market: ModelMarket, side: "BUY" | "SELL"): string[][] {
  const levels = new Map<bigint, bigint>();
  for (const order of opposite(market, side === "BUY" ? "SELL" : "BUY", 0n)) {
    levels.set(order.price, (levels.get(order.price) ?? 0n) + order.visible);
  }
  return [...levels].map(([price, quantity]) => [wire(price), wire(quantity)]);
}
