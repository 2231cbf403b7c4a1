/** How coins move in a transaction, and whether a signed one moves them so. */
import { type Address, getAddress, type Hex, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import type { SignedAnswer } from "./signer/port.ts";
import { type Tokens, transferData } from "./token.ts";

/** Where a transaction sends the coins: straight to the payee, or through a call of the token contract. */
export interface Call {
  readonly to: Address;
  readonly value: bigint;
  readonly data?: Hex;
}

/** A call with its place: its chain, and its nonce in the account. */
export interface PlacedCall {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: Call;
}

/** Builds the call. `value` is in the coin's smallest units; an asset that is not a token is the native coin. */
export function callOf(tokens: Tokens, asset: string, to: Address, value: bigint): Call {
  const token = tokens.ofAsset(asset);
  return token === undefined ? { to, value } : { to: token.contract, value: 0n, data: transferData(to, value) };
}

type Transaction = ReturnType<typeof parseTransaction<`0x02${string}`>>;

export function isCall(signed: Transaction, { chainId, nonce, call }: PlacedCall): boolean {
  return (
    signed.type === "eip1559" &&
    signed.chainId === chainId &&
    (signed.nonce ?? 0) === nonce &&
    signed.to !== undefined &&
    signed.to !== null &&
    getAddress(signed.to) === call.to &&
    (signed.value ?? 0n) === call.value &&
    (signed.data ?? "0x") === (call.data ?? "0x")
  );
}

/** Checks that the signer, which is another process, signed exactly this call from this account. */
export async function isSigned({ txId, signedTx }: SignedAnswer, placed: PlacedCall, from: Address): Promise<boolean> {
  const serializedTransaction = signedTx as `0x02${string}`;
  return (
    keccak256(serializedTransaction) === txId &&
    isCall(parseTransaction(serializedTransaction), placed) &&
    (await recoverTransactionAddress({ serializedTransaction })) === from
  );
}

/** Adds a reserve: a plain transfer always costs 21000, but the cost of a contract may change before it is mined. */
export function withReserve(gas: bigint): bigint {
  return gas === 21_000n ? gas : (gas * 5n) / 4n;
}
