/**
 * The chain port: one network, as the watcher and the sender use it. Every adapter passes the same contract test.
 * Amounts are decimal strings of the asset; heights count from 0. A chain that cannot be reached rejects with
 * `ChainUnreachable`, and the call is retried later.
 */
import type { UnknownDepositReason } from "@pricetime/engine";

/** The kind of a network: simulated inside the node, operated manually, or a real EVM chain. */
export type NetworkKind = "sandbox" | "manual" | "evm";

/** The holdings of one of the exchange's wallets in an asset. `amount` is a decimal with the chain's precision. */
export interface WalletHolding {
  readonly wallet: "hot" | "gas";
  readonly address: string;
  readonly asset: string;
  readonly amount: string;
  /** The block height of the amount. */
  readonly block: number;
}

export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** A deposit by a mined transaction to a deposit address, or to the exchange without an attributable account. */
export interface ChainCoin {
  readonly txId: string;
  /** The index of the output or log within the transaction, or 0; it does not depend on the block. */
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
  readonly block: Block;
  /**
   * Why no account can be attributed; absent for a normal deposit. For an unlisted token, `asset` is the contract and
   * `amount` is in its smallest units.
   */
  readonly stray?: UnknownDepositReason;
}

export interface Payment {
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  /** The amount that arrives. */
  readonly amount: string;
  readonly nonce: number;
}
export interface SignedPayment {
  readonly txId: string;
  readonly signedTx: string;
}

/** How to sign a stuck payment again. */
export interface Raise {
  /** The latest signed transaction of the payment. */
  readonly stuck: string;
  /** Signed payments with lower nonces, as in `Chain.sign`. */
  readonly ahead: readonly string[];
  /** Whether an operator requested it, which allows a higher fee than the node's own limit. */
  readonly isByHand: boolean;
}

export type TransactionState =
  | { readonly state: "unknown" }
  | { readonly state: "waiting" }
  | {
      readonly state: "mined";
      readonly block: Block;
      /** False: the transaction was mined without paying (an EVM revert). */
      readonly isSuccess: boolean;
      readonly cost: { readonly asset: string; readonly amount: string } | null;
    };

/** Empty blocks at the head of a chain. No block below them has changed since the first of them was mined. */
export interface EmptyBlocks {
  /** The last block before them. */
  readonly afterHeight: number;
  /** The head. */
  readonly height: number;
  /** The hash of one of them, even if it has left the chain since. */
  readonly hashAt: (height: number) => string;
}

export interface Chain {
  readonly network: string;
  readonly kind: NetworkKind;
  isAddress(address: string, tag: string): boolean;
  /** The address of an account, which never changes. */
  addressOf(accountId: number): Promise<{ readonly address: string; readonly tag: string }>;
  head(): Promise<Block>;
  /** The empty blocks at the head, if known without a request. Default: unknown. */
  emptyBlocks?(): EmptyBlocks | undefined;
  /** The block at a height; undefined above the head. A hash different from the previous one indicates a reorg. */
  block(height: number): Promise<Block | undefined>;
  /**
   * The deposits in the blocks of these heights, both inclusive: to deposit addresses, and unattributed ones as far as
   * the chain can detect them.
   */
  coins(
    fromHeight: number,
    toHeight: number,
    isOurs: (address: string, tag: string) => boolean,
  ): Promise<readonly ChainCoin[]>;
  transaction(txId: string): Promise<TransactionState>;
  /** The next nonce of the paying account as of an existing block. */
  minedNonce(height: number): Promise<number>;
  /**
   * Has the payment signed by the signer process, which holds the spending key; sends nothing. `ahead`: signed payments
   * with lower nonces that are not mined yet; their funds are not available. Rejects with `PaymentRefused`.
   */
  sign(payment: Payment, ahead?: readonly string[]): Promise<SignedPayment>;
  /** Signs the payment again with the same nonce and a higher fee, to replace the stuck transaction. */
  raise(payment: Payment, raise: Raise): Promise<SignedPayment>;
  /** Sends a signed transaction. Idempotent. */
  broadcast(signedTx: string): Promise<void>;
  /** Why payments cannot be signed from this node, or "". Default: they can be signed. */
  whyNoPayments?(): Promise<string>;
  /** The current holdings of the exchange's wallets. Default: unknown. */
  holdings?(): Promise<readonly WalletHolding[]>;
  close(): Promise<void>;
}

/** The chain cannot be reached, or cannot do this now; the caller retries later. */
export class ChainUnreachable extends Error {
  override readonly name = "ChainUnreachable";
}

/** The payment can never be signed (invalid address, or an asset that the chain does not have). Nothing was signed. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
}
