/** What operators do to networks by hand, beside the ledger's own commands. Types alone: the admin API knows no more. */
import type { Event } from "@pricetime/engine";
import type { Block } from "./chain.ts";

/** Of a sandbox: what the world outside may do to us. */
export type SandboxFault =
  /** The next so many payments of the venue are mined and pay nobody. */
  | { readonly kind: "revert"; readonly payments: number }
  /** The next so many payments of the venue are sent and never heard of again. */
  | { readonly kind: "loseBroadcast"; readonly payments: number }
  /** With the next block, another transaction takes the venue's next nonce. */
  | { readonly kind: "takeNonce" }
  /** Nobody answers for so long; 0 ends it. */
  | { readonly kind: "unreachable"; readonly durationMs: number };

/** What becomes of the transactions of blocks that left the chain: gone, waiting for the next block, or in one of the new ones. */
export type Fate = "lost" | "waiting" | "mined";

export interface StrangersPayment {
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  /** A decimal of the asset. */
  readonly amount: string;
}

export interface SandboxStatus {
  readonly head: Block;
  /** Transactions that no block holds yet. */
  readonly waiting: number;
  readonly blockMs: number;
}

/** The world outside, played by an operator. Each throws `ControlRefused` for what cannot be. */
export interface SandboxControl {
  status(): SandboxStatus;
  /** Answers with the new head. */
  mine(blocks: number): Block;
  /** Somebody pays somebody; the next block holds it. Answers with its transaction id. */
  faucet(payment: StrangersPayment): string;
  /**
   * The last `depth` blocks leave the chain and `depth + 1` others take their place, with what waited
   * before. Answers with the new head.
   */
  reorg(depth: number, fate: Fate): Block;
  fail(fault: SandboxFault): void;
}

export interface ReportedCoin extends StrangersPayment {
  readonly txId: string;
  /** Which of the transaction's outputs; 0 when there is but one. */
  readonly output: number;
}

/** A network that a person watches; `by` says who, and is journaled. Each rejects with `ControlRefused` for what cannot be. */
export interface ManualControl {
  /** The coin has come. "pending": it is seen; "credited": it can be traded with; "success": it is final. Again with a later status: on. */
  reportCoin(coin: ReportedCoin, status: "pending" | "credited" | "success", by: string): Promise<void>;
  /** It will not come after all. */
  dropCoin(coin: Pick<ReportedCoin, "txId" | "output">, by: string): Promise<void>;
  /** It was sent by this transaction, and is final: 4 -> 6. */
  completeWithdrawal(withdrawalId: string, txId: string, by: string): Promise<readonly Event[]>;
  /** It will never be sent: 4 -> 5. */
  failWithdrawal(withdrawalId: string, why: string, by: string): Promise<readonly Event[]>;
}

/** A transaction between the venue's own addresses. */
export interface Swept {
  readonly txId: string;
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  /** A decimal, in the chain's own digits. */
  readonly amount: string;
}

/**
 * A chain whose deposits lie at the addresses that they came to. The ledger knows nothing of where coins lie. Each rejects
 * with `ControlRefused`, `ChainUnreachable`.
 */
export interface SweepControl {
  /** All that an account's deposit address has of an asset goes to the hot wallet. */
  sweep(accountId: number, asset: string): Promise<Swept>;
  /** Native coins for gas go from the gas wallet to the deposit address. `amount`: a decimal. */
  topUp(accountId: number, amount: string): Promise<Swept>;
}

/** What a node's networks let operators do. */
export interface WalletControls {
  /** Undefined: no network of this name and kind. */
  sandbox(network: string): SandboxControl | undefined;
  manual(network: string): ManualControl | undefined;
  sweeps(network: string): SweepControl | undefined;
  /**
   * Reads the network again from this height on: for coins that were passed over then. Rejects with
   * `NoSuchNetwork`, `ControlRefused`.
   */
  rescan(network: string, fromHeight: number, by: string): Promise<void>;
  /**
   * Signs the transaction of a withdrawal that is stuck again, for a higher fee, and sends it. Rejects with
   * `NoSuchNetwork`, `ControlRefused`, `ChainUnreachable`.
   */
  raiseFee(network: string, withdrawalId: string, by: string): Promise<void>;
}
