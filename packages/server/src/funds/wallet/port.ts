/**
 * The node's wallet as the gateway and the operators use it. The ledger's side of every step is a command in the
 * journal; this is the side that needs the outside world. Interface 3.6, 4.5.
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

// What operators do to networks by hand, besides the ledger commands.

/** What can be made to go wrong in a sandbox's world. */
export type SandboxFault =
  /** The next `payments` payments of the venue are mined and pay nobody. */
  | { readonly kind: "revert"; readonly payments: number }
  /** The next `payments` payments of the venue are sent and never heard of again. */
  | { readonly kind: "loseBroadcast"; readonly payments: number }
  /** With the next block, another transaction takes the venue's next nonce. */
  | { readonly kind: "takeNonce" }
  /** The chain does not answer for `durationMs`; 0 ends it. */
  | { readonly kind: "unreachable"; readonly durationMs: number };

/** The fate of transactions whose blocks left the chain: gone, waiting for a block, or mined in a new one. */
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
  /** The number of transactions that no block holds yet. */
  readonly waiting: number;
  readonly blockMs: number;
}

/** An operator's control of the simulated world outside. Methods throw `ControlRefused` for what is not possible. */
export interface SandboxControl {
  status(): SandboxStatus;
  /** Mines blocks and returns the new head. */
  mine(blocks: number): Block;
  /** Makes a payment between strangers, for the next block. Returns its transaction id. */
  faucet(payment: StrangersPayment): string;
  /**
   * Takes the last `depth` blocks off the chain and puts `depth + 1` others in their place, with the transactions that
   * waited before. Returns the new head.
   */
  reorg(depth: number, fate: Fate): Block;
  fail(fault: SandboxFault): void;
}

export interface ReportedCoin extends StrangersPayment {
  readonly txId: string;
  /** The transaction's output that holds the coin; 0 when there is only one. */
  readonly output: number;
}

/** A network that a person watches; `by` names the person in the journal. Methods reject with `ControlRefused`. */
export interface ManualControl {
  /**
   * Reports a coin. "pending": seen; "credited": can be traded with; "success": final. Later reports move it on, and must
   * say the same. An equal report changes nothing; any other rejects with `ActRefused` (REPEAT_DIFFERS).
   */
  reportCoin(coin: ReportedCoin, status: "pending" | "credited" | "success", by: string): Promise<void>;
  /** Reports that the coin will not come after all. It must be as it was reported; may then be reported otherwise. */
  dropCoin(coin: ReportedCoin, by: string): Promise<void>;
  /** Reports that this transaction paid the withdrawal and is final: status 4 -> 6. */
  completeWithdrawal(withdrawalId: string, txId: string, by: string): Promise<readonly Event[]>;
  /** Reports that the withdrawal will never be sent: status 4 -> 5. */
  failWithdrawal(withdrawalId: string, why: string, by: string): Promise<readonly Event[]>;
}

/** A transaction between the venue's own addresses. */
export interface Swept {
  readonly txId: string;
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  /** A decimal amount, in the chain's own digits. */
  readonly amount: string;
}

/**
 * A chain whose deposits stay at the addresses they came to. The ledger does not know where coins lie. Each method
 * rejects with `ControlRefused` or `ChainUnreachable`.
 */
export interface SweepControl {
  /** Sends everything that an account's deposit address holds of an asset to the hot wallet. */
  sweep(accountId: number, asset: string): Promise<Swept>;
  /** Sends native coins for gas from the gas wallet to the deposit address. `amount` is a decimal. */
  topUp(accountId: number, amount: string): Promise<Swept>;
}

/** What a chain says of the venue's own wallets. */
export interface NetworkHoldings {
  readonly network: string;
  /** Null: nobody can tell, because the chain does not answer, or has no wallets that one could look into. */
  readonly wallets: readonly WalletHolding[] | null;
  /** Why nobody can tell; "" otherwise. */
  readonly trouble: string;
}

/** What operators can do to a node's networks. */
export interface WalletControls {
  /** Returns the control of a sandbox; undefined: no sandbox has this name. */
  sandbox(network: string): SandboxControl | undefined;
  manual(network: string): ManualControl | undefined;
  sweeps(network: string): SweepControl | undefined;
  /**
   * Looks for coins that were passed over. With `toHeight`: through these blocks, now; resolves to how many coins were
   * found. Without: everything from the height on is read again, beside other work; resolves to null. Rejects with
   * `NoSuchNetwork`, `ControlRefused`, `ChainUnreachable`.
   */
  rescan(network: string, fromHeight: number, by: string, toHeight?: number): Promise<number | null>;
  /**
   * Signs the transaction of a stuck withdrawal again, for a higher fee, and sends it. Rejects with
   * `NoSuchNetwork`, `ControlRefused`, `ChainUnreachable`.
   */
  raiseFee(network: string, withdrawalId: string, by: string): Promise<void>;
  /** Asks every chain what the venue's wallets hold there now. Never rejects for a chain. */
  holdings(): Promise<readonly NetworkHoldings[]>;
}

export interface CoinFaults {
  /** Whether the deposit gets no deeper for now. Asked whenever it could. */
  isStuck(deposit: DepositRecord): boolean;
  /** Called before the signed payment of a withdrawal is broadcast for the first time. */
  paymentSigned(withdrawal: WithdrawalRecord): void;
}

/** A chain does not answer at the moment. */
export { ChainUnreachable } from "./chain.ts";
export type { NetworkKind } from "./chain.ts";

export interface NetworkStatus {
  readonly network: string;
  readonly kind: NetworkKind;
  /** Whether the chain answers and is being read, by this node. */
  readonly isUp: boolean;
  /** The height of the newest block seen; 0 before the first. */
  readonly height: number;
  /** The height up to which deposits have been read and journaled. */
  readonly readHeight: number;
  /** Why the network is down, or what the operator must look at; "" when all is well. */
  readonly trouble: string;
  /** The node that runs the network when it is another; "" when none does yet. Absent: it runs here. */
  readonly holder?: string;
}

export interface Wallet {
  networks(): readonly NetworkStatus[];
  /** Returns whether such an address (with such a tag) can exist there; false for an unknown network. */
  isAddress(network: string, address: string, tag: string): boolean;
  /**
   * How deep a coin lies that is on its way: the blocks that confirm it. Undefined where this node does not know it:
   * another one runs the network, or it has no chain.
   */
  depthOf(coin: CoinId): number | undefined;
  /** Returns the account's address, assigned now if needed. Rejects with `NoSuchNetwork`, `ChainUnreachable`. */
  depositAddress(accountId: number, network: string): Promise<DepositAddress>;
}

/** The node has no network of this name, or the network takes no deposits. */
export class NoSuchNetwork extends Error {
  override readonly name = "NoSuchNetwork";
}

/** An operator asked for something impossible; the message says why, in one line. */
export class ControlRefused extends Error {
  override readonly name = "ControlRefused";
}

/** The exchange refused an operator's act on a network. */
export class ActRefused extends ControlRefused {
  readonly reason: RejectReason;
  readonly command: Command;

  constructor(reason: RejectReason, command: Command) {
    super(`the exchange refused: ${reason}`);
    this.reason = reason;
    this.command = command;
  }
}

/** A network cannot be opened as configured; the message says which and why, in one line. */
export class NetworkUnusable extends Error {
  override readonly name = "NetworkUnusable";
}
