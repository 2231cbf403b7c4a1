/** What nodes share, kept by etcd. */
import type { ClusterStore, Epoch, Lease, NodePosition } from "../cluster/port.ts";
import type { Following, LogPlace, LooseBatch } from "../journal/port.ts";
import type { World } from "../world/port.ts";
import { type Counters, newCounters } from "./counters.ts";
import { EtcdFollowing, startOf } from "./etcd-following.ts";
import type { EtcdLimits } from "./limits.ts";
import type { Members } from "./members.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { numberOf } from "./protocol.ts";
import { Submitter } from "./submitter.ts";

export interface EtcdStoreParts {
  readonly members: Members;
  readonly limits: EtcdLimits;
  readonly world: World;
  readonly epoch: OpenEpoch;
  readonly node: string;
}

export class EtcdStore implements ClusterStore {
  readonly counters: Counters = newCounters();
  readonly epoch: Epoch;
  readonly #parts: EtcdStoreParts;
  readonly #submitter: Submitter;
  readonly #followings = new Set<EtcdFollowing>();

  constructor(parts: EtcdStoreParts) {
    this.#parts = parts;
    this.epoch = parts.epoch.record;
    this.#submitter = new Submitter({ ...parts, keys: parts.epoch.keys, counters: this.counters });
  }

  submit(batch: LooseBatch): Promise<void> {
    return this.#submitter.submit(batch);
  }

  follow(place: LogPlace | null): Following {
    const following = new EtcdFollowing({
      ...this.#parts,
      from: startOf(this.#parts.epoch, place),
      counters: this.counters,
      onRow: ({ id }) => this.#submitter.onSeen(id),
    });
    this.#followings.add(following);
    void following.ended.then(() => this.#followings.delete(following));
    return following;
  }

  async announce(position: NodePosition): Promise<void> {
    const { members, epoch } = this.#parts;
    const put = { key: epoch.keys.position(position.node), value: Buffer.from(JSON.stringify(position)) };
    await members.call("KV/Txn", { compare: [], success: [{ put }] });
  }

  async positions(): Promise<readonly NodePosition[]> {
    const { members, epoch } = this.#parts;
    const { kvs } = await members.call("KV/Range", epoch.keys.positions);
    return kvs.map(({ value }) => JSON.parse(value.toString("utf8")) as NodePosition);
  }

  async lastNumber(): Promise<number> {
    const { members, epoch } = this.#parts;
    const { kvs } = await members.call("KV/Range", { key: epoch.keys.counter });
    return kvs[0] === undefined ? 0 : numberOf(kvs[0].version);
  }

  async lease(role: string): Promise<Lease | undefined> {
    const { members, epoch, world } = this.#parts;
    const key = epoch.keys.role(role);
    const { id } = await members.call("Lease/LeaseGrant", { ttl: 6 });
    const { succeeded } = await members.call("KV/Txn", {
      compare: [{ result: "EQUAL", target: "CREATE", key, createRevision: 0 }],
      success: [{ put: { key, value: Buffer.from(this.#parts.node), lease: id } }],
    });
    if (!succeeded) {
      await members.call("Lease/LeaseRevoke", { id });
      return undefined;
    }
    void world;
    return {
      isHeld: true,
      onLost: () => {},
      release: async () => void (await members.call("Lease/LeaseRevoke", { id })),
    };
  }

  async close(): Promise<void> {
    this.#submitter.close();
    for (const following of this.#followings) following.close();
    await Promise.all([...this.#followings].map(({ ended }) => ended));
    this.#parts.members.close();
  }
}
