/** Begins an epoch in a store, from outside of any node; and asks a store for its nodes. */
import type { Epoch, NodePosition } from "../port.ts";
import type { JournalHead } from "../../journal/port.ts";
import type { Dice, World } from "../../platform/world/port.ts";
import { ETCD_LIMITS } from "./limits.ts";
import { type EtcdAccess, Members } from "./members.ts";
import { beginEpoch, newEpochId, openEpoch } from "./open-epoch.ts";
import { viewStore } from "./store-view.ts";

export interface StoreAccess extends EtcdAccess {
  /** What all keys of this exchange begin with, before a slash: `pt`. */
  readonly prefix: string;
}

/** Returns the epoch that goes on from a journal. `priorEpoch`: the one that the journal was in; "" when in none. */
export function epochAfter({ lastSeq, chainHash }: JournalHead, priorEpoch: string, dice: Dice): Epoch {
  return { epoch: newEpochId(dice), baseSeq: lastSeq, baseChainHash: chainHash, priorEpoch };
}

/** Rejects with `StoreUnfit` unless the store is empty, and with `CallFailed` when no member answers. */
export async function beginStore(access: StoreAccess, record: Epoch, world: World): Promise<void> {
  await withMembers(access, world, (members) => beginEpoch(members, access.prefix, record));
}

/** Resolves to what the nodes of a store have told of themselves. Rejects with `StoreUnfit`, `CallFailed`. */
export function nodesOf(access: StoreAccess, world: World): Promise<readonly NodePosition[]> {
  return withMembers(access, world, async (members) => {
    const { keys } = await openEpoch(members, access.prefix, undefined);
    const { positions } = await viewStore(members, keys, ETCD_LIMITS.patienceMs);
    return positions.map(({ position }) => position);
  });
}

async function withMembers<T>(access: StoreAccess, world: World, ask: (members: Members) => Promise<T>): Promise<T> {
  const members = new Members({ access, limits: ETCD_LIMITS, world });
  try {
    return await ask(members);
  } finally {
    members.close();
  }
}
