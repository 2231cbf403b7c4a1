/** Networks that the wallet speaks to, its mail, and the rules of API trading, as the configuration writes them. */
import { z } from "zod";
import { assetName, decimal, text } from "./listing-schema.ts";

const networkName = text;
const chainText = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible characters without spaces");
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "0x and 40 hex digits");

/** Built in, for bot developers: blocks by a timer, coins from a faucet. */
const sandbox = z.strictObject({
  kind: z.literal("sandbox"),
  network: networkName,
  /** A block every so often; 0: only when an operator says so. */
  blockMs: z.int().min(0).max(86_400_000).default(1000),
  /** What the network charges the venue for each payment; left out: nothing. */
  cost: z.strictObject({ asset: assetName, amount: decimal }).exactOptional(),
});

/** An operator sees, credits and completes by hand. */
const manual = z.strictObject({
  kind: z.literal("manual"),
  network: networkName,
  /** Given out one by one, each to one account. */
  addresses: z.array(chainText).max(1_000_000).default([]),
  /** Given out when those are used up, with the account's number as its tag; "": no more are. */
  sharedAddress: z.union([z.literal(""), chainText]).default(""),
});

const token = z.strictObject({
  asset: assetName,
  contract: evmAddress,
  /** Of the contract. */
  decimals: z.int().min(0).max(36),
});

/** A chain with JSON-RPC. The node holds no spending key: the signer does. */
const evm = z.strictObject({
  kind: z.literal("evm"),
  network: networkName,
  /** JSON-RPC over HTTP. Many providers put a key in it: it is never logged. */
  rpcUrl: z.url({ protocol: /^https?$/ }),
  chainId: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  nativeAsset: assetName,
  tokens: z.array(token).max(1000).default([]),
  /** Extended public key that deposit addresses are derived from. */
  xpub: z.string().regex(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/, "an extended public key (xpub...)"),
  /** The account that pays withdrawals; the signer holds its key. */
  hotWallet: evmAddress,
  /** The socket of the signer's process; relative to the folder that the node runs in. */
  signerSocket: text,
  /** What pays the gas of sweeping tokens: coins that it sends to a deposit address are no deposit. */
  gasWallet: evmAddress.exactOptional(),
  /** Of one request to the chain or to the signer. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /** While a unit of gas costs more, payments wait. */
  maxFeeGwei: z.int().min(1).max(1_000_000).default(500),
  /** Where reading begins when nothing was read yet; left out: at the head of that moment. */
  startBlock: z.int().min(0).exactOptional(),
  pollMs: z.int().min(50).max(600_000).default(5000),
});

const MAX_NETWORKS = 100;

export const walletSchema = z.strictObject({
  networks: z
    .array(z.discriminatedUnion("kind", [sandbox, manual, evm]))
    .max(MAX_NETWORKS)
    .superRefine((networks, context) => {
      const seen = new Set<string>();
      for (const [index, { network }] of networks.entries()) {
        if (seen.has(network)) context.addIssue({ code: "custom", path: [index, "network"], message: "named twice" });
        seen.add(network);
      }
    })
    .default([]),
});

const smtp = z.strictObject({
  host: text,
  port: z.int().min(1).max(65_535).default(587),
  /** TLS from the first byte; otherwise the connection is upgraded when the server offers it. */
  tls: z.boolean().default(false),
  /** Sends nothing over a connection that is not encrypted. */
  requireTls: z.boolean().default(true),
  user: text.exactOptional(),
  password: text.exactOptional(),
  passwordFile: text.exactOptional(),
});

/** Without `smtp` mails stay in the outbox for the operator to read. */
export const mailSchema = z.strictObject({
  from: z.email().max(256).default("exchange@localhost.localdomain"),
  smtp: smtp.exactOptional(),
});

const indicator = z.strictObject({
  /** A fraction: from here on trading by API is locked, */
  trigger: z.number().gt(0).max(1),
  /** if at least so many orders count. */
  orders: z.int().min(1).max(1_000_000),
});

/** What careless trading by API is locked for. FACTS 6.4. */
export const tradingRulesSchema = z.strictObject({
  /** Off with the limits of requests and orders, too, whatever is said here. */
  enabled: z.boolean().default(false),
  /** How often the indicators are made. */
  everyMs: z.int().min(100).max(3_600_000).default(30_000),
  /** Accounts that are never locked, by mail address; `@name` means all addresses that end so. */
  exempt: z.array(text).max(1000).default([]),
  ufr: indicator.default({ trigger: 0.995, orders: 300 }),
  ifer: indicator.default({ trigger: 0.99, orders: 150 }),
  gcr: indicator.default({ trigger: 0.99, orders: 150 }),
});
