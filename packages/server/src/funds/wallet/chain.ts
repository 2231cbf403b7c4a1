/**
 * The chain port: how the watcher and the sender access one network. Every adapter passes the same contract test.
 * Amounts are decimal strings of the asset; heights count from 0. Methods reject with `ChainUnreachable` if the chain
 * cannot be reached, and are retried later.
 */
import type { UnknownDepositReason } from "@pricetime/engine";

/** The kind of a network: simulated inside the node, operated manually, or a real EVM chain. */
export type NetworkKind = "sandbox" | "manual" | "evm";

/** The balance of one of the exchange's wallets in an asset. `amount` is a decimal with the chain's precision. */
export interface WalletHolding {
  readonly wallet: "hot" | "gas";
  readonly address: string;
  readonly asset: string;
  readonly amount: string;
  /** The block height at which the balance was read. */
  readonly block: number;
}

export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** A deposit by a mined transaction: to a deposit address, or to the exchange without an attributable account. */
export interface ChainCoin {
  readonly txId: string;
  /** The index of the output or log within its transaction, or 0. It is the same after a reorg. */
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
  readonly block: Block;
  /**
   * Why the deposit cannot be attributed to an account; absent for a normal deposit. For an unlisted token, `asset` is
   * the contract, and `amount` is in the token's smallest units.
   */
  readonly stray?: UnknownDepositReason;
}

export interface Payment {
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  /** The amount received. */
  readonly amount: string;
  readonly nonce: number;
}
export interface SignedPayment {
  readonly txId: string;
  readonly signedTx: string;
}

/** What is needed to sign a stuck payment again. */
export interface Raise {
  /** The payment's latest signed transaction. */
  readonly stuck: string;
  /** Signed payments with lower nonces, as in `Chain.sign`. */
  readonly ahead: readonly string[];
  /** Whether an operator requested it, which allows a fee above the node's automatic limit. */
  readonly isByHand: boolean;
}

export type TransactionState =
  | { readonly state: "unknown" }
  | { readonly state: "waiting" }
  | {
      readonly state: "mined";
      readonly block: Block;
      /** False if the transaction was mined without paying (an EVM revert). */
      readonly isSuccess: boolean;
      readonly cost: { readonly asset: string; readonly amount: string } | null;
    };

/** Empty blocks at the head of a chain. No block below them has changed since the first of them was mined. */
export interface EmptyBlocks {
  /** The height of the last block before them. */
  readonly afterHeight: number;
  /** The height of the head. */
  readonly height: number;
  /** The hash of one of them, even if it is no longer on the chain. */
  readonly hashAt: (height: number) => string;
}

export interface Chain {
  readonly network: string;
  readonly kind: NetworkKind;
  isAddress(address: string, tag: string): boolean;
  /** The deposit address of an account, which never changes. */
  addressOf(accountId: number): Promise<{ readonly address: string; readonly tag: string }>;
  head(): Promise<Block>;
  /** The empty blocks at the head, if known without a request. An adapter may omit this method. */
  emptyBlocks?(): EmptyBlocks | undefined;
  /** The block at a height; undefined above the head. A hash that differs from an earlier one indicates a reorg. */
  block(height: number): Promise<Block | undefined>;
  /**
   * The deposits in a range of heights, both inclusive: to deposit addresses, and unattributed ones as far as the
   * adapter can detect them.
   */
  coins(
    fromHeight: number,
    toHeight: number,
    isOurs: (address: string, tag: string) => boolean,
  ): Promise<readonly ChainCoin[]>;
  transaction(txId: string): Promise<TransactionState>;
  /** The next nonce of the paying account as of the block at a height, which must exist. */
  minedNonce(height: number): Promise<number>;
  /**
   * Requests a signature for the payment from the signer process, which holds the spending key. Broadcasts nothing.
   * `ahead`: signed payments with lower nonces that are not mined yet; the funds that they use are not available.
   * Rejects with `PaymentRefused`.
   */
  sign(payment: Payment, ahead?: readonly string[]): Promise<SignedPayment>;
  /** Signs the payment again with the same nonce and a higher fee, to replace the stuck transaction. */
  raise(payment: Payment, raise: Raise): Promise<SignedPayment>;
  /** Broadcasts a signed transaction. Idempotent. */
  broadcast(signedTx: string): Promise<void>;
  /** Why payments cannot be signed from this node; "" if they can. If omitted, they can. */
  whyNoPayments?(): Promise<string>;
  /** The current balances of the exchange's wallets. If omitted, they are unknown. */
  holdings?(): Promise<readonly WalletHolding[]>;
  close(): Promise<void>;
}

/** The chain cannot be reached, or cannot do this now. The caller retries later. */
export class ChainUnreachable extends Error {
  override readonly name = "ChainUnreachable";
}

/**
 * The payment can never be signed: the address is invalid, or the chain does not have the asset. Nothing was signed.
 */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
}
