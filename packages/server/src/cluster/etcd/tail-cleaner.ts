/**
 * Removes rows from the store that enough nodes hold, and compacts in the same step: a watch shows what was removed
 * until it is compacted, and removal alone frees nothing. One node does it at a time; two would do no harm.
 */
import type { Clock } from "../../platform/world/port.ts";
import { CallFailed } from "./failure.ts";
import type { EpochKeys } from "./keys.ts";
import type { EtcdLimits } from "./limits.ts";
import type { Members } from "./members.ts";
import { numberOf, type RequestOp } from "./protocol.ts";
import type { StoreView } from "./store-view.ts";
import type { Tail, TailRow } from "./tail.ts";
import { type SeenNode, trimBound } from "./trim-bound.ts";

/** etcd takes 128 operations a transaction; one is for the record of what was removed. */
const REMOVED_AT_ONCE = 120;
/** While no rows are removed, so many revisions are kept before they are compacted. */
const IDLE_REVISIONS = 500;

export interface TailCleanerOptions {
  readonly members: Members;
  readonly keys: EpochKeys;
  readonly epoch: string;
  readonly tail: Tail;
  readonly mirrors: number;
  readonly limits: EtcdLimits;
  readonly world: Pick<Clock, "steadyMs">;
}

export class TailCleaner {
  readonly #options: TailCleanerOptions;
  /** When each node's position changed last. */
  readonly #changes = new Map<string, { readonly revision: number; readonly ms: number }>();
  #compacted = 0;
  /** Whether rows were removed since the store was last compacted. */
  #hasRemoved = false;

  constructor(options: TailCleanerOptions) {
    this.#options = options;
  }

  /** Looks who lives: to be told of each view, also by nodes that do not clean now. */
  observe({ positions }: StoreView): readonly SeenNode[] {
    const { world, limits, epoch } = this.#options;
    const nowMs = world.steadyMs();
    return positions.map(({ position: { node, place }, revision }) => {
      const before = this.#changes.get(node);
      // A node whose report has never been seen to change is not known to live.
      if (before?.revision !== revision)
        this.#changes.set(node, { revision, ms: before === undefined ? nowMs - limits.liveMs : nowMs });
      const silentMs = nowMs - (this.#changes.get(node)?.ms ?? 0);
      return { node, number: place.epoch === epoch ? place.number : 0, silentMs };
    });
  }

  /**
   * One step: returns how many rows it has removed. A store without space takes no positions, so nobody seems to live,
   * and it takes no record either. Rejects with `CallFailed`.
   */
  async clean(view: StoreView, nodes: readonly SeenNode[], hasSpace = true): Promise<number> {
    const { tail, world, mirrors } = this.#options;
    const { liveMs, awayPatienceMs, ...others } = this.#options.limits;
    const limits = { ...others, awayPatienceMs, liveMs: hasSpace ? liveMs : awayPatienceMs };
    if (!tail.reachesBack) await this.#learn();
    const nowMs = world.steadyMs();
    const { rows, trimmed, bytes: tailBytes } = tail;
    const bound = trimBound({ nodes, rows, trimmed, tailBytes, nowMs, mirrors, limits });
    const removed = tail.upTo(bound);
    for (let at = 0; at < removed.length; at += REMOVED_AT_ONCE) {
      await this.#remove(removed.slice(at, at + REMOVED_AT_ONCE), hasSpace);
    }
    const highest = this.#mayCompact(view, hasSpace);
    this.#hasRemoved ||= removed.length > 0;
    const isDue = this.#hasRemoved || highest - this.#compacted > IDLE_REVISIONS || !hasSpace;
    // Rows that have not come here yet keep their history. The store frees the space at once only if it is asked to.
    if (isDue && tail.reachesBack) await this.#compact(highest, !hasSpace);
    return removed.length;
  }

  /**
   * Up to which revision. It is one of a key that is still there: members before 3.4.32 may forget revisions that a
   * compaction left empty. Only a store without space that was compacted so far before is compacted to its end: it takes
   * no key, so what was removed last would hold the space for good.
   */
  #mayCompact({ liveRevision, revision }: StoreView, hasSpace: boolean): number {
    const first = this.#options.tail.rows[0]?.revision ?? Number.POSITIVE_INFINITY;
    const highest = Math.min(liveRevision, first - 1);
    return hasSpace || highest > this.#compacted ? highest : Math.min(revision, first - 1);
  }

  async #remove(rows: readonly TailRow[], hasSpace: boolean): Promise<void> {
    const { members, keys, tail } = this.#options;
    const last = rows.at(-1)!;
    // Rows are removed by key: a range might include a batch that is on its way now.
    const removals: RequestOp[] = rows.map(({ id }) => ({ deleteRange: { key: keys.batch(id) } }));
    const record = { put: { key: keys.trimmed, value: Buffer.from(String(last.number)) } };
    await members.call("KV/Txn", { compare: [], success: hasSpace ? [...removals, record] : removals });
    tail.observe(last.number, last.number);
  }

  async #compact(revision: number, physical: boolean): Promise<void> {
    if (revision <= this.#compacted) return;
    try {
      await this.#options.members.call("KV/Compact", { revision, physical });
    } catch (error) {
      if (!(error instanceof CallFailed && error.message.includes("has been compacted"))) throw error;
    }
    this.#compacted = revision;
    this.#hasRemoved = false;
  }

  /** Rows that were there before this node followed the log. */
  async #learn(): Promise<void> {
    const { members, keys, tail, world } = this.#options;
    const list = { ...keys.batches, keysOnly: true, sortOrder: "ASCEND", sortTarget: "MOD" } as const;
    const { responses } = await members.call("KV/Txn", {
      compare: [],
      success: [{ range: { key: keys.counter } }, { range: list }],
    });
    const [counter, batches = []] = responses.map(({ range }) => range?.kvs ?? []);
    const last = counter?.[0] === undefined ? 0 : numberOf(counter[0].version);
    const before = last - batches.length;
    const [sinceMs, bytes] = [world.steadyMs(), Math.round(tail.meanBytes)];
    const rows = batches.map(({ key, modRevision }, at): TailRow => {
      const id = keys.idOf(key) ?? "";
      const node = id.slice(0, id.indexOf("/"));
      return { number: before + at + 1, revision: numberOf(modRevision), id, node, bytes, sinceMs };
    });
    tail.learn(rows);
    tail.observe(before, last);
  }
}
