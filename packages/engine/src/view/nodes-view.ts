/** Queries about the nodes of an exchange of several, and about who holds which role. */
import type { NodeBatch } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";

/** A node as its last batch tells. */
export interface NodeRecord {
  readonly node: string;
  /** The process that runs under the name. */
  readonly incarnation: string;
  /** The number of its last batch. */
  readonly number: number;
  readonly release: string;
}

/** The last grant of a role. */
export interface RoleRecord {
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  /** Rises by one with each grant, from 1. */
  readonly number: number;
}

export interface NodesView {
  /** Whether a batch with this header has its place here: one that comes again, or too late, has none. */
  accepts(header: NodeBatch): boolean;
  /** Why the batch has no place; null: it is accepted. */
  refusal(header: NodeBatch): RejectReason | null;
  /** Undefined before the node's first batch. */
  node(name: string): NodeRecord | undefined;
  all(): Iterable<NodeRecord>;
  /** Undefined before the role's first grant. */
  role(name: string): RoleRecord | undefined;
  roles(): Iterable<RoleRecord>;
}
