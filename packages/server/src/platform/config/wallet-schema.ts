/** The configuration of networks, email and the API trading rules. */
import { z } from "zod";
import { assetName, decimal, text } from "./listing-schema.ts";

const networkName = text;
const chainText = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible characters without spaces");
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "0x and 40 hex digits");

/** The maximum of pending payments of one network. Ethereum nodes may drop more than 16 of one account. */
export const DEFAULT_MAX_PENDING_PAYMENTS = 8;
const maxPendingPayments = z.int().min(1).max(64).default(DEFAULT_MAX_PENDING_PAYMENTS);

/** A built-in network for bot developers, with timed blocks and a faucet. */
const sandbox = z.strictObject({
  kind: z.literal("sandbox"),
  network: networkName,
  /** The interval between blocks; 0: blocks are mined only on request. */
  blockMs: z.int().min(0).max(86_400_000).default(1000),
  /** The network fee of each payment, paid by the venue. Default: none. */
  cost: z.strictObject({ asset: assetName, amount: decimal }).exactOptional(),
  maxPendingPayments,
});

/** A network whose deposits and withdrawals operators record manually. */
const manual = z.strictObject({
  kind: z.literal("manual"),
  network: networkName,
  /** Deposit addresses, each assigned to one account. */
  addresses: z.array(chainText).max(1_000_000).default([]),
  /** The common address of further accounts, with the account number as its tag; empty: none. */
  sharedAddress: z.union([z.literal(""), chainText]).default(""),
});

const token = z.strictObject({
  asset: assetName,
  contract: evmAddress,
  /** The decimals of the token's contract. */
  decimals: z.int().min(0).max(36),
});

/** An EVM chain. The node does not have the private keys; the signer does. */
const evm = z.strictObject({
  kind: z.literal("evm"),
  network: networkName,
  /** The URL of JSON-RPC. It is never logged, because it often contains a key of the provider. */
  rpcUrl: z.url({ protocol: /^https?$/ }),
  chainId: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  nativeAsset: assetName,
  tokens: z.array(token).max(1000).default([]),
  /** The extended public key from which deposit addresses are derived. */
  xpub: z.string().regex(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/, "an extended public key (xpub...)"),
  /** The account that pays withdrawals. */
  hotWallet: evmAddress,
  /** The socket of the signer process, relative to the node's working folder. */
  signerSocket: text,
  /** The address that pays the gas of token sweeps. Its payments to deposit addresses are not deposits. */
  gasWallet: evmAddress.exactOptional(),
  /** The timeout of a request to the chain or the signer. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /** Whether deposits of unlisted tokens are recorded, which requires reading the transfers of all tokens. */
  recordUnlistedTokens: z.boolean().default(true),
  /** Payments wait while the gas price is higher. */
  maxFeeGwei: z.int().min(1).max(1_000_000).default(500),
  maxPendingPayments,
  /** A payment that was not mined for this long is signed again with a higher fee; 0: only on an operator's request. */
  raiseFeeAfterMs: z.int().min(0).max(86_400_000).default(180_000),
  /** The limit of automatic fee raises; operators can go up to `maxFeeGwei`. Default: `maxFeeGwei`. */
  raiseFeeUpToGwei: z.int().min(1).max(1_000_000).exactOptional(),
  /** The first block to read if none was read yet. Default: the head of the chain. */
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
  /** The folder of the sandboxes' chains, which several nodes of one machine can share. Default: in the data folder. */
  sandboxFolder: text.exactOptional(),
});

const smtp = z.strictObject({
  host: text,
  port: z.int().min(1).max(65_535).default(587),
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  tls: z.boolean().default(false),
  /** Sends only over encrypted connections. */
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
  /** The fraction at which API trading is locked. */
  trigger: z.number().gt(0).max(1),
  /** The minimum number of orders for a lock. */
  orders: z.int().min(1).max(1_000_000),
});

/** The API trading rules. Interface 3.8. */
export const tradingRulesSchema = z.strictObject({
  /** The rules are off if the limits of requests and orders are off. */
  enabled: z.boolean().default(false),
  /** The interval at which the indicators are computed. */
  everyMs: z.int().min(100).max(3_600_000).default(30_000),
  /** Email addresses of accounts that are never locked; `@name` matches all addresses with this ending. */
  exempt: z.array(text).max(1000).default([]),
  ufr: indicator.default({ trigger: 0.995, orders: 300 }),
  ifer: indicator.default({ trigger: 0.99, orders: 150 }),
  gcr: indicator.default({ trigger: 0.99, orders: 150 }),
});
