/** What nodes share, kept by etcd. */
import { type ClusterStore, type Epoch, type Lease, type NodePosition, StoreUnfit } from "../port.ts";
import { type Following, JournalRefused, type LogPlace, type LogRow, type LooseBatch } from "../../journal/port.ts";
import type { World } from "../../platform/world/port.ts";
import type { Counters } from "./counters.ts";
import { EtcdFollowing, startOf } from "./etcd-following.ts";
import { isRowAt } from "./is-row-at.ts";
import { Leases } from "./leases.ts";
import type { EtcdLimits } from "./limits.ts";
import type { EtcdAccess, Members } from "./members.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { OwnPosition } from "./own-position.ts";
import { numberOf } from "./protocol.ts";
import { SharedRead } from "./shared-read.ts";
import { viewStore } from "./store-view.ts";
import { Submitter } from "./submitter.ts";
import { Tail } from "./tail.ts";
import { Upkeep } from "./upkeep.ts";

export interface EtcdStoreParts {
  readonly access: EtcdAccess;
  readonly members: Members;
  readonly limits: EtcdLimits;
  readonly world: World;
  readonly epoch: OpenEpoch;
  readonly node: string;
  readonly counters: Counters;
  /** Null: this node never removes rows. */
  readonly mirrors: number | null;
  readonly onWarning: (line: string) => void;
}

export class EtcdStore implements ClusterStore {
  readonly epoch: Epoch;
  readonly counters: Counters;
  readonly tail: Pick<Tail, "count" | "bytes" | "trimmed">;
  readonly #tail: Tail;
  readonly #parts: EtcdStoreParts;
  readonly #submitter: Submitter;
  readonly #leases: Leases;
  readonly #upkeep: Upkeep | undefined;
  readonly #position: OwnPosition;
  readonly #lastNumber: SharedRead<number>;
  readonly #followings = new Set<EtcdFollowing>();

  constructor(parts: EtcdStoreParts) {
    const { members, epoch, limits, mirrors } = parts;
    const { keys } = epoch;
    this.#parts = parts;
    this.epoch = epoch.record;
    this.counters = parts.counters;
    this.tail = this.#tail = new Tail(limits);
    this.#submitter = new Submitter({ ...parts, keys });
    this.#leases = new Leases(parts, keys);
    this.#position = new OwnPosition(members, keys);
    this.#lastNumber = new SharedRead(() => this.#readLastNumber());
    if (mirrors !== null) {
      const lease = (role: string): Promise<Lease | undefined> => this.#leases.take(role);
      this.#upkeep = new Upkeep({ ...parts, keys, epoch: this.epoch.epoch, tail: this.#tail, mirrors, lease });
    }
  }

  /** What an operator should see to: old members, members that do not answer, a full store. */
  get warnings(): readonly string[] {
    return this.#upkeep?.warnings ?? [];
  }

  /** Why batches are refused for now; null when they are taken. */
  get whyFull(): string | null {
    return this.#upkeep?.whyFull ?? null;
  }

  async submit(batch: LooseBatch): Promise<void> {
    const { whyFull } = this;
    if (whyFull !== null) throw new JournalRefused(whyFull);
    await this.#submitter.submit(batch);
  }

  follow(place: LogPlace | null): Following {
    const following = new EtcdFollowing({
      ...this.#parts,
      from: startOf(this.#parts.epoch, place),
      onRow: (row) => this.#see(row),
    });
    this.#followings.add(following);
    void following.ended.then(() => this.#followings.delete(following));
    return following;
  }

  /** Whether the batch is at the place, which is of this epoch; undefined when the store does not remember that. */
  isAt(place: LogPlace, batchId: string): Promise<boolean | undefined> {
    const { members, epoch } = this.#parts;
    return isRowAt(members, epoch.keys, place, batchId);
  }

  /** When it rejects with `StoreUnfit`, those who follow are told the same. */
  async announce(position: NodePosition): Promise<void> {
    try {
      await this.#position.tell(position);
    } catch (error) {
      if (error instanceof StoreUnfit) {
        for (const following of this.#followings) following.fail(error);
      }
      throw error;
    }
  }

  async positions(): Promise<readonly NodePosition[]> {
    const { members, epoch, limits } = this.#parts;
    const { positions } = await viewStore(members, epoch.keys, limits.readPatienceMs);
    return positions.map(({ position }) => position);
  }

  lastNumber(): Promise<number> {
    return this.#lastNumber.read();
  }

  lease(role: string): Promise<Lease | undefined> {
    return this.#leases.take(role);
  }

  async close(): Promise<void> {
    this.#submitter.close();
    for (const following of this.#followings) following.close();
    await this.#upkeep?.close();
    await this.#leases.close();
    await Promise.all([...this.#followings].map(({ ended }) => ended));
    this.#parts.members.close();
  }

  #see(row: LogRow): void {
    this.#submitter.onSeen(row.id);
    this.#tail.add(row, this.#parts.world.steadyMs());
  }

  async #readLastNumber(): Promise<number> {
    const { members, epoch, limits, counters } = this.#parts;
    const { kvs } = await members.call("KV/Range", { key: epoch.keys.counter }, limits.readPatienceMs);
    const last = kvs[0] === undefined ? 0 : numberOf(kvs[0].version);
    counters.lastKnown = Math.max(counters.lastKnown, last);
    return last;
  }
}
