/** Opens the line to etcd that a node of a cluster has. */
import type { Epoch } from "../port.ts";
import type { World } from "../../platform/world/port.ts";
import { newCounters } from "./counters.ts";
import { EtcdStore } from "./etcd-store.ts";
import { ETCD_LIMITS, type EtcdLimits } from "./limits.ts";
import { type EtcdAccess, Members } from "./members.ts";
import { openEpoch } from "./open-epoch.ts";

export interface EtcdStoreOptions {
  readonly access: EtcdAccess;
  /** What all keys of this exchange begin with, before a slash: `pt`. */
  readonly prefix: string;
  /** The name of this node. */
  readonly node: string;
  /** The epoch that a node with an empty journal begins where the store has none; undefined: it begins none. */
  readonly first: Epoch | undefined;
  readonly world: World;
  /** How many living nodes must hold a row before it is removed; null: this node removes none. */
  readonly mirrors: number | null;
  /** Told what an operator should see to, when it begins. */
  readonly onWarning?: (line: string) => void;
  readonly limits?: Partial<EtcdLimits>;
}

/** Rejects with `StoreUnfit`, or with `CallFailed` when no member answers. */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const { access, world, prefix, first } = options;
  const limits = { ...ETCD_LIMITS, ...options.limits };
  const members = new Members({ access, limits, world });
  try {
    const epoch = await openEpoch(members, prefix, first);
    return new EtcdStore({ onWarning: () => {}, ...options, members, limits, epoch, counters: newCounters() });
  } catch (error) {
    members.close();
    throw error;
  }
}
