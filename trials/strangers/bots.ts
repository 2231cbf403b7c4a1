/** Bots that someone else has written and published, where they are, what they stand on, and what their users must set. */

/** Files of a repository on GitHub, as they were at a commit. */
export interface FromGithub {
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly string[];
  /** What its author compiles. */
  readonly build?: { readonly from: string; readonly to: string };
}

/** A package of npm, which has the program in it. */
export interface FromNpm {
  readonly package: string;
  readonly version: string;
  readonly integrity: string;
}

export interface StrangersBot {
  readonly name: string;
  /** Through which client it trades. */
  readonly client: string;
  readonly source: FromGithub | FromNpm;
  /** What it stands on besides, pinned. */
  readonly packages: readonly string[];
  /** Files that its users write. */
  readonly written?: Readonly<Record<string, string>>;
  /** What runs it, from its folder. */
  readonly run: readonly string[];
  /** Under which names it wants its keys; undefined: they stand in its text, and `settings` name them. */
  readonly keys: Readonly<Record<"apiKey" | "secretKey", string>> | undefined;
  /** Texts of its own that its users change, beside addresses. `API_KEY` and `SECRET_KEY` become those of its account. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * How it takes an order that failed. `goes on`: it places orders again and again, whatever became of one. `sends again`: it
   * does so, and its client sends what failed once more. `tries again`: it wants one order, until it has it. `may end`: with
   * that order, or when it has placed the few that it wanted.
   */
  readonly afterFailure: "goes on" | "sends again" | "tries again" | "may end";
  /**
   * It has its orders and is done, so whoever wants more has cron start it: each so many minutes, after an end to what is
   * left of the last run, as `timeout` puts it. In the hour it is run like that; where it is not, it runs once.
   */
  readonly cronMinutes?: number;
}

/** Where bots and their clients believe the exchange to be; `rest` or `ws` of the lab takes its place. */
export const ADDRESSES: Readonly<Record<string, "rest" | "ws">> = {
  "https://api.binance.com": "rest",
  "https://testnet.binance.vision": "rest",
  "wss://testnet.binance.vision": "ws",
  // ccxt asks for all markets that a venue of this kind might have; a venue without futures says that there are none.
  "https://testnet.binancefuture.com": "rest",
  "https://fapi.binance.com": "rest",
  "https://dapi.binance.com": "rest",
  "wss://stream.binance.com:9443": "ws",
};

/** A version whose package has the programs of `examples` in it; later ones have not. */
const CCXT: FromNpm = {
  package: "ccxt",
  version: "4.2.89",
  integrity: "sha512-dM+C1E8RP/TCBEqh3PwSW3fhXIOmAfZg1WpBJArHLof7zXnnGYhfWzGuXTbYa87783dggSdllV8+Jwm1G9VAsg==",
};
/** A later one, whose client can send again what failed. Of the programs its package has the command line alone. */
const CCXT_THAT_RETRIES: FromNpm = {
  package: "ccxt",
  version: "4.3.91",
  integrity: "sha512-titsbf7UhBmUX4wefIRtAMPobhagQBlSpAI1YhqT2zM7NajUdyZtKBnEau2/K0umXF9OMZu2hhKKID+77PMp2A==",
};
const EXAMPLES = "node_modules/ccxt/examples/js";
/** What its command line writes with. */
const CCXT_PACKAGES = ["ws@8.23.0", "ololog@1.1.175", "ansicolor@2.0.3", "as-table@1.0.55"];
/** These versions know addresses that begin with https and wss, and others only of proxies; a lab's begin with http and ws. */
const OVER_HTTP = { "this.agent = this.httpsAgent;": "", "url.substring(0, 5) === 'ws://'": "false" };
/**
 * Its users' settings. So many milliseconds for a request of weight 1; an order has a fifth of it. And it looks each three
 * seconds whether it may ask, not each millisecond, of which each would be a moment of the lab's clock. What got no answer
 * or a 5XX is sent again, up to five times, after a second each.
 */
const PATIENTLY = {
  rateLimit: 60_000,
  tokenBucket: { delay: 3 },
  options: { fetchMarkets: ["spot"], maxRetriesOnFailure: 5, maxRetriesOnFailureDelay: 1000 },
};

export const BOTS: readonly StrangersBot[] = [
  {
    // Its `--poll` repeats a call for ever: somebody who buys the same amount again and again.
    name: "ccxt --poll, a buyer",
    client: "ccxt",
    source: CCXT_THAT_RETRIES,
    packages: CCXT_PACKAGES,
    written: { "keys.json": JSON.stringify({ binance: PATIENTLY }) },
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
    // Each stands at an "edit here".
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
    // Its README: "Configurations". A smaller order, close enough to the price to be filled.
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
