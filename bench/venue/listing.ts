/** The listed assets and symbols, and the accounts: the first commands of every journal that is created here. */
import type { Command, OrderType } from "@pricetime/engine";
import { createSealer, MACHINE } from "@pricetime/server/parts";
import {
  createApiKey,
  deposit,
  listAsset,
  listSymbol,
  openAccount as openAccountOf,
} from "@pricetime/testkit/commands";
import { accountKeys } from "../load/requests.ts";

/** The key that encrypts the secrets of API keys; the program is started with the same one. */
export const MASTER_KEY = "b".repeat(64);
const ORDER_TYPES: readonly OrderType[] = ["LIMIT", "LIMIT_MAKER", "MARKET"];

/** The first symbol. */
export const SYMBOL = "BTCUSDT";
const baseName = (n: number): string => (n === 0 ? "BTC" : `COIN${n}`);

/** Ticks are cents and lots are millionths at every symbol, without a limit on open orders. */
function listing(n: number): Command {
  const filters = {
    priceFilter: { minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" },
    percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
    lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
    minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
  };
  return listSymbol(`${baseName(n)}/USDT`, filters, { orderTypes: ORDER_TYPES });
}

/** The assets and symbols of a venue. */
export function listingCommands(symbols: number): Command[] {
  const commands: Command[] = [listAsset("USDT")];
  for (let n = 0; n < symbols; n++) commands.push(listAsset(baseName(n)), listing(n));
  return commands;
}

export const openAccount = (n: number): Command =>
  openAccountOf(`${n}@example.org`, { name: `${n}`, makerBps: 10, takerBps: 10 });

/** Creates a key, and credits more of each asset than any run uses. */
export function equip(n: number, accountId: number, symbols: number, withKey: boolean): Command[] {
  const commands: Command[] = [deposit(accountId, "USDT", "1000000000000")];
  for (let symbol = 0; symbol < symbols; symbol++) commands.push(deposit(accountId, baseName(symbol), "10000000"));
  if (!withKey) return commands;
  const { apiKey, secretKey } = accountKeys(n);
  const permissions = ["USER_STREAM", "TRADE", "USER_DATA", "MARKET_DATA"] as const;
  return [...commands, createApiKey(accountId, apiKey, { sealedSecret: sealer.seal(secretKey), permissions })];
}
const sealer = createSealer(MASTER_KEY, MACHINE);
