/** All that REST says of an account. */
import assert from "node:assert/strict";
import type { Client, Parameters } from "@pricetime/testkit/client";
import type { Account } from "./user-fold.ts";

const PAGE = 1000;

export async function signedGet<T>(client: Client, path: string, parameters: Parameters = {}): Promise<T> {
  const answer = await client.patient<T>(path, parameters);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** All rows. Rows of one id may come in pairs (a trade with oneself), so a full page's last id is asked for again. */
async function pages<T>(client: Client, path: string, from: string, id: keyof T, fixed: Parameters): Promise<T[]> {
  const rows: T[] = [];
  for (let next = 0; ; ) {
    const page = await signedGet<T[]>(client, path, { ...fixed, [from]: next, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined || last === null || page.length < PAGE) return [...rows, ...page];
    next = Number(last[id]);
    rows.push(...page.filter((row) => row[id] !== next));
  }
}

export interface OrderRow {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: string;
  readonly executedQty: string;
}

export function allOrders(client: Client, symbol: string): Promise<OrderRow[]> {
  return pages<OrderRow>(client, "/api/v3/allOrders", "orderId", "orderId", { symbol });
}

export interface TradeRow {
  readonly id: number;
  readonly orderId: number;
  readonly isMaker: boolean;
  readonly qty: string;
}

export function myTrades(client: Client, symbol: string): Promise<TradeRow[]> {
  return pages<TradeRow>(client, "/api/v3/myTrades", "fromId", "id", { symbol });
}

export function accountOf(client: Client): Promise<Account> {
  return signedGet<Account>(client, "/api/v3/account");
}
