/**
 * The chain port: one network as the watcher and the sender see it. Every adapter passes the same
 * contract test. Amounts are decimal strings of the asset; heights count from 0. A chain that cannot
 * be reached rejects with `ChainUnreachable`, and is asked again later.
 */
import type { UnknownDepositReason } from "@pricetime/engine";

/** The kind of a network: simulated inside the node, kept by hand by an operator, or a real EVM chain. */
export type NetworkKind = "sandbox" | "manual" | "evm";

/** What one of the venue's wallets holds of an asset. `amount` is a decimal, in the chain's own digits. */
export interface WalletHolding {
  readonly wallet: "hot" | "gas";
  readonly address: string;
  readonly asset: string;
  readonly amount: string;
  /** The height as of which it is told. */
  readonly block: number;
}

export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** A coin that a mined transaction brought to an address of ours, or to the venue without being anybody's. */
export interface ChainCoin {
  readonly txId: string;
  /** The number of the output or log within the transaction, or 0: the same in whatever block it is mined. */
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
  readonly block: Block;
  /**
   * Why it is nobody's; absent: an account's. Of a token that the venue does not know, `asset` is the contract and
   * `amount` counts its smallest units.
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
  /** The stuck transaction as it was last signed. */
  readonly stuck: string;
  /** Signed payments that come before, as in `Chain.sign`. */
  readonly ahead: readonly string[];
  /** Whether an operator asked for it: then the fee may go higher than the node goes by itself. */
  readonly isByHand: boolean;
}

export type TransactionState =
  | { readonly state: "unknown" }
  | { readonly state: "waiting" }
  | {
      readonly state: "mined";
      readonly block: Block;
      /** False: the chain took the transaction, but it paid nobody (an EVM revert). */
      readonly isSuccess: boolean;
      readonly cost: { readonly asset: string; readonly amount: string } | null;
    };

/** Empty blocks at the head of a chain; nothing below them has changed since the first of them came. */
export interface EmptyBlocks {
  /** The last block before them. */
  readonly afterHeight: number;
  /** The head. */
  readonly height: number;
  /** The hash of one of them, also when it has left the chain since. */
  readonly hashAt: (height: number) => string;
}

export interface Chain {
  readonly network: string;
  readonly kind: NetworkKind;
  isAddress(address: string, tag: string): boolean;
  /** Returns the address of an account: always the same one. */
  addressOf(accountId: number): Promise<{ readonly address: string; readonly tag: string }>;
  head(): Promise<Block>;
  /** Returns the empty blocks at the head where they are known without a look. Default: they never are. */
  emptyBlocks?(): EmptyBlocks | undefined;
  /** Returns the block at a height; undefined above the head. A hash other than before means a reorg. */
  block(height: number): Promise<Block | undefined>;
  /**
   * Returns the coins that came to our addresses in the blocks of these heights, both included, and those that came to
   * the venue and are nobody's, as far as the chain can tell.
   */
  coins(
    fromHeight: number,
    toHeight: number,
    isOurs: (address: string, tag: string) => boolean,
  ): Promise<readonly ChainCoin[]>;
  transaction(txId: string): Promise<TransactionState>;
  /** Returns the next nonce of the paying account as of the block at a height, which must exist. */
  minedNonce(height: number): Promise<number>;
  /**
   * Has the payment signed by another process: the node holds no spending key. Pays nobody yet. `ahead` are signed
   * payments with lower nonces that are in no block yet; what they take is not available here. Rejects with
   * `PaymentRefused`.
   */
  sign(payment: Payment, ahead?: readonly string[]): Promise<SignedPayment>;
  /** Signs the payment again with its own nonce, so that the chain takes it in place of the stuck transaction. */
  raise(payment: Payment, raise: Raise): Promise<SignedPayment>;
  /** Sends a signed transaction; sending it again changes nothing. */
  broadcast(signedTx: string): Promise<void>;
  /** Resolves to why payments cannot be signed from this node, or "". Default: they can. */
  whyNoPayments?(): Promise<string>;
  /** What the venue's wallets hold there now. Default: the chain cannot tell. */
  holdings?(): Promise<readonly WalletHolding[]>;
  close(): Promise<void>;
}

/** The chain cannot be reached, or cannot do this now; the caller asks again later. */
export class ChainUnreachable extends Error {
  override readonly name = "ChainUnreachable";
}

/** The payment can never be signed (no such address, no such asset on the chain). Nothing was signed. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
}
