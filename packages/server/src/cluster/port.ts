/**
 * What the nodes of one exchange share beside the order of batches: which nodes there are and how far each is, which
 * store and epoch this is, and a hint when a holder of a role has gone; and what of it is shown to operators. What
 * counts is journaled; everything here may be late or lost. docs/decisions/0044.
 */
import type { LogPlace, SharedLog } from "../journal/port.ts";

/** What a node tells the others of itself, about once a second. */
export interface NodePosition {
  readonly node: string;
  /** Drawn at each start of the node's process: 16 hex digits; "" while it only catches up. */
  readonly incarnation: string;
  /** The last row that the node's own journal holds durably. */
  readonly place: LogPlace;
  /** The last entry that it has applied, and the event digest after it: "" while it only catches up. */
  readonly seq: number;
  readonly eventDigest: string;
  /** Its clock when it told this. */
  readonly clockMs: number;
  readonly release: string;
  /** The newest rules version that it knows; releases that know none after 3 do not send it. */
  readonly rules?: number;
  /** The base address of its admin port, where others ask for a backup; empty: it gives none. */
  readonly admin: string;
  /** Addresses that it has banned: until when, in ms. */
  readonly bans: Readonly<Record<string, number>>;
  /** Digests of the settings that all nodes must have alike, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The beginning of an epoch: which journal the rows of the store follow. */
export interface Epoch {
  /** 16 hex digits, drawn when the store was begun. */
  readonly epoch: string;
  /** The last entry before the first row, and the chain hash of the journal just after it. */
  readonly baseSeq: number;
  readonly baseChainHash: string;
  /** The epoch before it; empty for the first. */
  readonly priorEpoch: string;
  /** Whether that journal was restored from a backup, so that nothing is paid on networks until operators have looked. */
  readonly arePaymentsHeld?: boolean;
}

/** A lease on a role: only a hint that its holder lives. The right is granted in the journal (`grantRole`). */
export interface Lease {
  /** True until it is known or presumed to have ended. */
  readonly isHeld: boolean;
  /** Called once when it has ended. */
  onLost(listener: () => void): void;
  /** Gives it up, so that another can take it at once. */
  release(): Promise<void>;
}

/** Every call settles within bounded time, except `submit` of a batch whose fate is unknown. */
export interface ClusterStore extends SharedLog {
  readonly epoch: Epoch;
  /**
   * Makes this node's position known. Rejects when the store cannot be reached, and with `StoreUnfit` when the position
   * told before is not there any more.
   */
  announce(position: NodePosition): Promise<void>;
  /** Returns the positions of all nodes, by a linearizable read. */
  positions(): Promise<readonly NodePosition[]>;
  /** Returns the number of the last row of the log, by a linearizable read: 0 when there is none. */
  lastNumber(): Promise<number>;
  /** Resolves to a lease when nobody holds the role, and to undefined when somebody does. */
  lease(role: string): Promise<Lease | undefined>;
  /** Resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

/** How fresh a node's state is, for those who answer from it. */
export interface Freshness {
  /** The last entry that the node has applied. */
  readonly seq: number;
  /** Age of the node's state at most, in ms; 0 while it is in touch with the others and keeps up with them. */
  staleMs(): number;
  /**
   * Resolves to 0 when the node has applied all that any node had answered before the call, and to how old what it has
   * may be (ms) when it turns out to be cut off. Rejects with `NotAccepted` when that takes too long. Calls share their
   * questions to the store.
   */
  latest(): Promise<number>;
}

/**
 * The store cannot be used: it is another one than the node has seen, it went back, or something else writes to it. The
 * message is one line for the operator.
 */
export class StoreUnfit extends Error {
  override readonly name = "StoreUnfit";
}

/** A node as its position tells. */
export interface NodeStatus {
  readonly node: string;
  /** Whether it is the one that tells this. */
  readonly isThis: boolean;
  readonly isLive: boolean;
  readonly release: string;
  /** The last row of the log that its journal holds, and the last entry that it has applied. */
  readonly row: number;
  readonly seq: number;
  readonly incarnation: string;
  /** Where it gives its journal to others; "": nowhere. */
  readonly admin: string;
}

export interface RoleStatus {
  readonly role: string;
  /** The node to which it was granted last. */
  readonly node: string;
  /** Rises with each grant. */
  readonly number: number;
}

export interface ClusterStatus {
  readonly node: string;
  /** The edition of the rules that the journal follows. */
  readonly edition: number;
  /** The life of the store, and the last entry of the journals before its first row. */
  readonly epoch: string;
  readonly baseSeq: number;
  /** The last row of the log, as far as this node knows, and how many the store still holds. */
  readonly lastRow: number;
  readonly tailRows: number;
  readonly tailBytes: number;
  readonly isCutOff: boolean;
  /** Age of the node's state at most. */
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
  /** Who holds which role, by role. */
  holders(): Readonly<Record<string, string>>;
}
