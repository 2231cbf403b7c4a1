/** Opens what a node shares with the others, and brings its journal to where the shared log goes on. */
import { mkdirSync } from "node:fs";
import { firstEpoch } from "../etcd/open-epoch.ts";
import { openEtcdStore } from "../etcd/open-store.ts";
import type { LogPlace } from "../journal/port.ts";
import { dataPaths } from "../storage/data-paths.ts";
import { lockFolder } from "../storage/folder-lock.ts";
import { openCopy } from "../storage/open-journal.ts";
import type { World } from "../world/port.ts";
import type { ClusterStore } from "./port.ts";

/** The part of the configuration that says where the others are. */
export interface ClusterAccess {
  readonly endpoints: readonly string[];
  readonly prefix: string;
  readonly tls: {
    readonly ca: string | null;
    readonly client: { readonly cert: string; readonly key: string } | null;
  } | null;
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface OpenClusterOptions {
  readonly access: ClusterAccess;
  /** The name of this node. */
  readonly node: string;
  readonly dataFolder: string;
  readonly world: World;
}

export interface OpenCluster {
  readonly store: ClusterStore;
  /** Where the log goes on for this node's journal; null: with its first row. */
  readonly place: LogPlace | null;
  close(): Promise<void>;
}

/**
 * Rejects with one line for the operator when the store cannot be reached or is not this node's, and when the journal is
 * not the cluster's.
 */
export async function openCluster(options: OpenClusterOptions): Promise<OpenCluster> {
  const { access, node, dataFolder, world } = options;
  mkdirSync(dataFolder, { recursive: true });
  const lock = lockFolder(dataFolder);
  try {
    const journal = openCopy(dataPaths(dataFolder).journal);
    try {
      const first = journal.head().lastSeq === 0 ? firstEpoch(world) : undefined;
      const { endpoints, login } = access;
      const store = await openEtcdStore({
        access: { endpoints, tls: tlsOf(access), login: login ?? undefined },
        prefix: `${access.prefix}/`,
        node,
        first,
        world,
      });
      return { store, place: journal.place(), close: () => store.close() };
    } finally {
      journal.closeWhole();
    }
  } finally {
    lock.release();
  }
}

type PemTexts = { readonly ca?: Buffer; readonly key?: Buffer; readonly cert?: Buffer };

function tlsOf({ tls }: ClusterAccess): PemTexts | undefined {
  if (tls === null) return undefined;
  const { ca, client } = tls;
  return {
    ...(ca !== null && { ca: Buffer.from(ca) }),
    ...(client !== null && { cert: Buffer.from(client.cert), key: Buffer.from(client.key) }),
  };
}
