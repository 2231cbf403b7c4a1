/** What a demo lists, what its accounts own, and all of it in one order. */
import assert from "node:assert/strict";
import type { Answer, Client } from "@pricetime/testkit/client";

export interface DemoSymbol {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly filters: readonly { readonly filterType: string; readonly stepSize?: string }[];
}

export async function symbolsOf(client: Client): Promise<readonly DemoSymbol[]> {
  return (await client.public<{ symbols: DemoSymbol[] }>("/api/v3/exchangeInfo")).json.symbols;
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
