/**
 * The store that the nodes of a simulated cluster share, and each node's connection to it. It guarantees exactly what
 * the port promises: a submitted batch may arrive late, or arrive although its acknowledgment was lost; the connection
 * may be cut, the store without a leader, a watch without events for a while; rows that enough nodes hold are removed.
 * It may also be restored to an older copy: then it reports that where the port promises it, and no data of the copy
 * counts until the current one is restored.
 */
import { type LogPlace, type LogRow, LogTrimmed, type LooseBatch } from "@pricetime/server/data-folder";
import { type ClusterStore, type Epoch, type Lease, type NodePosition, StoreUnfit } from "@pricetime/server/parts";
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";

const EPOCH: Epoch = {
  epoch: "00000000000000e1",
  baseSeq: 0,
  baseChainHash: "0".repeat(64),
  priorEpoch: "",
};
const LONGEST_STEP_MS = 12;
const CALL_PATIENCE_MS = 1_500;
const LEASE_MS = 6_000;

interface LeaseRecord {
  readonly holder: object;
  untilMs: number;
}

/** The places where planted bugs are inserted. */
export interface StoreSeams {
  /** The ID under which a batch is retried. */
  retryId(id: string, attempt: number): string;
  /** The rows that a connection delivers, of all that exist. */
  follow(next: () => Promise<LogRow | undefined>): () => Promise<LogRow | undefined>;
  /** The row after which a watch begins. */
  resumeAfter(number: number): number;
  /** The last row to remove. `mirrored` is the last row that enough nodes hold. */
  trimTo(bound: number, mirrored: number, last: number): number;
  /** Whether a watch without events is detected and restarted. */
  readonly noticesSilence: boolean;
  /** Whether a connection checks that the store still contains what the node has seen of it. */
  readonly noticesOldCopies: boolean;
}

export const SOUND_STORE: StoreSeams = {
  retryId: (id) => id,
  follow: (next) => next,
  resumeAfter: (number) => number,
  trimTo: (bound) => bound,
  noticesSilence: true,
  noticesOldCopies: true,
};

/** The contents of the store at one time. */
export interface StoreCopy {
  readonly rows: readonly LogRow[];
  readonly trimmed: number;
  readonly positions: ReadonlyMap<string, NodePosition>;
}

export class SimStore {
  /** All rows ever appended; those up to `trimmed` are removed. */
  readonly rows: LogRow[] = [];
  readonly positions = new Map<string, NodePosition>();
  readonly leases = new Map<string, LeaseRecord>();
  readonly schedule: Schedule;
  readonly seams: StoreSeams;
  /** Called with each row when it is appended. */
  onRow: (row: LogRow) => void = () => {};
  trimmed = 0;
  /** There is no leader until then, and no call is answered. */
  leaderlessUntilMs = 0;
  /** How many times it was replaced by a copy. Watchers compare it to detect a replacement. */
  replacements = 0;
  /** The contents before the copy was restored; undefined if they are current. */
  #right: StoreCopy | undefined;
  readonly #ids = new Set<string>();
  readonly #followers = new Set<() => void>();

  constructor(schedule: Schedule, seams: StoreSeams) {
    this.schedule = schedule;
    this.seams = seams;
  }

  get hasLeader(): boolean {
    return this.schedule.nowMs >= this.leaderlessUntilMs;
  }

  /** Appends once per ID, however often it is submitted, as long as the row is there. */
  add({ id, count, timeMs, node, bytes }: LooseBatch): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    const number = this.rows.length + 1;
    // A revision counts all writes, so another history of the store has other revisions.
    const revision = 10 + 3 * number + (this.isOldCopy ? 1 : 0);
    const place: LogPlace = { epoch: EPOCH.epoch, number, revision };
    const row: LogRow = { id, count, timeMs, node, bytes: bytes.slice(), place };
    this.rows.push(row);
    if (!this.isOldCopy) this.onRow(row);
    for (const wake of this.#followers) wake();
  }

  /** A batch that is submitted again under the ID of a removed row is appended again. */
  trim(number: number): void {
    for (const { id } of this.rows.slice(this.trimmed, number)) this.#ids.delete(id);
    this.trimmed = Math.max(this.trimmed, number);
    for (const wake of this.#followers) wake();
  }

  get isOldCopy(): boolean {
    return this.#right !== undefined;
  }

  copy(): StoreCopy {
    return { rows: [...this.rows], trimmed: this.trimmed, positions: new Map(this.positions) };
  }

  /** Restores a copy: everything written since is lost. */
  goBack(to: StoreCopy): void {
    this.#right = this.copy();
    this.#replace(to);
  }

  /** An operator has restored the current contents. Writes made meanwhile are in no log. */
  comeBack(): void {
    if (this.#right === undefined) return;
    const right = this.#right;
    this.#right = undefined;
    this.#replace(right);
  }

  #replace({ rows, trimmed, positions }: StoreCopy): void {
    this.rows.splice(0, Number.POSITIVE_INFINITY, ...rows);
    this.trimmed = trimmed;
    this.#ids.clear();
    for (const { id } of rows.slice(trimmed)) this.#ids.add(id);
    this.positions.clear();
    for (const [node, position] of positions) this.positions.set(node, position);
    this.leases.clear();
    this.replacements++;
    this.wakeAll();
  }

  onAdded(wake: () => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }

  wakeAll(): void {
    for (const wake of this.#followers) wake();
  }
}

export interface LineOptions {
  readonly store: SimStore;
  readonly life: Life;
  readonly dice: Dice;
  /** Called with each batch before anything of it is sent. */
  readonly onSubmit: (batch: LooseBatch) => void;
  readonly onTrimmed: () => void;
  /** Called when the node learns from a response that the store is an older copy. */
  readonly onWentBack: () => void;
}

/** One process's connection to the store. */
export class StoreLine implements ClusterStore {
  readonly epoch = EPOCH;
  /** Batches that are retried until they are known to be appended. */
  readonly underWay = new Set<string>();
  readonly #options: LineOptions;
  isCut = false;
  /** Called with each batch that is known to be in the log. */
  onAcknowledged: (batch: LooseBatch) => void = () => {};
  /** The watch delivers no events until then. */
  silentUntilMs = 0;
  /** The node's last reported position, and the last row that it has seen. */
  #reported: NodePosition | undefined;
  #seenNumber = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  async submit(batch: LooseBatch): Promise<void> {
    const { store, dice, onSubmit } = this.#options;
    onSubmit(batch);
    this.underWay.add(batch.id);
    for (let attempt = 0; ; attempt++) {
      const offered = { ...batch, id: store.seams.retryId(batch.id, attempt) };
      const isLost = !this.#isUp || dice.oneIn(15);
      const isAnswerLost = dice.oneIn(15);
      await this.#pause();
      if (!isLost && store.hasLeader) {
        // A batch that was sent arrives, whatever happens to its sender.
        store.schedule.after(this.#stepMs(), () => store.add(offered));
        await this.#pause(2 * LONGEST_STEP_MS);
        if (!isAnswerLost && this.#isUp) break;
      } else if (dice.oneIn(3)) {
        // The batch arrives in spite of the error, and late.
        store.schedule.after(dice.below(4_000), () => store.add(offered));
      }
      await this.#pause(50 + dice.below(400));
    }
    this.underWay.delete(batch.id);
    this.onAcknowledged(batch);
  }

  follow(place: LogPlace | null): ReturnType<ClusterStore["follow"]> {
    const { store, life } = this.#options;
    let at = store.seams.resumeAfter(place?.number ?? 0);
    let reached = place;
    let comparedWith = -1;
    this.#seenNumber = Math.max(this.#seenNumber, at);
    let isClosed = false;
    let wake = (): void => {};
    const stop = store.onAdded(() => wake());
    const next = async (): Promise<LogRow | undefined> => {
      for (;;) {
        if (isClosed) return undefined;
        if (this.#hears && comparedWith !== store.replacements) {
          comparedWith = store.replacements;
          this.#compare(reached);
        }
        if (this.#hears && at < store.trimmed) {
          this.#options.onTrimmed();
          throw new LogTrimmed(`the rows to ${store.trimmed} are gone`);
        }
        const row = this.#hears ? store.rows[at] : undefined;
        if (row !== undefined) {
          reached = row.place;
          this.#seenNumber = Math.max(this.#seenNumber, ++at);
          return row;
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = () => void store.schedule.after(this.#stepMs(), resolve, life);
        // If no event arrives, it checks again after a while.
        const stopLooking = store.schedule.after(400, resolve, life);
        await promise;
        stopLooking();
      }
    };
    return {
      next: store.seams.follow(next),
      close: () => {
        isClosed = true;
        stop();
        wake();
      },
    };
  }

  announce(position: NodePosition): Promise<void> {
    const { positions } = this.#options.store;
    return this.#call(() => {
      if (this.#reported !== undefined && positions.get(position.node) !== this.#reported) {
        this.#wentBack(`the position of ${position.node} is not the one that it has told`);
      }
      positions.set(position.node, position);
      this.#reported = position;
    });
  }

  positions(): Promise<readonly NodePosition[]> {
    return this.#call(() => [...this.#options.store.positions.values()]);
  }

  lastNumber(): Promise<number> {
    const { store, onWentBack } = this.#options;
    return this.#call(() => {
      const { length } = store.rows;
      if (length >= this.#seenNumber) return length;
      if (!store.seams.noticesOldCopies) return this.#seenNumber;
      // The node itself must detect this.
      onWentBack();
      return length;
    });
  }

  lease(role: string): Promise<Lease | undefined> {
    return this.#call(() => this.#lease(role));
  }

  async close(): Promise<void> {}

  /** Throws if the store does not contain the row that the node has reached. */
  #compare(reached: LogPlace | null): void {
    if (reached === null) return;
    const { rows } = this.#options.store;
    if (rows.length < reached.number) this.#wentBack(`its log ends with batch ${rows.length}`);
    else if (rows[reached.number - 1]?.place.revision !== reached.revision) {
      this.#wentBack(`batch ${reached.number} is not the one that this node received`);
    }
  }

  #wentBack(how: string): void {
    const { store, onWentBack } = this.#options;
    if (!store.seams.noticesOldCopies) return;
    onWentBack();
    throw new StoreUnfit(`etcd was restored or replaced: ${how}`);
  }

  get #isUp(): boolean {
    return !this.isCut && this.#options.store.hasLeader;
  }

  get #hears(): boolean {
    const { store } = this.#options;
    if (!this.#isUp) return false;
    return store.seams.noticesSilence ? store.schedule.nowMs >= this.silentUntilMs : this.silentUntilMs === 0;
  }

  #lease(role: string): Lease | undefined {
    const { store } = this.#options;
    const { schedule, leases } = store;
    const held = leases.get(role);
    if (held !== undefined && held.untilMs > schedule.nowMs) return undefined;
    const record: LeaseRecord = { holder: this, untilMs: schedule.nowMs + LEASE_MS };
    leases.set(role, record);
    return this.#sameLease(role, record);
  }

  /**
   * Kept alive while the process runs and reaches the store. The owner assumes its end no later than other nodes do.
   */
  #sameLease(role: string, record: LeaseRecord): Lease {
    const { store, life } = this.#options;
    const { schedule, leases } = store;
    let isHeld = true;
    let isGivenBack = false;
    const listeners: (() => void)[] = [];
    const keep = (): void => {
      if (isGivenBack) return;
      const isMine = leases.get(role) === record;
      if (isMine && this.#isUp && schedule.nowMs < record.untilMs) record.untilMs = schedule.nowMs + LEASE_MS;
      else if (!isMine || schedule.nowMs >= record.untilMs - LEASE_MS / 3) {
        isHeld = false;
        for (const listener of listeners) listener();
        return;
      }
      schedule.after(LEASE_MS / 3, keep, life);
    };
    schedule.after(LEASE_MS / 3, keep, life);
    return {
      get isHeld() {
        return isHeld;
      },
      onLost: (listener) => void listeners.push(listener),
      release: () => {
        isGivenBack = true;
        isHeld = false;
        return this.#call(() => {
          if (leases.get(role) === record) leases.delete(role);
        });
      },
    };
  }

  /** Returns a value that was current at some time during the call. A call without a response fails after a while. */
  async #call<T>(act: () => T): Promise<T> {
    await this.#pause();
    if (!this.#isUp) {
      await this.#pause(CALL_PATIENCE_MS);
      throw new Error("the store does not answer");
    }
    const answer = act();
    await this.#pause();
    return answer;
  }

  #pause(mostMs = LONGEST_STEP_MS): Promise<void> {
    const { store, life, dice } = this.#options;
    return store.schedule.pause(mostMs > LONGEST_STEP_MS ? mostMs : dice.below(LONGEST_STEP_MS), life);
  }

  #stepMs(): number {
    return this.#options.dice.below(LONGEST_STEP_MS);
  }
}
