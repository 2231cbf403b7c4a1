/** What a node does for the store beside its own batches: looks how far all are, removes rows, and watches the members. */
import type { Lease } from "../port.ts";
import type { World } from "../../platform/world/port.ts";
import type { Counters } from "./counters.ts";
import { CallFailed } from "./failure.ts";
import type { EpochKeys } from "./keys.ts";
import type { EtcdLimits } from "./limits.ts";
import { type MemberState, statesOf, warningsOf } from "./member-states.ts";
import type { Members } from "./members.ts";
import { Occurrence } from "./occurrence.ts";
import { alarmsOf, relieve } from "./relief.ts";
import { viewStore, type StoreView } from "./store-view.ts";
import type { Tail } from "./tail.ts";
import { TailCleaner } from "./tail-cleaner.ts";
import type { SeenNode } from "./trim-bound.ts";

export interface UpkeepOptions {
  readonly members: Members;
  readonly keys: EpochKeys;
  readonly epoch: string;
  readonly node: string;
  readonly tail: Tail;
  readonly mirrors: number;
  readonly limits: EtcdLimits;
  readonly world: World;
  readonly counters: Counters;
  readonly lease: (role: string) => Promise<Lease | undefined>;
  /** Called with each warning when it first applies. */
  readonly onWarning: (line: string) => void;
}

/** The role of the node that removes rows. */
const TAIL_ROLE = "tail";

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #cleaner: TailCleaner;
  #lease: Lease | undefined;
  #cleanedMs = 0;
  #warnings: readonly string[] = [];
  /** Since when the store has said that it has no space. */
  #fullSinceMs: number | undefined;
  /** The most bytes that a member has in use, while these are too many. */
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

  /** Warnings for the operator that apply now. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Why the store takes nothing, or little more; null: it takes batches. */
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
        // Another time, perhaps: that the store cannot be reached is seen elsewhere.
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

  /** Relieves a full store. The lease's holder does it; if the store grants no lease, the nodes do it in turn. */
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
