/** What is listed and who trades: the first commands of every journal that is made here. */
import type { Command, OrderType } from "@pricetime/engine";
import { createSealer, MACHINE } from "@pricetime/server/parts";
import { signerOf } from "./signer.ts";

/** Secrets of keys are sealed with it; the program is told the same. */
export const MASTER_KEY = "b".repeat(64);
const BY = "bench";
const ORDER_TYPES: readonly OrderType[] = ["LIMIT", "LIMIT_MAKER", "MARKET"];

/** The first of the symbols. */
export const SYMBOL = "BTCUSDT";
const symbolName = (n: number): string => `${baseName(n)}USDT`;
const baseName = (n: number): string => (n === 0 ? "BTC" : `COIN${n}`);

/** Ticks are cents, lots are millionths, at every symbol; how many orders rest is not bounded. */
function listSymbol(n: number): Command {
  const filters = {
    priceFilter: { minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" },
    percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
    lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
    minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
  };
  const symbol = {
    symbol: symbolName(n),
    status: "TRADING",
    baseAsset: baseName(n),
    quoteAsset: "USDT",
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    filters,
  } as const;
  return { type: "listSymbol", by: BY, symbol };
}

const listAsset = (name: string): Command => ({
  type: "listAsset",
  by: BY,
  asset: { asset: name, name, precision: 8, networks: [] },
});

/** The assets and symbols of a venue. */
export function listingCommands(symbols: number): Command[] {
  const commands = [listAsset("USDT")];
  for (let n = 0; n < symbols; n++) commands.push(listAsset(baseName(n)), listSymbol(n));
  return commands;
}

export const openAccount = (n: number): Command => ({
  type: "openAccount",
  by: BY,
  email: `${n}@example.org`,
  name: `${n}`,
  makerBps: 10,
  takerBps: 10,
});

/** A key and more of each asset than anybody trades. */
export function equip(n: number, accountId: number, symbols: number, withKey: boolean): Command[] {
  const deposit = (asset: string, amount: string): Command => {
    return { type: "deposit", by: BY, accountId, asset, amount, reference: `${n}-${asset}` };
  };
  const commands = [deposit("USDT", "1000000000000")];
  for (let symbol = 0; symbol < symbols; symbol++) commands.push(deposit(baseName(symbol), "10000000"));
  if (!withKey) return commands;
  const { apiKey, secretKey } = signerOf(n);
  const sealedSecret = sealer.seal(secretKey);
  const key = {
    accountId,
    apiKey,
    sealedSecret,
    permissions: ["USER_STREAM", "TRADE", "USER_DATA", "MARKET_DATA"],
    ipAllowList: [],
    label: "",
  } as const;
  return [...commands, { type: "createApiKey", by: BY, ...key }];
}
const sealer = createSealer(MASTER_KEY, MACHINE);
