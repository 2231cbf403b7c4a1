/**
 * ccxt with the configuration of ordinary users, in the newest version and in 1.95.43. Only the URLs and the pauses
 * between requests differ.
 */
import { createRequire } from "node:module";
import ccxt, { type binance } from "ccxt";
import type { DemoAccount, Exchange } from "../venue/index.ts";

export type Ccxt = typeof ccxt;

/**
 * The version of 2022, which many bots still use. It has the same methods, but its type declarations are not a module.
 */
export const ccxt1x = createRequire(import.meta.url)("ccxt-1x") as Ccxt;
export { ccxt };

type Keys = Pick<DemoAccount, "apiKey" | "secretKey">;

/** Connects in the way that the README describes. */
export function connectCcxt(library: Ccxt, rest: string, keys: Keys): binance {
  const client = new library.binance({ apiKey: keys.apiKey, secret: keys.secretKey, enableRateLimit: false });
  addressesOf(client, rest);
  return client;
}

export type CcxtPro = InstanceType<typeof ccxt.pro.binance>;

/** Connects the client of the WebSocket API in the way that the README describes. */
export async function connectCcxtPro({ rest, ws }: Exchange, { apiKey, secretKey }: Keys): Promise<CcxtPro> {
  const client = new ccxt.pro.binance({ apiKey, secret: secretKey });
  addressesOf(client, rest).ws = { spot: `${ws}/ws`, "ws-api": { spot: `${ws}/ws-api/v3` } };
  // ccxt speaks ws:// only once it has looked for a proxy.
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  return client;
}

/** The client's URLs, of which those for REST are replaced. */
function addressesOf({ urls }: { readonly urls: binance["urls"] }, rest: string): Record<string, unknown> {
  const addresses = urls.api as Record<string, unknown>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === "string") addresses[name] = rest + new URL(address).pathname;
  }
  return addresses;
}

/** All that a watch brings, until the client is closed. */
export function follow<T>(watch: () => Promise<T>): T[] {
  const seen: T[] = [];
  const run = async (): Promise<void> => {
    for (;;) seen.push(structuredClone(await watch()));
  };
  run().catch((error: unknown) => {
    if (!(error instanceof ccxt.ExchangeClosedByUser)) throw error;
  });
  return seen;
}

/** As `follow`, with each element of the lists. */
export function followEach<T>(watch: () => Promise<T[]>): T[] {
  const flat: T[] = [];
  follow(async () => flat.push(...structuredClone(await watch())));
  return flat;
}

/** Returns the name of the exception that a call throws. It must be one of ccxt's exceptions. */
export async function exceptionOf(library: Ccxt, call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof library.BaseError) return error.constructor.name;
    throw error;
  }
  return "none";
}
