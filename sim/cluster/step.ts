/** What a run of several nodes does, step by step. `node`: which of them, by its place. */
import type { Command } from "@pricetime/engine";

export type NodeFault =
  /** The process dies, and is started again after so long. */
  | { readonly type: "kill"; readonly node: number; readonly forMs: number }
  /** The power of the machine goes after so many operations of its disk. */
  | { readonly type: "power"; readonly node: number; readonly operations: number; readonly forMs: number }
  /** The process is stopped, and goes on as if nothing had been. */
  | { readonly type: "pause"; readonly node: number; readonly forMs: number }
  /** Nothing goes from the node to the store, or back. */
  | { readonly type: "cut"; readonly node: number; readonly forMs: number }
  /** The watch of the node hears nothing, without an error. */
  | { readonly type: "silent"; readonly node: number; readonly forMs: number }
  | { readonly type: "clock"; readonly node: number; readonly jumpMs: number; readonly forMs: number }
  | { readonly type: "full"; readonly node: number; readonly forMs: number }
  | { readonly type: "failSyncs"; readonly node: number; readonly count: number }
  | { readonly type: "slow"; readonly node: number; readonly forMs: number; readonly stepMs: number };

export type ClusterAct =
  /** Where the node is not there, the client goes on to the next. */
  | { readonly type: "command"; readonly command: Command; readonly via: "client" | "inside"; readonly node: number }
  | { readonly type: "read"; readonly accountId: number; readonly orderId: number; readonly node: number }
  | NodeFault
  /** The store has no leader. */
  | { readonly type: "leaderless"; readonly forMs: number }
  /** The store is put back to a copy that lacks at least so many rows of each journal, until the right one is found. */
  | { readonly type: "oldStore"; readonly rows: number; readonly forMs: number }
  /** All machines lose their power at once. */
  | { readonly type: "allDown" }
  /** All faults end, and everything is looked at once it is quiet. */
  | { readonly type: "audit" };

export interface ClusterStep {
  readonly afterMs: number;
  readonly act: ClusterAct;
}
