/** Nodes that take batches of a store and publish their positions, and the content of the store. */
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EtcdCluster, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import type { EtcdStore, EtcdStoreOptions } from "../../../src/cluster/etcd/etcd-store.ts";
import type { EtcdLimits } from "../../../src/cluster/etcd/endpoint.ts";
import type { Following, LogPlace } from "../../../src/journal/port.ts";
import { openStore, positionOf } from "./rig.ts";

export const QUICK: Partial<EtcdLimits> = {
  lookMs: 100,
  cleanMs: 150,
  liveMs: 1_500,
  membersMs: 300,
  reliefMs: 500,
  retryMs: 20,
};

export async function cluster(t: TestContext, flags: readonly string[] = []): Promise<EtcdCluster> {
  const etcd = await startEtcd({ flags });
  inTheEnd(t, () => etcd.stop());
  return etcd;
}

/** A node that takes batches, and publishes its position while it is live. */
export class Mirror {
  readonly #following: Following;
  readonly #ended: Promise<void>;
  readonly store: EtcdStore;
  place: LogPlace;
  isStopped = false;
  /** Takes no more batches, and publishes that. */
  isStuck = false;

  constructor(store: EtcdStore, node: string) {
    this.store = store;
    this.place = { epoch: store.epoch.epoch, number: 0, revision: 0 };
    this.#following = store.follow(null);
    this.#ended = Promise.all([this.#take(), this.#tell(node)]).then(() => {});
  }

  stop(): Promise<void> {
    this.isStopped = true;
    this.#following.close();
    return this.#ended;
  }

  async #take(): Promise<void> {
    for (let row = await this.#following.next(); row !== undefined; row = await this.#following.next()) {
      while (this.isStuck && !this.isStopped) await sleep(10);
      if (!this.isStuck) this.place = row.place;
    }
  }

  async #tell(node: string): Promise<void> {
    for (let clockMs = 0; !this.isStopped; clockMs++) {
      await this.store.announce(positionOf(node, this.place, clockMs)).catch(() => {});
      await sleep(100);
    }
  }
}

export async function mirrorsOf(
  t: TestContext,
  etcd: EtcdCluster,
  prefix: string,
  options: Partial<EtcdStoreOptions>,
): Promise<readonly Mirror[]> {
  const nodes = ["n1", "n2", "n3"];
  const stores = await Promise.all(
    nodes.map((node) =>
      openStore(t, etcd.endpoints, prefix, { mirrors: 2, ...options, node, limits: { ...QUICK, ...options.limits } }),
    ),
  );
  const mirrors = stores.map((store, at) => new Mirror(store, nodes[at]!));
  inTheEnd(t, () => Promise.all(mirrors.map((mirror) => mirror.stop())));
  return mirrors;
}

export const rowsIn = async (etcd: EtcdCluster, prefix: string): Promise<number> => {
  const [key, end] = [`${prefix}/`, `${prefix}0`].map((text) => Buffer.from(text).toString("base64"));
  const answer = await etcd.members[0]!.ask("kv/range", { key, range_end: end, keys_only: true });
  const keys = ((answer["kvs"] ?? []) as { key: string }[]).map((kv) => Buffer.from(kv.key, "base64").toString());
  return keys.filter((name) => name.includes("/b/")).length;
};

/** Bytes in use, including history. */
export const bytesIn = async (etcd: EtcdCluster): Promise<number> =>
  Number((await etcd.members[0]!.ask("maintenance/status", {}))["dbSizeInUse"]);
