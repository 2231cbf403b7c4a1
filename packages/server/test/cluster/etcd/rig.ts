/** Connections of nodes to a real etcd. */
import { randomInt } from "node:crypto";
import { after, before, type TestContext } from "node:test";
import { type EtcdCluster, type EtcdOptions, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import type { Following, LogPlace, LogRow, LooseBatch } from "../../../src/journal/port.ts";
import type { NodePosition } from "../../../src/cluster/port.ts";
import { type EtcdStore, type EtcdStoreOptions, openEtcdStore } from "../../../src/cluster/etcd/etcd-store.ts";
import type { EtcdAccess } from "../../../src/cluster/etcd/members.ts";
import { firstEpoch } from "../../../src/cluster/etcd/epoch.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

/** A unique prefix in the store. */
export const newPrefix = (): string => `test/${randomInt(2 ** 40)}`;

export const accessTo = (endpoints: readonly string[]): EtcdAccess => ({ endpoints, tls: null, login: null });

/** Opens a store, and closes it at the end of the test. */
export async function openStore(
  t: TestContext,
  endpoints: readonly string[],
  prefix: string,
  more: Partial<EtcdStoreOptions> = {},
): Promise<EtcdStore> {
  const store = await openEtcdStore({
    ...{ access: accessTo(endpoints), prefix, node: "n1", first: firstEpoch(MACHINE), world: MACHINE, mirrors: null },
    ...more,
  });
  inTheEnd(t, () => store.close());
  return store;
}

export const batchOf = (node: string, n: number, size = 12): LooseBatch => ({
  ...{ id: `${node}/00000000000000aa/${n}`, node, count: 1, timeMs: 1_000 + n },
  bytes: Uint8Array.from({ length: size }, (_, i) => (n + i) & 0xff),
});

/** Takes this many batches. */
export async function take(following: Following, count: number): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  while (rows.length < count) {
    const row = await following.next();
    if (row === undefined) throw new Error("the log has ended");
    rows.push(row);
  }
  return rows;
}

/** Batches of increasing sizes; resolves when all are in the log. */
export async function submitAll(store: EtcdStore, node: string, count: number, size?: number): Promise<void> {
  for (let from = 1; from <= count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from + 1) }, (_, i) => batchOf(node, from + i, size));
    await Promise.all(some.map((batch) => store.submit(batch)));
  }
}

export const numbersOf = (rows: readonly LogRow[]): number[] => rows.map(({ place }) => place.number);
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** The published position of a node that has reached `place`. */
export function positionOf(node: string, place: LogPlace, clockMs = 0): NodePosition {
  return {
    ...{ node, incarnation: "00000000000000aa", place, seq: place.number, eventDigest: "", clockMs },
    ...{ release: "0.2.0", admin: "", bans: {} },
  };
}

/** Starts an etcd for the tests of a suite, which ends with it. */
export function suiteEtcd(options?: EtcdOptions): () => EtcdCluster {
  let etcd: EtcdCluster | undefined;
  before(async () => void (etcd = await startEtcd(options)));
  after(() => etcd?.stop());
  return () => etcd as EtcdCluster;
}
