/** What is asked of a golden data folder, when it is made and by every later release. */
import assert from "node:assert/strict";
import { Client } from "@pricetime/testkit/client";
import type { DemoAccount, Exchange } from "@pricetime/testkit/venue";

/** Answers by account and question. */
export type Answers = Readonly<Record<string, unknown>>;

const SYMBOL = { symbol: "BTCUSDT" };
/** Each with parameters for as much as there is; none depends on when it is asked. */
const QUESTIONS: readonly (readonly [path: string, parameters: Readonly<Record<string, string | number>>])[] = [
  ["/api/v3/openOrders", {}],
  ["/api/v3/allOrders", { ...SYMBOL, orderId: 0, limit: 1000 }],
  ["/api/v3/allOrderList", { fromId: 0, limit: 1000 }],
  ["/api/v3/openOrderList", {}],
  ["/api/v3/myTrades", { ...SYMBOL, fromId: 0, limit: 1000 }],
];

export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}
interface Account {
  readonly makerCommission: number;
  readonly takerCommission: number;
  readonly balances: readonly Balance[];
}

/** The exchange's time may be ahead of ours; what is not zero is shown, as assets may be added. */
async function ofAccount(rest: string, account: DemoAccount, timestamp: number): Promise<Answers> {
  const client = new Client(rest, account, 1);
  const ask = async <T>(path: string, parameters: Readonly<Record<string, string | number>>): Promise<T> => {
    const answer = await client.patient<T>(path, { ...parameters, timestamp, recvWindow: 60_000 });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.json;
  };
  try {
    const { balances, makerCommission, takerCommission } = await ask<Account>("/api/v3/account", {});
    const owned = balances.filter(({ free, locked }) => Number(free) + Number(locked) > 0);
    const answers: Record<string, unknown> = { account: { makerCommission, takerCommission, balances: owned } };
    for (const [path, parameters] of QUESTIONS) answers[path] = await ask(path, parameters);
    return answers;
  } finally {
    client.close();
  }
}

export async function askAll({ rest, accounts }: Pick<Exchange, "rest" | "accounts">): Promise<Answers> {
  const client = new Client(rest);
  try {
    const { serverTime } = (await client.public<{ serverTime: number }>("/api/v3/time")).json;
    const depth = await client.public<{ bids: unknown; asks: unknown; lastUpdateId: number }>("/api/v3/depth", SYMBOL);
    const klines = await client.public("/api/v3/klines", { ...SYMBOL, interval: "1m", startTime: 0, limit: 1 });
    const trades = await client.public("/api/v3/trades", SYMBOL);
    const answers: Record<string, unknown> = { depth: depth.json, klines: klines.json, trades: trades.json };
    for (const account of accounts) answers[account.name] = await ofAccount(rest, account, serverTime);
    return answers;
  } finally {
    client.close();
  }
}
