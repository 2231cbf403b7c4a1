/** The steps of a run of several nodes. `node` is the index of the node. */
import type { Command } from "@pricetime/engine";

export type NodeFault =
  /** The process dies, and is restarted after `forMs`. */
  | { readonly type: "kill"; readonly node: number; readonly forMs: number }
  /** The machine loses its power after so many disk operations. */
  | { readonly type: "power"; readonly node: number; readonly operations: number; readonly forMs: number }
  /** The process is paused, and then continues. */
  | { readonly type: "pause"; readonly node: number; readonly forMs: number }
  /** The node is disconnected from the store. */
  | { readonly type: "cut"; readonly node: number; readonly forMs: number }
  /** The node's watch receives no events, without an error. */
  | { readonly type: "silent"; readonly node: number; readonly forMs: number }
  | { readonly type: "clock"; readonly node: number; readonly jumpMs: number; readonly forMs: number }
  | { readonly type: "full"; readonly node: number; readonly forMs: number }
  | { readonly type: "failSyncs"; readonly node: number; readonly count: number }
  | { readonly type: "slow"; readonly node: number; readonly forMs: number; readonly stepMs: number };

export type ClusterAct =
  /** If the node is down, the client uses the next one. */
  | { readonly type: "command"; readonly command: Command; readonly via: "client" | "inside"; readonly node: number }
  | { readonly type: "read"; readonly accountId: number; readonly orderId: number; readonly node: number }
  | NodeFault
  /** The store has no leader. */
  | { readonly type: "leaderless"; readonly forMs: number }
  /**
   * The store is restored to a copy that lacks at least `rows` rows of each journal, until the current one is restored.
   */
  | { readonly type: "oldStore"; readonly rows: number; readonly forMs: number }
  /** All machines lose their power at once. */
  | { readonly type: "allDown" }
  /** All faults end, and everything is audited once the cluster has settled. */
  | { readonly type: "audit" };

export interface ClusterStep {
  readonly afterMs: number;
  readonly act: ClusterAct;
}
