/**
 * Commands by which several nodes are one exchange: what a node's batch begins with, and who holds a role. A node that
 * is alone needs none of them. docs/decisions/0044.
 */
import { packed } from "./packed-command.ts";
import { text, uint, type ValuesOf } from "./fields.ts";

/** Where a node's batch belongs in the order of its own. */
const nodeBatch = {
  /** The node's name. */
  node: text,
  /** Drawn at each start of the node's process: 16 hex digits. */
  incarnation: text,
  /** The incarnation that the writer's state had for this node; "" when it had none. */
  replaces: text,
  /** Rises from 1 within the incarnation. */
  number: uint,
  /** The writer's event digest after entry `atSeq`: 16 hex digits. */
  atSeq: uint,
  digest: text,
  /** The release that the writer runs. */
  release: text,
};

/**
 * The first command of each batch of a node among several. A batch that comes again, or late from a process that has
 * been replaced, is refused (STALE_BATCH): nodes ask `EngineView.nodes` before they write it.
 */
export type NodeBatch = { readonly type: "nodeBatch" } & ValuesOf<typeof nodeBatch>;
export const NODE_BATCH = packed("nodeBatch", nodeBatch);

/**
 * Gives a role to a process of a node. Refused (ROLE_TAKEN) unless `after` is the number of the last grant, 0 before
 * the first; the new number is one higher.
 */
export interface GrantRole {
  readonly type: "grantRole";
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  readonly after: number;
}
