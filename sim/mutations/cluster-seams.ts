/** Where bugs of several nodes get in, and none of them. */
import type { NodeSeams } from "../cluster/node.ts";
import { SOUND_STORE, type StoreSeams } from "../cluster/store.ts";

export interface ClusterSeams {
  readonly store: StoreSeams;
  readonly node: NodeSeams;
  /** Whether a node must not stop by itself for this. */
  readonly isFatalFault: (error: Error) => boolean;
}

export const NO_CLUSTER_BUG: ClusterSeams = {
  store: SOUND_STORE,
  node: {
    ...{ sequencer: (real) => real, latest: (real) => real },
    ...{ syncsAtStart: true, liesAboutSync: false, heedsStore: true },
  },
  // Left behind, it catches up.
  isFatalFault: ({ name }) => name !== "LogTrimmed",
};
