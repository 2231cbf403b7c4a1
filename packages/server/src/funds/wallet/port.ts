/**
 * The node's wallet as the gateway and operators use it. The ledger's side of every step is a journaled command; the
 * wallet performs the side that needs external networks. Interface 3.6, 4.5.
 */
import type {
  CoinId,
  Command,
  DepositAddress,
  DepositRecord,
  Event,
  RejectReason,
  WithdrawalRecord,
} from "@pricetime/engine";
import type { Block, NetworkKind, WalletHolding } from "./chain.ts";

/** A fault of a simulated chain. */
export type SandboxFault =
  /** The next `payments` payments of the exchange are mined without paying. */
  | { readonly kind: "revert"; readonly payments: number }
  /** The next `payments` payments of the exchange are lost after the broadcast. */
  | { readonly kind: "loseBroadcast"; readonly payments: number }
  /** In the next block, another transaction takes the exchange's next nonce. */
  | { readonly kind: "takeNonce" }
  /** The chain does not answer for `durationMs`; 0 ends the outage. */
  | { readonly kind: "unreachable"; readonly durationMs: number };

/** What happens to transactions in blocks removed by a reorg: they are lost, pending again, or mined in a new block. */
export type Fate = "lost" | "waiting" | "mined";

export interface StrangersPayment {
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  /** A decimal amount of the asset. */
  readonly amount: string;
}

export interface SandboxStatus {
  readonly head: Block;
  /** The number of pending transactions. */
  readonly waiting: number;
  readonly blockMs: number;
}

/** An operator's control of a simulated chain. Methods throw `ControlRefused` if the action is not possible. */
export interface SandboxControl {
  status(): SandboxStatus;
  /** Mines blocks and returns the new head. */
  mine(blocks: number): Block;
  /** Adds a payment from outside the exchange to the next block. Returns its transaction id. */
  faucet(payment: StrangersPayment): string;
  /**
   * Replaces the last `depth` blocks with `depth + 1` others, which contain the previously pending transactions.
   * Returns the new head.
   */
  reorg(depth: number, fate: Fate): Block;
  fail(fault: SandboxFault): void;
}

export interface ReportedCoin extends StrangersPayment {
  readonly txId: string;
  /** The index of the transaction's output; 0 if there is only one. */
  readonly output: number;
}

/** A network that an operator manages; `by` names the operator in the journal. Methods reject with `ControlRefused`. */
export interface ManualControl {
  /**
   * Reports a deposit. "pending": seen; "credited": tradable; "success": final. Later reports advance the status and
   * must have the same contents. An identical report changes nothing; one with different contents rejects with
   * `ActRefused` (REPEAT_DIFFERS).
   */
  reportCoin(coin: ReportedCoin, status: "pending" | "credited" | "success", by: string): Promise<void>;
  /**
   * Reports that the deposit will not arrive. The contents must be as reported before. Afterwards, the deposit may be
   * reported with different contents.
   */
  dropCoin(coin: ReportedCoin, by: string): Promise<void>;
  /** Reports that this transaction paid the withdrawal and is final. Status 4 -> 6. */
  completeWithdrawal(withdrawalId: string, txId: string, by: string): Promise<readonly Event[]>;
  /** Reports that the withdrawal will not be sent. Status 4 -> 5. */
  failWithdrawal(withdrawalId: string, why: string, by: string): Promise<readonly Event[]>;
}

/** A transaction between the exchange's own addresses. */
export interface Swept {
  readonly txId: string;
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  /** A decimal amount, with the chain's precision. */
  readonly amount: string;
}

/**
 * A chain whose deposits stay at their deposit addresses until they are swept. The ledger does not record at which
 * address funds are. Methods reject with `ControlRefused` or `ChainUnreachable`.
 */
export interface SweepControl {
  /** Sends the entire balance of an asset from an account's deposit address to the hot wallet. */
  sweep(accountId: number, asset: string): Promise<Swept>;
  /** Sends native coins for gas from the gas wallet to the deposit address. `amount` is a decimal. */
  topUp(accountId: number, amount: string): Promise<Swept>;
}

/** The balances of the exchange's own wallets on a chain. */
export interface NetworkHoldings {
  readonly network: string;
  /** Null if unknown, because the chain does not answer or cannot report balances. */
  readonly wallets: readonly WalletHolding[] | null;
  /** Why the balances are unknown; "" otherwise. */
  readonly trouble: string;
}

/** The operators' control of a node's networks. */
export interface WalletControls {
  /** The control of the sandbox of this name; undefined if there is none. */
  sandbox(network: string): SandboxControl | undefined;
  manual(network: string): ManualControl | undefined;
  sweeps(network: string): SweepControl | undefined;
  /**
   * Searches for missed deposits. With `toHeight`: scans these blocks now and resolves to the number of deposits found.
   * Without: reads all blocks from `fromHeight` again in the background and resolves to null. Rejects with
   * `NoSuchNetwork`, `ControlRefused` or `ChainUnreachable`.
   */
  rescan(network: string, fromHeight: number, by: string, toHeight?: number): Promise<number | null>;
  /**
   * Signs the transaction of a stuck withdrawal again with a higher fee, and broadcasts it. Rejects with
   * `NoSuchNetwork`, `ControlRefused` or `ChainUnreachable`.
   */
  raiseFee(network: string, withdrawalId: string, by: string): Promise<void>;
  /**
   * The current balances of the exchange's wallets on every chain. An unreachable chain does not reject the promise.
   */
  holdings(): Promise<readonly NetworkHoldings[]>;
}

export interface CoinFaults {
  /**
   * Whether a fault currently prevents the deposit from reaching its next status. Called each time the status is due.
   */
  isStuck(deposit: DepositRecord): boolean;
  /** Called before the signed payment of a withdrawal is broadcast for the first time. */
  paymentSigned(withdrawal: WithdrawalRecord): void;
}

export { ChainUnreachable } from "./chain.ts";
export type { NetworkKind } from "./chain.ts";

export interface NetworkStatus {
  readonly network: string;
  readonly kind: NetworkKind;
  /** Whether the chain answers and this node reads it. */
  readonly isUp: boolean;
  /** The height of the newest block seen; 0 before the first. */
  readonly height: number;
  /** The height up to which deposits have been read and journaled. */
  readonly readHeight: number;
  /** Why the network is down or degraded; "" if it is healthy. */
  readonly trouble: string;
  /** The name of the node that runs the network, if it is another node; "" if no node does. Absent if it runs here. */
  readonly holder?: string;
}

export interface Wallet {
  networks(): readonly NetworkStatus[];
  /** Whether the address (with the tag) is valid; false for an unknown network. */
  isAddress(network: string, address: string, tag: string): boolean;
  /**
   * The confirmations of a pending deposit. Undefined if unknown: another node runs the network, or the network has no
   * chain.
   */
  depthOf(coin: CoinId): number | undefined;
  /** The account's address; assigned now if there is none. Rejects with `NoSuchNetwork` or `ChainUnreachable`. */
  depositAddress(accountId: number, network: string): Promise<DepositAddress>;
}

/** The node has no network of this name, or the network does not accept deposits. */
export class NoSuchNetwork extends Error {
  override readonly name = "NoSuchNetwork";
}

/** An operator's request is not possible; the message is the reason in one line. */
export class ControlRefused extends Error {
  override readonly name = "ControlRefused";
}

/** The exchange rejected an operator action on a network. */
export class ActRefused extends ControlRefused {
  readonly reason: RejectReason;
  readonly command: Command;

  constructor(reason: RejectReason, command: Command) {
    super(`the exchange refused: ${reason}`);
    this.reason = reason;
    this.command = command;
  }
}

/** A network cannot be opened as configured; the message names the network and the reason in one line. */
export class NetworkUnusable extends Error {
  override readonly name = "NetworkUnusable";
}
