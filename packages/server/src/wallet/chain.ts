/**
 * The chain port: one network as the watcher and the sender see it. Every adapter passes the same
 * contract test. Amounts are decimal strings of the asset; heights count from 0. A chain that cannot
 * be reached rejects with `ChainUnreachable`, and is asked again later.
 */
/** Simulated inside the node, kept by an operator's hand, or a real EVM chain. */
export type NetworkKind = "sandbox" | "manual" | "evm";

export interface Block {
  readonly height: number;
  readonly hash: string;
}

/** A coin that a mined transaction brought to an address of ours. */
export interface ChainCoin {
  readonly txId: string;
  /** Counted within the transaction (output, log) or 0: the same in whatever block it is mined. */
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
  readonly block: Block;
}

export interface Payment {
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  /** What arrives. */
  readonly amount: string;
  readonly nonce: number;
}
export interface SignedPayment {
  readonly txId: string;
  readonly signedTx: string;
}

/** How a payment that is stuck is signed again. */
export interface Raise {
  /** The transaction that is stuck, as it was signed last. */
  readonly stuck: string;
  /** As in `Chain.sign`. */
  readonly ahead: readonly string[];
  /** An operator may go higher than the node does by itself. */
  readonly isByHand: boolean;
}

export type TransactionState =
  | { readonly state: "unknown" }
  | { readonly state: "waiting" }
  | {
      readonly state: "mined";
      readonly block: Block;
      /** False: the chain took the transaction but it paid nobody (an EVM revert). */
      readonly isSuccess: boolean;
      readonly cost: { readonly asset: string; readonly amount: string } | null;
    };

export interface Chain {
  readonly network: string;
  readonly kind: NetworkKind;
  isAddress(address: string, tag: string): boolean;
  /** The address of an account: the same whenever it is asked. */
  addressOf(accountId: number): Promise<{ readonly address: string; readonly tag: string }>;
  head(): Promise<Block>;
  /** The block at a height; undefined above the head. Another hash than before: a reorg. */
  block(height: number): Promise<Block | undefined>;
  /** Coins that came to our addresses in the blocks of these heights, both included. */
  coins(
    fromHeight: number,
    toHeight: number,
    isOurs: (address: string, tag: string) => boolean,
  ): Promise<readonly ChainCoin[]>;
  transaction(txId: string): Promise<TransactionState>;
  /** The next nonce of the paying account as of the block at a height (one that is there). */
  minedNonce(height: number): Promise<number>;
  /**
   * Signs, elsewhere: the node holds no spending key. Pays nobody yet. `ahead`: signed payments with lower nonces that no
   * block holds yet; what they take is not there for this one. Rejects with `PaymentRefused`.
   */
  sign(payment: Payment, ahead?: readonly string[]): Promise<SignedPayment>;
  /** Signs it again with its own nonce, so that the chain takes it in the place of what is stuck. */
  raise(payment: Payment, raise: Raise): Promise<SignedPayment>;
  /** Sends a signed transaction; sending it again changes nothing. */
  broadcast(signedTx: string): Promise<void>;
  close(): Promise<void>;
}

/** It cannot be reached, or cannot do it now: asked again later. */
export class ChainUnreachable extends Error {
  override readonly name = "ChainUnreachable";
}

/** The payment can never be signed (an address that is none, an asset that is not there): nothing was. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
}
