/** The configuration of networks, email and the API trading rules. */
import { z } from "zod";
import { assetName, decimal, text } from "./listing-schema.ts";

const networkName = text;
const chainText = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible characters without spaces");
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "0x and 40 hex digits");

/** Maximum number of pending payments per network. Ethereum nodes may drop more than 16 from one account. */
export const DEFAULT_MAX_PENDING_PAYMENTS = 8;
const maxPendingPayments = z.int().min(1).max(64).default(DEFAULT_MAX_PENDING_PAYMENTS);

/** A built-in network for bot developers: mines blocks on a timer and has a faucet. */
const sandbox = z.strictObject({
  kind: z.literal("sandbox"),
  network: networkName,
  /** The interval between blocks; 0: blocks are mined only on request. */
  blockMs: z.int().min(0).max(86_400_000).default(1000),
  /** The network fee of each payment, which the venue pays. Default: none. */
  cost: z.strictObject({ asset: assetName, amount: decimal }).exactOptional(),
  maxPendingPayments,
});

/** Maximum number of lines of bank details, and maximum lengths of their texts in characters. */
const MAX_TRANSFER_DETAILS = 12;
const MAX_DETAIL_LABEL_LENGTH = 40;
const MAX_DETAIL_VALUE_LENGTH = 200;

/** A line of bank details, such as the account holder. Customers see both texts as they are. */
const transferDetail = z.strictObject({
  label: z.string().trim().min(1).max(MAX_DETAIL_LABEL_LENGTH),
  value: z.string().trim().min(1).max(MAX_DETAIL_VALUE_LENGTH),
});

/** A network on which operators record deposits and withdrawals manually. */
const manual = z.strictObject({
  kind: z.literal("manual"),
  network: networkName,
  /** Deposit addresses, each assigned to one account. */
  addresses: z.array(chainText).max(1_000_000).default([]),
  /** The shared address of further accounts, with the account number as its tag; empty: none. */
  sharedAddress: z.union([z.literal(""), chainText]).default(""),
  /** What customers need for a transfer besides the address and its tag, such as the account holder and the bank. */
  transferDetails: z.array(transferDetail).max(MAX_TRANSFER_DETAILS).exactOptional(),
});

const token = z.strictObject({
  asset: assetName,
  contract: evmAddress,
  /** The number of decimals in the token's contract. */
  decimals: z.int().min(0).max(36),
});

/** An EVM chain. The private keys are held by the signer, not by the node. */
const evm = z.strictObject({
  kind: z.literal("evm"),
  network: networkName,
  /** The JSON-RPC URL. It is never logged, because it often contains an API key. */
  rpcUrl: z.url({ protocol: /^https?$/ }),
  chainId: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  nativeAsset: assetName,
  tokens: z.array(token).max(1000).default([]),
  /** The extended public key from which deposit addresses are derived. */
  xpub: z.string().regex(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/, "an extended public key (xpub...)"),
  /** The address from which withdrawals are paid. */
  hotWallet: evmAddress,
  /** The path of the signer's socket. A relative path starts at the node's working folder. */
  signerSocket: text,
  /** The address that pays the gas of token sweeps. Its payments to deposit addresses are not treated as deposits. */
  gasWallet: evmAddress.exactOptional(),
  /** The timeout of a request to the chain or the signer. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /** Whether deposits of unlisted tokens are recorded. Requires reading the transfers of all tokens. */
  recordUnlistedTokens: z.boolean().default(true),
  /** Payments wait while the gas price is above this. */
  maxFeeGwei: z.int().min(1).max(1_000_000).default(500),
  maxPendingPayments,
  /**
   * A payment that is not mined within this time is signed again with a higher fee; 0: only on an operator's request.
   */
  raiseFeeAfterMs: z.int().min(0).max(86_400_000).default(180_000),
  /** Maximum fee for automatic raises; operators can go up to `maxFeeGwei`. Default: `maxFeeGwei`. */
  raiseFeeUpToGwei: z.int().min(1).max(1_000_000).exactOptional(),
  /** The first block to read if no block was read before. Default: the head of the chain. */
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
  /**
   * The folder of the sandbox chains, which several nodes on one machine can share. Default: a folder within the data
   * folder.
   */
  sandboxFolder: text.exactOptional(),
});

const smtp = z.strictObject({
  host: text,
  port: z.int().min(1).max(65_535).default(587),
  /** Whether the connection uses TLS from its first byte. Otherwise, STARTTLS is used if the server offers it. */
  tls: z.boolean().default(false),
  /** Whether emails are sent only over encrypted connections. */
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
  /** API trading is locked if the indicator reaches this fraction. */
  trigger: z.number().gt(0).max(1),
  /** Minimum number of orders for the rule to apply. */
  orders: z.int().min(1).max(1_000_000),
});

/** The API trading rules. Interface 3.8. */
export const tradingRulesSchema = z.strictObject({
  /** The rules do not apply if the limits on requests and orders are switched off. */
  enabled: z.boolean().default(false),
  /** How often the indicators are computed. */
  everyMs: z.int().min(100).max(3_600_000).default(30_000),
  /** Email addresses of accounts that are never locked. `@name` matches all addresses that end with it. */
  exempt: z.array(text).max(1000).default([]),
  ufr: indicator.default({ trigger: 0.995, orders: 300 }),
  ifer: indicator.default({ trigger: 0.99, orders: 150 }),
  gcr: indicator.default({ trigger: 0.99, orders: 150 }),
});
