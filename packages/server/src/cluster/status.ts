/** What a node of a cluster knows of it, for operators. */

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
