/**
 * The data that the nodes of an exchange share besides the order of batches: positions of nodes, the epoch of the
 * store, and leases on tasks; also the status shown to operators. The authoritative state is journaled; everything here
 * may be late or lost. docs/decisions/0044.
 */
import type { LogPlace, SharedLog } from "../journal/port.ts";

/** The data that a node publishes about itself about once per second. */
export interface NodePosition {
  readonly node: string;
  /** 16 random hex digits per process; "" while the node is only catching up. */
  readonly incarnation: string;
  /** The last batch that is durable in the node's own journal. */
  readonly place: LogPlace;
  /** The last applied entry, and the event digest after it; the digest is "" while the node is only catching up. */
  readonly seq: number;
  readonly eventDigest: string;
  /** The node's clock when it published the position. */
  readonly clockMs: number;
  readonly release: string;
  /** The newest rules version that the node supports. Releases that support none after 3 do not publish it. */
  readonly rules?: number;
  /** The base URL of the node's admin port, from which other nodes fetch its journal; empty if it has none. */
  readonly admin: string;
  /** End times of the node's current bans in milliseconds, by address. */
  readonly bans: Readonly<Record<string, number>>;
  /** Digests of the settings that must be equal on all nodes, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An epoch of the store. It identifies the journal that the store's batches continue. */
export interface Epoch {
  /** 16 hex digits, random for each epoch. */
  readonly epoch: string;
  /** The last entry before the epoch's first batch, and the chain hash of the journal after it. */
  readonly baseSeq: number;
  readonly baseChainHash: string;
  /** The id of the previous epoch; empty for the first one. */
  readonly priorEpoch: string;
  /**
   * Whether the journal was restored from a backup. If so, payments on networks are held until operators have checked
   * them.
   */
  readonly arePaymentsHeld?: boolean;
}

/**
 * A lease on a task. It only indicates that its owner is live; the right to perform the task is granted in the journal
 * (`grantRole`).
 */
export interface Lease {
  /** True until the lease is known or presumed to have ended. */
  readonly isHeld: boolean;
  /** Calls `listener` once when the lease has ended. */
  onLost(listener: () => void): void;
  /** Releases the lease, so that another node can acquire it immediately. */
  release(): Promise<void>;
}

/** The shared store. Every call settles in bounded time, except `submit` of a batch with an unknown outcome. */
export interface ClusterStore extends SharedLog {
  readonly epoch: Epoch;
  /**
   * Publishes this node's position. Rejects if the store cannot be reached, and with `StoreUnfit` if the previously
   * published position is missing.
   */
  announce(position: NodePosition): Promise<void>;
  /** Reads the positions of all nodes linearizably. */
  positions(): Promise<readonly NodePosition[]>;
  /** Reads the number of the log's last batch linearizably; 0 if there is none. */
  lastNumber(): Promise<number>;
  /** Resolves to a lease on the task; undefined if another node owns it. */
  lease(role: string): Promise<Lease | undefined>;
  /** Resolves when the store is closed and nothing is in progress. */
  close(): Promise<void>;
}

/** How fresh a node's state is. */
export interface Freshness {
  /** The last entry that the node has applied. */
  readonly seq: number;
  /** The maximum age of the node's state in milliseconds; 0 while the node is connected and keeps up. */
  staleMs(): number;
  /**
   * Resolves to 0 when the node has applied everything that any node had answered before the call, or to the age of its
   * state in milliseconds if it is cut off. Rejects with `NotAccepted` if that takes too long. Concurrent calls share
   * their requests to the store.
   */
  latest(): Promise<number>;
}

/**
 * The store cannot be used: it is a different store than before, was restored from a backup, or another program writes
 * to it. The message is one line for the operator.
 */
export class StoreUnfit extends Error {
  override readonly name = "StoreUnfit";
}

/** The state of a node, as described by its position. */
export interface NodeStatus {
  readonly node: string;
  /** Whether this is the node that reports the status. */
  readonly isThis: boolean;
  readonly isLive: boolean;
  readonly release: string;
  /** The last batch of the log in the node's journal, and the last entry that the node has applied. */
  readonly row: number;
  readonly seq: number;
  readonly incarnation: string;
  /** The URL from which other nodes fetch the node's journal; "" if there is none. */
  readonly admin: string;
}

export interface RoleStatus {
  readonly role: string;
  /** The node to which the task was last granted. */
  readonly node: string;
  /** The fencing token. It increases with each grant. */
  readonly number: number;
}

export interface ClusterStatus {
  readonly node: string;
  /** The rules version that the journal follows. */
  readonly edition: number;
  /** The epoch of the store, and the last journal entry before its first batch. */
  readonly epoch: string;
  readonly baseSeq: number;
  /** The last batch of the log as far as this node knows, and the number of batches that are still in the store. */
  readonly lastRow: number;
  readonly tailRows: number;
  readonly tailBytes: number;
  readonly isCutOff: boolean;
  /** The maximum age of the node's state in milliseconds. */
  readonly staleMs: number;
  readonly nodes: readonly NodeStatus[];
  readonly roles: readonly RoleStatus[];
  readonly warnings: readonly string[];
}

/** The state of a cluster as shown to operators, from the view of one of its nodes. */
export interface ClusterView {
  status(): ClusterStatus;
  /** Reasons why the node must not serve, by subject. */
  faults(): Readonly<Record<string, string>>;
  /** Warnings for the operator that do not prevent the node from serving, by subject. */
  warnings(): Readonly<Record<string, string>>;
  /** The node that owns each task, by task. */
  holders(): Readonly<Record<string, string>>;
}
