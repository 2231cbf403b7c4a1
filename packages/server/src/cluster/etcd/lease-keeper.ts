/**
 * Acquires and renews leases. A lease is a key with the task's name, which the store removes if its owner does not
 * renew it. Runs on a separate thread, so that a busy node does not lose its leases.
 */
import type { World } from "../../platform/world/port.ts";
import { CallFailed, type EtcdLimits } from "./endpoint.ts";
import type { Members } from "./members.ts";
import { type Int64, numberOf } from "./protocol.ts";

export interface LeaseKeeperOptions {
  readonly members: Members;
  readonly limits: Pick<EtcdLimits, "leaseMs" | "callMs">;
  readonly world: World;
  /** Called once for each lease that has ended without being released. */
  readonly onLost: (id: Int64) => void;
}

interface Held {
  readonly id: Int64;
  readonly key: Buffer;
  /** Start time of the last successful renewal. */
  keptMs: number;
}

export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #held = new Map<Int64, Held>();
  readonly #stop: () => void;
  #isKeeping = false;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#stop = options.world.every(options.limits.leaseMs / 6, () => void this.#keepAll());
  }

  /** Acquires a lease. Resolves to its id; undefined if another node owns it. Rejects with `CallFailed`. */
  async take(key: Buffer, holder: string): Promise<Int64 | undefined> {
    const { members, limits, world } = this.#options;
    // Usually another node owns the lease, and then nothing is written.
    const { kvs } = await members.call("KV/Range", { key }, 0);
    if (kvs.length > 0) return undefined;
    const keptMs = world.steadyMs();
    const { id } = await members.call("Lease/LeaseGrant", { ttl: Math.ceil(limits.leaseMs / 1000) }, 0);
    try {
      const { succeeded } = await members.call("KV/Txn", {
        compare: [{ result: "EQUAL", target: "CREATE", key, createRevision: 0 }],
        success: [{ put: { key, value: Buffer.from(holder), lease: id } }],
        failure: [{ range: { key } }],
      });
      // An earlier attempt whose response was lost may have created the key; `#isThere` checks that.
      this.#held.set(id, { id, key, keptMs });
      if (succeeded || (await this.#isThere({ id, key }))) return id;
      await this.release(id);
      return undefined;
    } catch (error) {
      await this.release(id).catch(() => {});
      throw error;
    }
  }

  /** Releases the lease. If the store cannot be reached, the lease expires. */
  async release(id: Int64): Promise<void> {
    this.#held.delete(id);
    await this.#options.members.call("Lease/LeaseRevoke", { id }, 0);
  }

  async close(): Promise<void> {
    this.#stop();
    await Promise.all([...this.#held.keys()].map((id) => this.release(id).catch(() => {})));
  }

  async #keepAll(): Promise<void> {
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    await Promise.all([...this.#held.values()].map((held) => this.#keep(held)));
    this.#isKeeping = false;
  }

  async #keep(held: Held): Promise<void> {
    const { members, limits, world } = this.#options;
    const askedMs = world.steadyMs();
    // A lease that was not renewed in time counts as ended, regardless of what the store reports.
    if (askedMs - held.keptMs >= limits.leaseMs) return this.#lose(held);
    const endpoint = members.current;
    try {
      const { ttl } = await members.exchange("Lease/LeaseKeepAlive", { id: held.id });
      if (numberOf(ttl) <= 0) return this.#lose(held);
      // Members before 3.4.38 also confirm leases that were revoked, so check the key.
      if (!(await this.#isThere(held))) return this.#lose(held);
      held.keptMs = askedMs;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      members.turnFrom(endpoint);
    }
  }

  async #isThere({ id, key }: Pick<Held, "id" | "key">): Promise<boolean> {
    const { kvs } = await this.#options.members.attempt("KV/Range", { key });
    return kvs[0]?.lease === id;
  }

  #lose({ id }: Held): void {
    if (this.#held.delete(id)) this.#options.onLost(id);
  }
}
