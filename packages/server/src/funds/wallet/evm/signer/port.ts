/**
 * The protocol of the signer, a separate process that holds the keys. Client and signer each send one line with a JSON
 * object over a unix socket; then the connection is closed. The signer builds the transaction from these fields and its
 * own table of tokens, so a node cannot make it sign arbitrary bytes.
 */
import { z } from "zod";

/** Decimals of the native coin of every EVM chain. */
export const NATIVE_DECIMALS = 18;

/** Maximum length of a line in bytes, in either direction. */
export const MAX_FRAME_BYTES = 16_384;

/**
 * An amount in the chain's or token's smallest units (for example wei), as a decimal string because JSON has no 256-bit
 * integers.
 */
const units = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, "digits")
  .transform((digits) => BigInt(digits));
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "0x and 40 hex digits");
const hex = z.string().regex(/^0x[0-9a-f]+$/);

const common = {
  chainId: z.int().min(1),
  asset: z.string().min(1).max(20),
  value: units,
  nonce: z.int().min(0),
  /** The gas limit, and the EIP-1559 fees in wei. */
  gas: units,
  maxFeePerGas: units,
  maxPriorityFeePerGas: units,
};

/** A payment from the hot wallet to any address, within the signer's limits. */
const payment = z.strictObject({ type: z.literal("payment"), to: address, ...common });
/** A transfer from an account's deposit address to the hot wallet. */
const sweep = z.strictObject({ type: z.literal("sweep"), accountId: z.int().min(0), ...common });
/** Native coins for gas, from the gas wallet to an account's deposit address. */
const topUp = z.strictObject({ type: z.literal("topUp"), accountId: z.int().min(0), ...common });
const hello = z.strictObject({ type: z.literal("hello"), chainId: z.int().min(1) });

export const signerRequest = z.discriminatedUnion("type", [payment, sweep, topUp, hello]);
/** A parsed request. */
export type SignerRequest = z.output<typeof signerRequest>;
export type TransactionRequest = Exclude<SignerRequest, { type: "hello" }>;

export const signedAnswer = z.strictObject({ txId: hex, signedTx: hex });
export type SignedAnswer = z.output<typeof signedAnswer>;

/** The signer's public keys. */
export const helloAnswer = z.strictObject({ xpub: z.string(), hotWallet: address, gasWallet: address });
export type HelloAnswer = z.output<typeof helloAnswer>;

/** Why nothing was signed, in one line. `isForGood`: the request will not be accepted later either. */
export const refusedAnswer = z.strictObject({ refused: z.string().max(1000), isForGood: z.boolean() });
export type RefusedAnswer = z.output<typeof refusedAnswer>;

/** Encodes a message as one line of the protocol. */
export function encodeFrame(value: unknown): string {
  return `${JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part))}\n`;
}
