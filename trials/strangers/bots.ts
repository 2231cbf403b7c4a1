/** Published bots of other authors: their sources, dependencies and settings. */

/** Files of a GitHub repository at a commit. */
export interface FromGithub {
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly string[];
  /** The file to compile, and the result. */
  readonly build?: { readonly from: string; readonly to: string };
}

/** A package of npm that contains the program. */
export interface FromNpm {
  readonly package: string;
  readonly version: string;
  readonly integrity: string;
}

export interface StrangersBot {
  readonly name: string;
  /** The client library through which it trades. */
  readonly client: string;
  readonly source: FromGithub | FromNpm;
  /** Other packages that it needs, with exact versions. */
  readonly packages: readonly string[];
  /** Files that a user writes for it. */
  readonly written?: Readonly<Record<string, string>>;
  /** The program and its arguments, relative to its folder. */
  readonly run: readonly string[];
  /** The environment variables of its API key; undefined: the key is in its source, see `settings`. */
  readonly keys: Readonly<Record<"apiKey" | "secretKey", string>> | undefined;
  /** Texts in its source that a user changes, besides addresses. `API_KEY` and `SECRET_KEY` stand for the account's key. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Its reaction to a failed order. `goes on`: it continues to place orders. `sends again`: the same, and its client library
   * repeats the failed request. `tries again`: it needs one order and repeats it until it succeeds. `may end`: it may exit
   * then, or after the few orders that it places.
   */
  readonly afterFailure: "goes on" | "sends again" | "tries again" | "may end";
  /**
   * The bot exits after its orders, so a user starts it by cron every so many minutes and ends the previous run by
   * `timeout`. In the hour of failures it runs like that, otherwise once.
   */
  readonly cronMinutes?: number;
}

/** The exchange addresses in bots and client libraries, each with the lab's address that replaces it. */
export const ADDRESSES: Readonly<Record<string, "rest" | "ws">> = {
  "https://api.binance.com": "rest",
  "https://testnet.binance.vision": "rest",
  "wss://testnet.binance.vision": "ws",
  // ccxt requests the markets of all kinds, and a lab reports that it has no futures.
  "https://testnet.binancefuture.com": "rest",
  "https://fapi.binance.com": "rest",
  "https://dapi.binance.com": "rest",
  "wss://stream.binance.com:9443": "ws",
};

/** A version whose package contains the programs in `examples`; later ones do not. */
const CCXT: FromNpm = {
  package: "ccxt",
  version: "4.2.89",
  integrity: "sha512-dM+C1E8RP/TCBEqh3PwSW3fhXIOmAfZg1WpBJArHLof7zXnnGYhfWzGuXTbYa87783dggSdllV8+Jwm1G9VAsg==",
};
/** A later version, which can repeat failed requests. Of the programs, its package contains only the command line. */
const CCXT_THAT_RETRIES: FromNpm = {
  package: "ccxt",
  version: "4.3.91",
  integrity: "sha512-titsbf7UhBmUX4wefIRtAMPobhagQBlSpAI1YhqT2zM7NajUdyZtKBnEau2/K0umXF9OMZu2hhKKID+77PMp2A==",
};
const EXAMPLES = "node_modules/ccxt/examples/js";
/** The packages that its command line needs. */
const CCXT_PACKAGES = ["ws@8.23.0", "ololog@1.1.175", "ansicolor@2.0.3", "as-table@1.0.55"];
/** These versions support http and ws addresses, as a lab has, only for proxies. */
const OVER_HTTP = { "this.agent = this.httpsAgent;": "", "url.substring(0, 5) === 'ws://'": "false" };
/**
 * A user's settings for ccxt: 60 s for a request of weight 1, of which an order has a fifth. Its rate limiter checks every
 * three seconds instead of every millisecond, because each check is an instant of the lab's clock. A request without a
 * response or with a 5XX is repeated up to five times, after a second each.
 */
const SLOW_WITH_RETRIES = {
  rateLimit: 60_000,
  tokenBucket: { delay: 3 },
  options: { fetchMarkets: ["spot"], maxRetriesOnFailure: 5, maxRetriesOnFailureDelay: 1000 },
};

export const BOTS: readonly StrangersBot[] = [
  {
    // `--poll` repeats a call without end: the same amount is bought again and again.
    name: "ccxt --poll, a buyer",
    client: "ccxt",
    source: CCXT_THAT_RETRIES,
    packages: CCXT_PACKAGES,
    written: { "keys.json": JSON.stringify({ binance: SLOW_WITH_RETRIES }) },
    run: [
      `${EXAMPLES}/cli.js`,
      "binance",
      "createMarketBuyOrder",
      "BTC/USDT",
      "0.0005",
      "--poll",
      "--spot",
      "--no-table",
    ],
    keys: { apiKey: "BINANCE_APIKEY", secretKey: "BINANCE_SECRET" },
    settings: OVER_HTTP,
    afterFailure: "sends again",
  },
  {
    name: "ccxt's order with retries",
    client: "ccxt",
    source: CCXT,
    packages: CCXT_PACKAGES,
    run: [`${EXAMPLES}/create-order-with-retry.js`],
    keys: undefined,
    // The source marks each of these with "edit here".
    settings: {
      ...OVER_HTTP,
      "new ccxt.bytetrade": "new ccxt.binance",
      classic123: "API_KEY",
      ebcefff7de475ffe15e864ca3e3e410edf7e94fffd1f9af34edf9434e2bfff1b: "SECRET_KEY",
      "XRP/USDT": "BTC/USDT",
      "'limit '": "'limit'",
      "amount = 10 ": "amount = 0.01 ",
      "price = 1 ": "price = 52000 ",
    },
    afterFailure: "tries again",
    cronMinutes: 5,
  },
  {
    name: "ccxt's orders over a WebSocket",
    client: "ccxt.pro",
    source: CCXT,
    packages: CCXT_PACKAGES,
    run: [`${EXAMPLES}/create-order-ws-example.js`],
    keys: undefined,
    settings: {
      ...OVER_HTTP,
      MY_API_KEY: "API_KEY",
      MY_SECRET: "SECRET_KEY",
      "'ETH/USDT'": "'BTC/USDT'",
      "price = 1000;": "price = 52000;",
    },
    afterFailure: "may end",
    cronMinutes: 5,
  },
  {
    name: "sample-binance-trading-bot",
    client: "@binance/connector",
    source: {
      repository: "joshteng/sample-binance-trading-bot",
      commit: "e14e857a50eb458a380dd3ae8e09a9a83a86485f",
      files: ["index.js", "lib/utilities.js", "package.json"],
    },
    packages: ["@binance/connector@2.0.1", "js-big-decimal@1.4.1"],
    run: ["index.js"],
    keys: { apiKey: "API_KEY", secretKey: "API_SECRET" },
    // See "Configurations" in its README. The order is smaller, and close enough to the price to be filled.
    settings: { BTCBUSD: "BTCUSDT", '"0.01"': '"0.0005"', "orderQuantity = 0.1": "orderQuantity = 0.01" },
    afterFailure: "goes on",
  },
  {
    name: "binance-oco",
    client: "binance-api-node",
    source: {
      repository: "tony-ho/binance-oco",
      commit: "092f347a40e6781e40ea1bb1d238d0bf6b217c7c",
      files: ["src/cli.ts", "src/binance-oco.ts", "package.json"],
      build: { from: "src/cli.ts", to: "dist/cli.cjs" },
    },
    packages: [
      ...["binance-api-node@0.9.2", "bignumber.js@8.1.1", "debug@4.4.1", "dotenv@6.2.0", "joi@14.3.1", "yargs@11.1.1"],
    ],
    run: ["dist/cli.cjs", "-p", "BTCUSDT", "-a", "0.01", "-s", "55000", "-t", "60500"],
    keys: { apiKey: "APIKEY", secretKey: "APISECRET" },
    settings: {},
    afterFailure: "may end",
  },
];
