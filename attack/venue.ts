/** The attacked exchange: as large as the attacks need it, created once, and copied for each attack. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Credentials } from "@pricetime/testkit/client";
import {
  type DemoAccount,
  type Exchange,
  openAccount,
  startExchange,
  type StartOptions,
} from "@pricetime/testkit/venue";
import { RawConnection, signedRawRequest } from "@pricetime/testkit/raw-http";
import type { Scope } from "./scope.ts";

export interface VenueSize {
  readonly symbols: number;
  /** Asks of the deep book, one lot each, one tick apart. */
  readonly asks: number;
  /** The open orders of each account with many orders. */
  readonly hoard: number;
}

export const FULL_SIZE: VenueSize = { symbols: 1_500, asks: 29_700, hoard: 5_000 };
export const SHORT_SIZE: VenueSize = { symbols: 1_500, asks: 10_000, hoard: 2_000 };

/** The quantity of each ask in the deep book, and the price of the first. */
const ASK_QUANTITY = 0.0035;
const ASK_PRICE = 60_000;

export interface Venue {
  readonly size: VenueSize;
  /** Only copied, never started itself. */
  readonly folder: string;
  readonly config: string;
  /** Four accounts that trade at a low rate. */
  readonly quiet: readonly DemoAccount[];
  /** Owns 100 USDT. */
  readonly poor: DemoAccount;
  /** Four accounts with thousands of open orders each. */
  readonly hoarders: readonly DemoAccount[];
}

export const DEEP_SYMBOL = "BTCUSDT";
export const HOARD_SYMBOL = "ETHUSDT";
export const QUIET_SYMBOL = "BNBUSDT";
const PLENTY = "1000000000";
/** The balance of every account but the poor one. */
const RICH: Readonly<Record<string, string>> = { USDT: PLENTY, BTC: PLENTY, ETH: PLENTY, BNB: PLENTY };
const CONNECTIONS = 16;
const HOARDERS = 4;
const QUIET_ACCOUNTS = 4;

const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
  lotSize: { minQty: "0.0001", maxQty: "9000", stepSize: "0.0001" },
};
/** The largest symbol entry in `exchangeInfo` that the interface allows. */
const ALL_FILTERS = {
  ...FILTERS,
  percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
  minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
  icebergParts: { limit: 10 },
  marketLotSize: { minQty: "0", maxQty: "1000", stepSize: "0" },
  maxNumOrders: { limit: 200 },
  maxNumAlgoOrders: { maxNumAlgoOrders: 5 },
  maxNumIcebergOrders: { maxNumIcebergOrders: 10 },
};

/** A configuration file as JSON, which is valid YAML. */
function configuration(symbols: number): string {
  const names = [
    "USDT",
    "BTC",
    "ETH",
    "BNB",
    ...Array.from({ length: Math.ceil(Math.sqrt(symbols)) }, (_, i) => `C${i}`),
  ];
  const played = [DEEP_SYMBOL, HOARD_SYMBOL, QUIET_SYMBOL].map((symbol) => pair(symbol.slice(0, 3), "USDT", FILTERS));
  const coins = names.slice(4);
  const others = coins.flatMap((base) =>
    coins.filter((quote) => quote !== base).map((quote) => pair(base, quote, ALL_FILTERS)),
  );
  return JSON.stringify({
    assets: names.map((asset) => ({ asset, name: `Asset ${asset}` })),
    symbols: [...played, ...others].slice(0, symbols),
    // The measured clients place and cancel all day, which breaks the trading rules.
    tradingRules: { exempt: ["@attack.example"] },
    // Anyone may request an account, and so an email.
    accounts: { signUp: "open" },
  });
}

const pair = (baseAsset: string, quoteAsset: string, filters: object): object => ({
  ...{ symbol: baseAsset + quoteAsset, baseAsset, quoteAsset, filters },
});

export async function prepareVenue(scope: Scope, size: VenueSize): Promise<Venue> {
  const config = join(scope.folder(), "pricetime.yaml");
  writeFileSync(config, configuration(size.symbols));
  const folder = scope.folder();
  const exchange = await startExchange({
    dataFolder: folder,
    args: ["--no-demo", "--limits", "off", "--config", config],
  });
  try {
    const open = (name: string, grants = RICH): Promise<DemoAccount> =>
      openAccount(exchange, `${name}@attack.example`, grants);
    const numbered = (name: string, count: number): Promise<DemoAccount[]> =>
      Promise.all(Array.from({ length: count }, (_, i) => open(`${name}${i}`)));
    const quiet = await numbered("quiet", QUIET_ACCOUNTS);
    const hoarders = await numbered("hoarder", HOARDERS);
    const poor = await open("poor", { USDT: "100" });
    const maker = await open("maker");
    await placeAll(exchange, maker, size.asks, (i) => deepAsk(i));
    for (const hoarder of hoarders) await placeAll(exchange, hoarder, size.hoard, (i) => hoarded(i));
    if ((await exchange.stop()) !== 0) throw new Error(`the venue did not stop: ${exchange.output().slice(-2_000)}`);
    return { size, folder, config, quiet, hoarders, poor };
  } finally {
    await exchange.kill();
  }
}

/** Starts a node on a copy of the venue's folder, with limits on. */
export async function startOnCopy(venue: Venue, scope: Scope, options: StartOptions = {}): Promise<Exchange> {
  const dataFolder = scope.folder();
  cpSync(venue.folder, dataFolder, { recursive: true });
  const args = ["--no-demo", "--config", venue.config, ...(options.args ?? [])];
  const exchange = await startExchange({ ...options, dataFolder, args });
  scope.defer(() => exchange.kill());
  return exchange;
}

type Order = Readonly<Record<string, string>>;

const LIMIT = { type: "LIMIT", timeInForce: "GTC", newOrderRespType: "ACK" };

function deepAsk(i: number): Order {
  const price = (ASK_PRICE + i / 100).toFixed(2);
  return { symbol: DEEP_SYMBOL, side: "SELL", quantity: String(ASK_QUANTITY), price, ...LIMIT };
}

function hoarded(i: number): Order {
  return { symbol: HOARD_SYMBOL, side: "BUY", quantity: "0.01", price: (100 + i / 100).toFixed(2), ...LIMIT };
}

/** Places orders as fast as the node accepts them. */
async function placeAll(
  exchange: Exchange,
  account: DemoAccount,
  count: number,
  order: (i: number) => Order,
): Promise<void> {
  const port = Number(new URL(exchange.rest).port);
  let next = 0;
  const lane = async (): Promise<void> => {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {});
    const connection = await RawConnection.open(port, (why) => reject(new Error(why)));
    while (next < count) {
      const request = signedOrder(account, order(next++));
      const answered = new Promise<void>((done, failed) =>
        connection.send(request, (status, body) => (status === 200 ? done() : failed(new Error(`${status} ${body}`)))),
      );
      await Promise.race([answered, lost]);
    }
    connection.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

/** The complete bytes of a request that places the order. */
export function signedOrder(account: Credentials, parameters: Order): string {
  return signedRawRequest(account, { method: "POST", path: "/api/v3/order", parameters });
}
