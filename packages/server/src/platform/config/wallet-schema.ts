/** The configuration of networks, email, and the rules of API trading. */
import { z } from "zod";
import { assetName, decimal, text } from "./listing-schema.ts";

const networkName = text;
const chainText = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible characters without spaces");
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "0x and 40 hex digits");

/** The most unfinished signed payments of one network. Ethereum nodes keep 16 of one account, and may drop more. */
export const DEFAULT_MAX_PENDING_PAYMENTS = 8;
const maxPendingPayments = z.int().min(1).max(64).default(DEFAULT_MAX_PENDING_PAYMENTS);

/** A built-in network for bot developers: blocks by a timer, coins from a faucet. */
const sandbox = z.strictObject({
  kind: z.literal("sandbox"),
  network: networkName,
  /** The interval between blocks; 0: blocks come only when an operator says so. */
  blockMs: z.int().min(0).max(86_400_000).default(1000),
  /** The network's charge to the venue for each payment; nothing by default. */
  cost: z.strictObject({ asset: assetName, amount: decimal }).exactOptional(),
  maxPendingPayments,
});

/** A network on which an operator sees, credits and completes by hand. */
const manual = z.strictObject({
  kind: z.literal("manual"),
  network: networkName,
  /** Addresses to hand out, each to one account. */
  addresses: z.array(chainText).max(1_000_000).default([]),
  /** The address of all accounts once those are used up, with the account's number as its tag; "": none. */
  sharedAddress: z.union([z.literal(""), chainText]).default(""),
});

const token = z.strictObject({
  asset: assetName,
  contract: evmAddress,
  /** The decimals of the token's contract. */
  decimals: z.int().min(0).max(36),
});

/** A chain with JSON-RPC. The node holds no spending key; the signer does. */
const evm = z.strictObject({
  kind: z.literal("evm"),
  network: networkName,
  /** The URL of JSON-RPC over HTTP. Many providers put a key in it, so it is never logged. */
  rpcUrl: z.url({ protocol: /^https?$/ }),
  chainId: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  nativeAsset: assetName,
  tokens: z.array(token).max(1000).default([]),
  /** The extended public key from which deposit addresses are derived. */
  xpub: z.string().regex(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/, "an extended public key (xpub...)"),
  /** The account that pays withdrawals; the signer holds its key. */
  hotWallet: evmAddress,
  /** The socket of the signer's process, relative to the folder that the node runs in. */
  signerSocket: text,
  /** The address that pays the gas of token sweeps: coins that it sends to a deposit address are not a deposit. */
  gasWallet: evmAddress.exactOptional(),
  /** The limit for one request to the chain or to the signer. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /** Whether tokens that are not listed and come to our addresses are noticed; costs reading the transfers of all tokens. */
  recordUnlistedTokens: z.boolean().default(true),
  /** Payments wait while a unit of gas costs more. */
  maxFeeGwei: z.int().min(1).max(1_000_000).default(500),
  maxPendingPayments,
  /** A payment that blocks have passed over for this long is signed again for a higher fee; 0: only by an operator. */
  raiseFeeAfterMs: z.int().min(0).max(86_400_000).default(180_000),
  /** How high the node raises fees by itself; an operator may go up to `maxFeeGwei`, which is also the default. */
  raiseFeeUpToGwei: z.int().min(1).max(1_000_000).exactOptional(),
  /** Where reading begins when nothing was read yet; by default at the head of that moment. */
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
        if (seen.has(network))
          context.addIssue({
            code: "custom",
            path: [index, "network"],
            message: `the network ${network} is listed twice`,
          });
        seen.add(network);
      }
    })
    .default([]),
  /** Where sandboxes keep their chains; several nodes of one machine share it. By default in the data folder. */
  sandboxFolder: text.exactOptional(),
});

const smtp = z.strictObject({
  host: text,
  port: z.int().min(1).max(65_535).default(587),
  /** TLS from the first byte; otherwise the connection is upgraded when the server offers it. */
  tls: z.boolean().default(false),
  /** Refuses to send over a connection that is not encrypted. */
  requireTls: z.boolean().default(true),
  user: text.exactOptional(),
  password: text.exactOptional(),
  passwordFile: text.exactOptional(),
});

/** Without `smtp`, emails stay in the outbox for the operator to read. */
export const emailSchema = z.strictObject({
  from: z.email().max(256).default("exchange@localhost.localdomain"),
  smtp: smtp.exactOptional(),
});

const indicator = z.strictObject({
  /** The fraction from which trading by API is locked, */
  trigger: z.number().gt(0).max(1),
  /** if at least this many orders count. */
  orders: z.int().min(1).max(1_000_000),
});

/** The rules by which careless API trading is locked. Interface 3.8. */
export const tradingRulesSchema = z.strictObject({
  /** The rules are also off, whatever is set here, when the limits of requests and orders are off. */
  enabled: z.boolean().default(false),
  /** The interval at which the indicators are made. */
  everyMs: z.int().min(100).max(3_600_000).default(30_000),
  /** Accounts that are never locked, by mail address; `@name` means all addresses that end so. */
  exempt: z.array(text).max(1000).default([]),
  ufr: indicator.default({ trigger: 0.995, orders: 300 }),
  ifer: indicator.default({ trigger: 0.99, orders: 150 }),
  gcr: indicator.default({ trigger: 0.99, orders: 150 }),
});
