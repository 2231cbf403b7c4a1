/** The places where bugs of several nodes are inserted, without any bug. */
import type { NodeSeams } from "../cluster/node.ts";
import { SOUND_STORE, type StoreSeams } from "../cluster/store.ts";

export interface ClusterSeams {
  readonly store: StoreSeams;
  readonly node: NodeSeams;
  /** Whether a node must not exit because of this error. */
  readonly isFatalFault: (error: Error) => boolean;
}

export const NO_CLUSTER_BUG: ClusterSeams = {
  store: SOUND_STORE,
  node: {
    ...{ sequencer: (real) => real, latest: (real) => real },
    ...{ syncsAtStart: true, liesAboutSync: false, heedsStore: true },
  },
  // A node that was left behind catches up.
  isFatalFault: ({ name }) => name !== "LogTrimmed",
};
