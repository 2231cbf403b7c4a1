/** The demo as its tests see it: what is listed, what accounts own, and all of it in one order. */
import assert from "node:assert/strict";
import type { Answer, Client } from "@pricetime/testkit/client";

export interface DemoSymbol {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly filters: readonly { readonly filterType: string; readonly stepSize?: string }[];
}
export interface Book {
  readonly bids: readonly (readonly [price: string, quantity: string])[];
  readonly asks: readonly (readonly [price: string, quantity: string])[];
}

export async function symbolsOf(client: Client): Promise<readonly DemoSymbol[]> {
  return (await client.public<{ symbols: DemoSymbol[] }>("/api/v3/exchangeInfo")).json.symbols;
}

export async function bookOf(client: Client, symbol: string): Promise<Book> {
  return (await client.public<Book>("/api/v3/depth", { symbol, limit: 1000 })).json;
}

/** What a side beyond 1 % of its best price comes to, in the quote asset. */
export function farNotional(side: Book["bids"]): number {
  const best = Number(side[0]?.[0]);
  const far = side.filter(([price]) => Math.abs(Number(price) / best - 1) > 0.01);
  return far.reduce((sum, [price, quantity]) => sum + Number(price) * Number(quantity), 0);
}

async function freeOf(client: Client, wanted: string): Promise<string> {
  const { json } = await client.signed<{ balances: { asset: string; free: string }[] }>("GET", "/api/v3/account");
  return json.balances.find(({ asset }) => asset === wanted)?.free ?? assert.fail(wanted);
}

export type Placed = Answer<{ readonly status?: string; readonly executedQty?: string }>;

/** A market order with all that the account has of the quote asset, or of the base asset in whole steps. */
export async function allIn(client: Client, { symbol, ...listed }: DemoSymbol, side: "BUY" | "SELL"): Promise<Placed> {
  const free = await freeOf(client, side === "BUY" ? listed.quoteAsset : listed.baseAsset);
  const amount = side === "BUY" ? { quoteOrderQty: free } : { quantity: inSteps(listed, free) };
  return client.signed("POST", "/api/v3/order", { symbol, side, type: "MARKET", ...amount });
}

/** Rounded down, without floating point: the decimals of the step, which is a power of ten. */
function inSteps({ filters }: Pick<DemoSymbol, "filters">, free: string): string {
  const step = filters.find(({ filterType }) => filterType === "LOT_SIZE")?.stepSize ?? assert.fail();
  assert.match(step, /^[01]\.0*1?0*$/);
  const decimals = step.startsWith("1") ? 0 : step.indexOf("1") - 1;
  const [whole = "", fraction = ""] = free.split(".");
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
}
