/**
 * ccxt with the configuration of ordinary users, in the newest version and in 1.95.43. Only the URLs and the pauses
 * between requests differ.
 */
import { createRequire } from "node:module";
import ccxt, { type binance } from "ccxt";
import type { DemoAccount } from "../venue/index.ts";

export type Ccxt = typeof ccxt;

/**
 * The version of 2022, which many bots still use. It has the same methods, but its type declarations are not a module.
 */
export const ccxt1x = createRequire(import.meta.url)("ccxt-1x") as Ccxt;
export { ccxt };

/** Connects in the way that the README describes. */
export function connectCcxt(library: Ccxt, rest: string, keys: Pick<DemoAccount, "apiKey" | "secretKey">): binance {
  const client = new library.binance({ apiKey: keys.apiKey, secret: keys.secretKey, enableRateLimit: false });
  const addresses = client.urls.api as Record<string, unknown>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === "string") addresses[name] = rest + new URL(address).pathname;
  }
  return client;
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
