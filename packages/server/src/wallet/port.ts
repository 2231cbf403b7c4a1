/**
 * The wallet of a node: what the gateway and the operators ask of it. The ledger's side of every
 * step is a command in the journal; here is what needs the world outside. Interface 3.6, 4.5.
 */
import type { DepositAddress } from "@pricetime/engine";
import type { NetworkKind } from "./chain.ts";

/** A chain does not answer just now. */
export { ChainUnreachable } from "./chain.ts";
export type { NetworkKind } from "./chain.ts";

export interface NetworkStatus {
  readonly network: string;
  readonly kind: NetworkKind;
  /** Whether the chain answers and is being read. */
  readonly isUp: boolean;
  /** Of the newest block seen; 0 before the first. */
  readonly height: number;
  /** Up to where deposits have been read and journaled. */
  readonly readHeight: number;
  /** Why it is down, or what the operator must look at; "" when all is well. */
  readonly trouble: string;
}

export interface Wallet {
  networks(): readonly NetworkStatus[];
  /** Whether such an address (with such a tag) can exist there. An unknown network has none. */
  isAddress(network: string, address: string, tag: string): boolean;
  /** The account's address on the network, assigned now if it had none. Rejects with `NoSuchNetwork`, `ChainUnreachable`. */
  depositAddress(accountId: number, network: string): Promise<DepositAddress>;
}

/** No network of this name is configured on the node, or it takes no deposits. */
export class NoSuchNetwork extends Error {
  override readonly name = "NoSuchNetwork";
}

/** An operator asked a network for what cannot be; the message says why, in one line. */
export class ControlRefused extends Error {
  override readonly name = "ControlRefused";
}

/** A network cannot be opened as it is configured; the message says which and why, in one line. */
export class NetworkUnusable extends Error {
  override readonly name = "NetworkUnusable";
}
