/**
 * Maintenance of the store by a node: reads the positions of all nodes, removes batches, and monitors the members'
 * state and space.
 */
import { CallFailed, type Endpoint, type EtcdLimits } from "./endpoint.ts";
import type { Members } from "./members.ts";
import { numberOf, type RequestOp } from "./protocol.ts";
import { type EpochKeys, type StoreParts, type StoreView, viewStore } from "./epoch.ts";
import { type SeenNode, type Tail, type TailRow, trimBound } from "./tail.ts";
import type { Lease } from "../port.ts";
import { Occurrence } from "./submitter.ts";

interface MemberState {
  readonly endpoint: Endpoint;
  /** Undefined if the member did not answer. */
  readonly version: string | undefined;
  /** Size of the member's file, and the bytes of it in use. Removing keys does not shrink the file. */
  readonly fileBytes: number;
  readonly usedBytes: number;
  readonly leads: boolean;
}

async function statesOf(members: Members): Promise<readonly MemberState[]> {
  return Promise.all(members.endpoints.map((endpoint) => stateOf(members, endpoint)));
}

async function stateOf(members: Members, endpoint: Endpoint): Promise<MemberState> {
  try {
    const { version, dbSize, dbSizeInUse, leader, header } = await members.callAt(endpoint, "Maintenance/Status", {});
    const [fileBytes, usedBytes] = [numberOf(dbSize), numberOf(dbSizeInUse)];
    return { endpoint, version, fileBytes, usedBytes, leads: leader === header.memberId };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return { endpoint, version: undefined, fileBytes: 0, usedBytes: 0, leads: false };
  }
}

/**
 * The first patch of each release line without known bugs in the features that the nodes rely on: watches, leases,
 * revisions, permissions.
 */
const SUPPORTED = new Map([
  ["3.5", 33],
  ["3.6", 14],
  ["3.7", 1],
]);
const OLDEST = [3, 5] as const;
const SUPPORTED_TEXT = "3.5.33, 3.6.14 or newer";

/** Warnings about unsupported versions and members that do not answer, one line each. */
function warningsOf(states: readonly MemberState[]): string[] {
  return states.flatMap(({ endpoint: { url }, version }) => {
    if (version === undefined) return [`etcd ${url} does not answer`];
    return isSupported(version)
      ? []
      : [`etcd ${url} runs ${version}, which has known faults; supported is ${SUPPORTED_TEXT}`];
  });
}

export function isSupported(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  const least = SUPPORTED.get(`${major}.${minor}`);
  if (least !== undefined) return patch >= least;
  return major > OLDEST[0] || (major === OLDEST[0] && minor > OLDEST[1]);
}

// Frees space in a full store, which accepts no writes even after batches were removed. After removal and compaction,
// the members' files are defragmented. The leader's file is last, because the leader stalls during that time. Then the
// alarm is cleared.

export interface Alarms {
  readonly noSpace: boolean;
  readonly corrupt: boolean;
}

async function alarmsOf(members: Members): Promise<Alarms> {
  const { alarms } = await members.call("Maintenance/Alarm", { action: "GET" });
  const has = (what: string): boolean => alarms.some(({ alarm }) => alarm === what);
  return { noSpace: has("NOSPACE"), corrupt: has("CORRUPT") };
}

/**
 * Defragments the members and clears the alarm. Batches must already be removed and compacted. Resolves to warnings for
 * the operator.
 */
async function relieve(
  members: Members,
  states: readonly MemberState[],
  limits: Pick<EtcdLimits, "defragmentMs">,
): Promise<string[]> {
  const troubles: string[] = [];
  const leaderLast = states.toSorted((a, b) => Number(a.leads) - Number(b.leads));
  for (const { endpoint } of leaderLast) {
    try {
      await members.callAt(endpoint, "Maintenance/Defragment", {}, limits.defragmentMs);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      troubles.push(`etcd could not make space: ${error.message}`);
    }
  }
  const { alarms } = await members.call("Maintenance/Alarm", { action: "GET" });
  for (const { memberId, alarm } of alarms) {
    if (alarm === "NOSPACE") await members.call("Maintenance/Alarm", { action: "DEACTIVATE", memberId, alarm });
  }
  return troubles;
}

// Removes batches that enough nodes have, and compacts in the same step. Until compaction, watches still return removed
// keys, and no space is freed. One node does this at a time; two would do no harm.

/** Number of batches removed per transaction. etcd accepts 128 operations, and one records the last removed batch. */
const REMOVED_AT_ONCE = 120;
/** While no batches are removed, the store is compacted after this many revisions. */
const IDLE_REVISIONS = 500;

class TailCleaner {
  readonly #options: UpkeepOptions;
  /** The time when each node's position last changed. */
  readonly #changes = new Map<string, { readonly revision: number; readonly ms: number }>();
  #compacted = 0;
  /** Whether batches were removed since the last compaction. */
  #hasRemoved = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /**
   * Determines which nodes are live. Must be called with each view, also by nodes that currently do not remove batches.
   */
  observe({ positions }: StoreView): readonly SeenNode[] {
    const { world, limits, epoch } = this.#options;
    const nowMs = world.steadyMs();
    return positions.map(({ position: { node, place }, revision }) => {
      const before = this.#changes.get(node);
      // A node is not considered live until its position has changed at least once.
      if (before?.revision !== revision)
        this.#changes.set(node, { revision, ms: before === undefined ? nowMs - limits.liveMs : nowMs });
      const silentMs = nowMs - (this.#changes.get(node)?.ms ?? 0);
      return { node, number: place.epoch === epoch ? place.number : 0, silentMs };
    });
  }

  /**
   * Runs one step and returns the number of removed batches. A store without space accepts neither positions, so that
   * no node appears to be live, nor the record of the removal. Rejects with `CallFailed`.
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
    // Batches that have not arrived here yet keep their history. The store frees space immediately only by a physical
    // compaction.
    if (isDue && tail.reachesBack) await this.#compact(highest, !hasSpace);
    return removed.length;
  }

  /**
   * The highest revision up to which to compact. It is that of an existing key, because members before 3.4.32 may lose
   * revisions that a compaction left empty. Only a store without space that was already compacted up to that revision
   * is compacted to its end, because it accepts no new key, and the last removed batches would occupy the space
   * forever.
   */
  #mayCompact({ liveRevision, revision }: StoreView, hasSpace: boolean): number {
    const first = this.#options.tail.rows[0]?.revision ?? Number.POSITIVE_INFINITY;
    const highest = Math.min(liveRevision, first - 1);
    return hasSpace || highest > this.#compacted ? highest : Math.min(revision, first - 1);
  }

  async #remove(rows: readonly TailRow[], hasSpace: boolean): Promise<void> {
    const { members, keys, tail } = this.#options;
    const last = rows.at(-1)!;
    // Remove by key, because a range might include a batch that is being written.
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

  /** Lists the batches that existed before this node followed the log. */
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

export interface UpkeepOptions extends Omit<StoreParts, "epoch"> {
  readonly keys: EpochKeys;
  readonly epoch: string;
  readonly node: string;
  readonly tail: Tail;
  readonly mirrors: number;
  readonly lease: (role: string) => Promise<Lease | undefined>;
  /** Called with each warning when it first occurs. */
  readonly onWarning: (line: string) => void;
}

/** The task of the node that removes batches. */
const TAIL_ROLE = "tail";

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #cleaner: TailCleaner;
  #lease: Lease | undefined;
  #cleanedMs = 0;
  #warnings: readonly string[] = [];
  /** The time since which the store has reported that it has no space. */
  #fullSinceMs: number | undefined;
  /** The largest number of bytes that a member has in use, while it exceeds the limit. */
  #usedBytes: number | undefined;
  #relievedMs = Number.NEGATIVE_INFINITY;
  readonly #closed = new Occurrence();
  readonly #running: Promise<unknown>;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#cleaner = new TailCleaner(options);
    const { lookMs, membersMs } = options.limits;
    this.#running = Promise.all([
      this.#repeat(lookMs, () => this.#look()),
      this.#repeat(membersMs, () => this.#askMembers()),
    ]);
  }

  /** Current warnings for the operator. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Why the store accepts no batches; null if it accepts them. */
  get whyFull(): string | null {
    const { tail, limits } = this.#options;
    if (this.#fullSinceMs !== undefined || tail.isFull) {
      return `the log holds ${tail.count} rows that nodes have not taken yet: no space for more`;
    }
    if (this.#usedBytes === undefined) return null;
    return `etcd has ${this.#usedBytes} bytes in use, and is to have ${limits.maxStoreBytes} at most: no space for more`;
  }

  async close(): Promise<void> {
    this.#closed.happen();
    await this.#running;
  }

  async #repeat(everyMs: number, task: () => Promise<void>): Promise<void> {
    const { world } = this.#options;
    while (!this.#closed.hasHappened) {
      try {
        await task();
      } catch (error) {
        // The step is retried later. Other code detects whether the store is reachable.
        if (!(error instanceof CallFailed)) this.#warn([`upkeep of the store: ${(error as Error).message}`]);
      }
      const due = Promise.withResolvers<void>();
      const cancel = world.after(everyMs, due.resolve);
      await this.#closed.or(due.promise);
      cancel();
    }
  }

  async #look(): Promise<void> {
    const { members, keys, tail, counters, limits, world } = this.#options;
    const view = await viewStore(members, keys, 0);
    tail.observe(view.trimmed, view.lastNumber);
    counters.lastKnown = Math.max(counters.lastKnown, view.lastNumber);
    const nodes = this.#cleaner.observe(view);
    if (world.steadyMs() - this.#cleanedMs < limits.cleanMs) return;
    this.#cleanedMs = world.steadyMs();
    if (this.#fullSinceMs !== undefined) return this.#relieve(view, nodes);
    if (this.#lease?.isHeld !== true) this.#lease = await this.#options.lease(TAIL_ROLE);
    if (this.#lease?.isHeld === true) counters.removed += await this.#cleaner.clean(view, nodes);
  }

  async #askMembers(): Promise<void> {
    const { members, counters, world } = this.#options;
    const states = await statesOf(members);
    counters.storeBytes = Math.max(...states.map(({ fileBytes }) => fileBytes));
    this.#weigh(states);
    const { noSpace, corrupt } = await alarmsOf(members);
    this.#fullSinceMs = noSpace ? (this.#fullSinceMs ?? world.steadyMs()) : undefined;
    const warnings = warningsOf(states);
    if (noSpace) warnings.push("etcd has no space left");
    if (corrupt) warnings.push("etcd has found its members to differ: replace the one that is wrong");
    this.#warn(warnings);
  }

  #weigh(states: readonly MemberState[]): void {
    const { maxStoreBytes, storeRoomShare } = this.#options.limits;
    if (states.every(({ version }) => version === undefined)) return;
    const bytes = Math.max(...states.map(({ usedBytes }) => usedBytes));
    const isMuch = bytes >= (this.#usedBytes === undefined ? maxStoreBytes : maxStoreBytes * storeRoomShare);
    this.#usedBytes = isMuch ? bytes : undefined;
  }

  /**
   * Frees space in a full store. The owner of the lease does this; if the store grants no lease, the nodes take turns.
   */
  async #relieve(view: StoreView, nodes: readonly SeenNode[]): Promise<void> {
    const { members, node, limits, world, counters } = this.#options;
    const rank = this.#lease?.isHeld === true ? 0 : 1 + nodes.filter((other) => other.node < node).length;
    const fullMs = world.steadyMs() - (this.#fullSinceMs ?? world.steadyMs());
    const isDue = world.steadyMs() - this.#relievedMs >= limits.reliefMs;
    if (!isDue || fullMs < rank * limits.membersMs) return;
    this.#relievedMs = world.steadyMs();
    counters.removed += await this.#cleaner.clean(view, nodes, false);
    const troubles = await relieve(members, await statesOf(members), limits);
    counters.reliefs++;
    await this.#askMembers();
    this.#warn([...this.#warnings, ...troubles]);
  }

  #warn(lines: readonly string[]): void {
    const known = this.#warnings;
    this.#warnings = lines;
    for (const line of lines) if (!known.includes(line)) this.#options.onWarning(line);
  }
}
