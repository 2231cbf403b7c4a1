/**
 * The node's wallet as the gateway and the operators use it. The ledger's side of every step is a command in
 * the journal; this is the side that needs the world outside. Interface 3.6, 4.5.
 */
import type { CoinId, Command, DepositAddress, RejectReason } from "@pricetime/engine";
import type { NetworkKind } from "./chain.ts";

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
