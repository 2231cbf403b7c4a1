/**
 * The protocol of the signer, a separate process that holds the keys: one JSON object on one line over a unix socket,
 * one line back, and the connection is closed. The signer builds the transaction from these fields and its own table of
 * tokens, so a node cannot make it sign arbitrary bytes.
 */
import { z } from "zod";

/** Decimals of the native coin of every EVM chain. */
export const NATIVE_DECIMALS = 18;

/** The longest line in either direction. */
export const MAX_FRAME_BYTES = 16_384;

/**
 * An amount in the chain's smallest units (wei, or those of the token), as a decimal string, because JSON has no
 * 256-bit integers.
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
  /** The EIP-1559 fees are in wei. */
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

/** The public keys of the signer. */
export const helloAnswer = z.strictObject({ xpub: z.string(), hotWallet: address, gasWallet: address });
export type HelloAnswer = z.output<typeof helloAnswer>;

/** Why nothing was signed, in one line. `isForGood`: the request will not be accepted later either. */
export const refusedAnswer = z.strictObject({ refused: z.string().max(1000), isForGood: z.boolean() });
export type RefusedAnswer = z.output<typeof refusedAnswer>;

/** Encodes a line of the protocol. */
export function encodeFrame(value: unknown): string {
  return `${JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part))}\n`;
}
