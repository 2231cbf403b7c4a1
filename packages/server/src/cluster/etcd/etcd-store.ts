/** The shared store of a cluster in etcd, as accessed by one node. */
import { createHash } from "node:crypto";
import { type ClusterStore, type Epoch, type Lease, type NodePosition, StoreUnfit } from "../port.ts";
import { isRowAt, wentBack } from "./rows.ts";
import { type EpochKeys, openEpoch, type StoreParts, viewStore } from "./epoch.ts";
import { type EtcdAccess, Members } from "./members.ts";
import { type KeyValue, numberOf } from "./protocol.ts";
import { type Following, JournalRefused, type LogPlace, type LogRow, type LooseBatch } from "../../journal/port.ts";
import type { World } from "../../platform/world/port.ts";
import { type Counters, ETCD_LIMITS, type EtcdLimits, newCounters } from "./endpoint.ts";
import { EtcdFollowing, startOf } from "./following.ts";
import { Leases } from "./leases.ts";
import { Submitter } from "./submitter.ts";
import { Tail } from "./tail.ts";
import { Upkeep } from "./upkeep.ts";

/** Combines concurrent reads: one read is in progress at a time, and calls made meanwhile share the next one. */
export class SharedRead<Answer> {
  readonly #ask: () => Promise<Answer>;
  #underWay: Promise<Answer> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  /** Resolves to the state at some time after this call. */
  read(): Promise<Answer> {
    if (this.#underWay === undefined) return this.#start();
    this.#next ??= this.#underWay.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<Answer> {
    this.#next = undefined;
    const asked = this.#ask().finally(() => (this.#underWay = undefined));
    this.#underWay = asked;
    return asked;
  }
}

// A node's position overwrites only the value that the node wrote last. If that value is missing, the store was
// restored from a backup, or another process uses the node's name.

class OwnPosition {
  readonly #members: Members;
  readonly #keys: EpochKeys;
  /** The revision of this process's last write; undefined before the first one. */
  #revision: number | undefined;
  /** Digests of later attempts with unknown outcomes. There may be many while the store accepts no writes. */
  readonly #open = new Set<string>();

  constructor(members: Members, keys: EpochKeys) {
    this.#members = members;
    this.#keys = keys;
  }

  /**
   * Publishes the position. Only one call at a time. Rejects with `CallFailed` if no member answers, and with
   * `StoreUnfit` if the last written value is missing.
   */
  async tell(position: NodePosition): Promise<void> {
    const key = this.#keys.position(position.node);
    const value = Buffer.from(JSON.stringify(position));
    this.#revision ??= await this.#read(key);
    for (;;) {
      this.#open.add(digestOf(value));
      const { succeeded, header, responses } = await this.#members.call("KV/Txn", {
        compare: [{ result: "EQUAL", target: "MOD", key, modRevision: this.#revision }],
        success: [{ put: { key, value } }],
        failure: [{ range: { key } }],
      });
      if (succeeded) {
        this.#revision = numberOf(header.revision);
        this.#open.clear();
        return;
      }
      const found = responses[0]?.range?.kvs[0];
      this.#revision = this.#ownRevision(position, found);
      if (found?.value.equals(value) === true) return;
    }
  }

  async #read(key: Buffer): Promise<number> {
    const { kvs } = await this.#members.call("KV/Range", { key });
    return kvs[0] === undefined ? 0 : numberOf(kvs[0].modRevision);
  }

  /**
   * The revision of an attempt that succeeded but whose response was lost. Throws `StoreUnfit` if the value is not
   * ours.
   */
  #ownRevision(position: NodePosition, found: KeyValue | undefined): number {
    if (found !== undefined && this.#open.has(digestOf(found.value))) return numberOf(found.modRevision);
    const by = found === undefined ? undefined : (JSON.parse(found.value.toString("utf8")) as NodePosition);
    if (by !== undefined && by.incarnation !== position.incarnation)
      throw new StoreUnfit(
        `another node of the cluster is running with the name ${position.node}. Give each node a unique name`,
      );
    throw new StoreUnfit(wentBack(`the position of ${position.node} is not the one that it published`));
  }
}

function digestOf(value: Buffer): string {
  return createHash("sha256").update(value).digest("base64");
}

export interface EtcdStoreParts extends StoreParts {
  readonly access: EtcdAccess;
  readonly node: string;
  /** Null if this node never removes batches. */
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

  /** Warnings for the operator: old members, members that do not answer, a full store. */
  get warnings(): readonly string[] {
    return this.#upkeep?.warnings ?? [];
  }

  /** Why batches are currently rejected; null if they are accepted. */
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

  /**
   * Whether the batch is at this position of the current epoch. Resolves to undefined if the store has compacted it.
   */
  isAt(place: LogPlace, batchId: string): Promise<boolean | undefined> {
    const { members, epoch } = this.#parts;
    return isRowAt(members, epoch.keys, place, batchId);
  }

  /**
   * Publishes the node's position. If it rejects with `StoreUnfit`, all readers of the log fail with the same error.
   */
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

export interface EtcdStoreOptions {
  readonly access: EtcdAccess;
  /** The prefix of all keys of this exchange without the slash, such as `pt`. */
  readonly prefix: string;
  /** The name of this node. */
  readonly node: string;
  /** The epoch that a node with an empty journal starts if the store has none; undefined to start none. */
  readonly first: Epoch | undefined;
  readonly world: World;
  /** Number of live nodes that must have a batch before it is removed; null if this node removes no batches. */
  readonly mirrors: number | null;
  /** Called with each warning for the operator when it first occurs. */
  readonly onWarning?: (line: string) => void;
  readonly limits?: Partial<EtcdLimits>;
}

/** Opens the store. Rejects with `StoreUnfit`, or with `CallFailed` if no member answers. */
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
