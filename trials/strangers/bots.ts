/** Bots that someone else has written and published, where they are, what they stand on, and what their users must set. */

export interface StrangersBot {
  readonly name: string;
  /** Through which client it trades. */
  readonly client: string;
  /** On GitHub. */
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly string[];
  /** What its `package.json` asks for, pinned. */
  readonly packages: readonly string[];
  /** What its author compiles. */
  readonly build: { readonly from: string; readonly to: string } | undefined;
  /** What runs it, from its folder. */
  readonly run: readonly string[];
  /** Under which names it wants its keys. */
  readonly keys: Readonly<Record<"apiKey" | "secretKey", string>>;
  /** Texts of its own that its users change, beside addresses. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether it places orders again and again, and goes on after one that failed. Others place a few, and may end. */
  readonly keepsPlacing: boolean;
}

/** Where bots and their clients believe the exchange to be; `rest` or `ws` of the lab takes its place. */
export const ADDRESSES: Readonly<Record<string, "rest" | "ws">> = {
  "https://api.binance.com": "rest",
  "https://testnet.binance.vision": "rest",
  // ccxt asks for all markets that a venue of this kind might have; a venue without futures says that there are none.
  "https://testnet.binancefuture.com": "rest",
  "wss://stream.binance.com:9443": "ws",
};

export const BOTS: readonly StrangersBot[] = [
  {
    name: "sample-binance-trading-bot",
    client: "@binance/connector",
    repository: "joshteng/sample-binance-trading-bot",
    commit: "e14e857a50eb458a380dd3ae8e09a9a83a86485f",
    files: ["index.js", "lib/utilities.js", "package.json"],
    packages: ["@binance/connector@2.0.1", "js-big-decimal@1.4.1"],
    build: undefined,
    run: ["index.js"],
    keys: { apiKey: "API_KEY", secretKey: "API_SECRET" },
    // Its README: "Configurations". A smaller order, close enough to the price to be filled.
    settings: { BTCBUSD: "BTCUSDT", '"0.01"': '"0.0005"', "orderQuantity = 0.1": "orderQuantity = 0.01" },
    keepsPlacing: true,
  },
  {
    name: "binance-oco",
    client: "binance-api-node",
    repository: "tony-ho/binance-oco",
    commit: "092f347a40e6781e40ea1bb1d238d0bf6b217c7c",
    files: ["src/cli.ts", "src/binance-oco.ts", "package.json"],
    packages: [
      ...["binance-api-node@0.9.2", "bignumber.js@8.1.1", "debug@4.4.1", "dotenv@6.2.0", "joi@14.3.1", "yargs@11.1.1"],
    ],
    build: { from: "src/cli.ts", to: "dist/cli.cjs" },
    run: ["dist/cli.cjs", "-p", "BTCUSDT", "-a", "0.01", "-s", "55000", "-t", "60500"],
    keys: { apiKey: "APIKEY", secretKey: "APISECRET" },
    settings: {},
    keepsPlacing: false,
  },
];
