/**
 * What the nodes of an exchange share besides the order of batches: positions of nodes, the epoch of the store, leases
 * on tasks; and the status shown to operators. The authoritative state is journaled; everything here may be late or
 * lost. docs/decisions/0044.
 */
import type { LogPlace, SharedLog } from "../journal/port.ts";

/** What a node publishes about itself, about once a second. */
export interface NodePosition {
  readonly node: string;
  /** Random for each process: 16 hex digits; "" while the node only catches up. */
  readonly incarnation: string;
  /** The last batch that is durable in the node's own journal. */
  readonly place: LogPlace;
  /** The last applied entry, and the event digest after it: "" while the node only catches up. */
  readonly seq: number;
  readonly eventDigest: string;
  /** Its clock when it published this. */
  readonly clockMs: number;
  readonly release: string;
  /** The newest rules version that it supports. Releases that support none after 3 do not send it. */
  readonly rules?: number;
  /** The base URL of its admin port, where others fetch its journal; empty: none. */
  readonly admin: string;
  /** Ends of its current bans in milliseconds, by address. */
  readonly bans: Readonly<Record<string, number>>;
  /** Digests of the settings that must be equal on all nodes, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An epoch: identifies the journal that the batches of the store continue. */
export interface Epoch {
  /** 16 hex digits, random for each epoch. */
  readonly epoch: string;
  /** The last entry before the first batch, and the chain hash of the journal after it. */
  readonly baseSeq: number;
  readonly baseChainHash: string;
  /** The previous epoch; empty for the first. */
  readonly priorEpoch: string;
  /**
   * Whether the journal was restored from a backup, so that payments on networks are held until operators have checked
   * them.
   */
  readonly arePaymentsHeld?: boolean;
}

/** A lease on a task. It is only a hint that its owner is live; the right is granted in the journal (`grantRole`). */
export interface Lease {
  /** True until the lease is known or presumed to have ended. */
  readonly isHeld: boolean;
  /** `listener` is called once when the lease has ended. */
  onLost(listener: () => void): void;
  /** Releases the lease, so that another node can acquire it at once. */
  release(): Promise<void>;
}

/** Every call settles in bounded time, except `submit` of a batch with an unknown outcome. */
export interface ClusterStore extends SharedLog {
  readonly epoch: Epoch;
  /**
   * Publishes this node's position. Rejects if the store is not reachable, and with `StoreUnfit` if the position
   * published before is missing.
   */
  announce(position: NodePosition): Promise<void>;
  /** The positions of all nodes, by a linearizable read. */
  positions(): Promise<readonly NodePosition[]>;
  /** The number of the last batch of the log, by a linearizable read; 0 if there is none. */
  lastNumber(): Promise<number>;
  /** Resolves to a lease if no node owns the task, otherwise to undefined. */
  lease(role: string): Promise<Lease | undefined>;
  /** Resolves when everything has stopped. */
  close(): Promise<void>;
}

/** How fresh a node's state is. */
export interface Freshness {
  /** The last entry that the node has applied. */
  readonly seq: number;
  /** The maximum age of the node's state in milliseconds; 0 while it is connected and keeps up. */
  staleMs(): number;
  /**
   * Resolves to 0 when the node has applied everything that any node had answered before the call, or to the age of its
   * state in milliseconds if it is cut off. Rejects with `NotAccepted` if that takes too long. Calls share their
   * requests to the store.
   */
  latest(): Promise<number>;
}

/**
 * The store cannot be used: it is a different one than before, it was restored from a backup, or another program writes
 * to it. The message is one line for the operator.
 */
export class StoreUnfit extends Error {
  override readonly name = "StoreUnfit";
}

/** A node as described by its position. */
export interface NodeStatus {
  readonly node: string;
  /** Whether it is the reporting node. */
  readonly isThis: boolean;
  readonly isLive: boolean;
  readonly release: string;
  /** The last batch of the log in its journal, and the last entry that it has applied. */
  readonly row: number;
  readonly seq: number;
  readonly incarnation: string;
  /** Where other nodes fetch its journal; "": nowhere. */
  readonly admin: string;
}

export interface RoleStatus {
  readonly role: string;
  /** The node that it was last granted to. */
  readonly node: string;
  /** Increases with each grant. */
  readonly number: number;
}

export interface ClusterStatus {
  readonly node: string;
  /** The rules version that the journal follows. */
  readonly edition: number;
  /** The epoch of the store, and the last entry of the journals before its first batch. */
  readonly epoch: string;
  readonly baseSeq: number;
  /** The last batch of the log, as far as this node knows, and how many are still in the store. */
  readonly lastRow: number;
  readonly tailRows: number;
  readonly tailBytes: number;
  readonly isCutOff: boolean;
  /** The maximum age of the node's state. */
  readonly staleMs: number;
  readonly nodes: readonly NodeStatus[];
  readonly roles: readonly RoleStatus[];
  readonly warnings: readonly string[];
}

/** The operators' view of a cluster, from one of its nodes. */
export interface ClusterView {
  status(): ClusterStatus;
  /** Why the node must not serve, by subject. */
  faults(): Readonly<Record<string, string>>;
  /** Warnings for the operator while the node serves, by subject. */
  warnings(): Readonly<Record<string, string>>;
  /** Owners of tasks, by task. */
  holders(): Readonly<Record<string, string>>;
}
