/** A shared log in memory and in virtual time: slow, with disconnects, and often with unknown outcomes. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import { type ClusterStore, type Epoch, type Lease, type NodePosition, StoreUnfit } from "../../../src/cluster/port.ts";
import {
  EMPTY_HEAD,
  type Following,
  JournalRefused,
  type LogPlace,
  type LogRow,
  LogTrimmed,
  type LooseBatch,
} from "../../../src/journal/port.ts";

const EPOCH = "00000000000000e1";

/** The content of the store. */
export class MemoryLog {
  /** All rows ever written. */
  readonly rows: LogRow[] = [];
  readonly positions = new Map<string, NodePosition>();
  readonly #ids = new Set<string>();
  readonly #followers = new Set<() => void>();
  /** Rows up to this number were removed. */
  trimmed = 0;

  /** Adds a batch once per id, as long as the row is there. */
  add(batch: LooseBatch): void {
    if (!this.#ids.has(batch.id)) this.addAgain(batch);
  }

  /** As if the row with the id had been removed from the tail. */
  addAgain({ id, count, timeMs, node, bytes }: LooseBatch): void {
    this.#ids.add(id);
    const number = this.rows.length + 1;
    const place: LogPlace = { epoch: EPOCH, number, revision: 10 + 3 * number };
    this.rows.push({ id, count, timeMs, node, bytes: bytes.slice(), place });
    for (const wake of this.#followers) wake();
  }

  /** Removes the rows up to `number`; a batch submitted again is then added again. */
  trim(number: number): void {
    for (const { id } of this.rows.slice(this.trimmed, number)) this.#ids.delete(id);
    this.trimmed = Math.max(this.trimmed, number);
  }

  /** As if restored from an older backup. */
  goBackTo(number: number, positions: readonly NodePosition[]): void {
    for (const { id } of this.rows.splice(number)) this.#ids.delete(id);
    this.positions.clear();
    for (const position of positions) this.positions.set(position.node, position);
  }

  onAdded(wake: () => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }
}

/** The connection of one node to the log. */
export class LogLine implements ClusterStore {
  readonly epoch: Epoch = { epoch: EPOCH, baseSeq: 0, baseChainHash: EMPTY_HEAD.chainHash, priorEpoch: "" };
  readonly #log: MemoryLog;
  readonly #schedule: Schedule;
  readonly #life: Life;
  readonly #dice: Dice;
  readonly #healed = new Set<() => void>();
  #cut = false;
  /** The last published position of this node. */
  #told: NodePosition | undefined;
  /** Disables random faults. */
  isCalm = false;

  constructor(log: MemoryLog, schedule: Schedule, life: Life, dice: Dice) {
    this.#log = log;
    this.#schedule = schedule;
    this.#life = life;
    this.#dice = dice;
  }

  set isCut(isCut: boolean) {
    this.#cut = isCut;
    if (!isCut) for (const wake of this.#healed) wake();
  }

  async submit(batch: LooseBatch): Promise<void> {
    const [fate, again] = [this.isCalm ? 1 : this.#dice.next(), this.#dice.oneIn(5)];
    if (this.#cut || fate < 0.1) return this.#lose(batch);
    // The request arrives, whatever happens to its sender.
    await new Promise<void>((resolve) => {
      this.#schedule.after(this.#delayMs(), () => {
        this.#log.add(batch);
        this.#schedule.after(this.#delayMs(), resolve, this.#life);
      });
      if (again) this.#schedule.after(3 * this.#delayMs(), () => this.#log.add(batch));
    });
    if (fate < 0.2) throw new Error("the answer was lost");
  }

  /**
   * Reports an unknown outcome, or a rejection, or nothing for long; a batch with an unknown outcome may still be added
   * much later.
   */
  async #lose(batch: LooseBatch): Promise<void> {
    const fate = this.#dice.next();
    if (fate >= 0.8) return this.#repeat(batch);
    if (fate < 0.3) this.#schedule.after(100 * this.#delayMs(), () => this.#log.add(batch));
    await this.#schedule.pause(this.#delayMs(), this.#life);
    throw fate < 0.6 ? new Error("no answer came") : new JournalRefused("nobody was there");
  }

  /** Retries until the outcome is known. */
  async #repeat(batch: LooseBatch): Promise<void> {
    do {
      await this.#schedule.pause(20 * this.#delayMs(), this.#life);
    } while (this.#cut);
    this.#log.add(batch);
    await this.#schedule.pause(this.#delayMs(), this.#life);
  }

  follow(place: LogPlace | null): Following {
    let at = place?.number ?? 0;
    let isClosed = false;
    let wake = (): void => {};
    const stops = [this.#log.onAdded(() => wake())];
    const onHealed = (): void => wake();
    this.#healed.add(onHealed);
    return {
      next: async () => {
        for (;;) {
          if (isClosed) return undefined;
          if (at < this.#log.trimmed) throw new LogTrimmed(`the rows to ${this.#log.trimmed} are gone`);
          if (!this.#cut && at < this.#log.rows.length) return this.#log.rows[at++];
          await new Promise<void>((resolve) => {
            wake = () => void this.#schedule.after(this.#delayMs(), resolve, this.#life);
          });
        }
      },
      close: () => {
        isClosed = true;
        for (const stop of stops) stop();
        this.#healed.delete(onHealed);
        wake();
      },
    };
  }

  announce(position: NodePosition): Promise<void> {
    return this.#call(() => {
      const there = this.#log.positions.get(position.node);
      if (this.#told !== undefined && there !== this.#told) throw new StoreUnfit("the position is not the one told");
      this.#log.positions.set(position.node, position);
      this.#told = position;
    });
  }

  positions(): Promise<readonly NodePosition[]> {
    return this.#call(() => [...this.#log.positions.values()]);
  }

  lastNumber(): Promise<number> {
    return this.#call(() => this.#log.rows.length);
  }

  lease(): Promise<Lease | undefined> {
    return Promise.resolve(undefined);
  }

  async close(): Promise<void> {}

  /** Linearizable: the result is of one point in time during the call. No response while disconnected. */
  async #call<T>(look: () => T): Promise<T> {
    await this.#schedule.pause(this.#delayMs(), this.#life);
    if (this.#cut || (!this.isCalm && this.#dice.oneIn(20))) {
      await this.#schedule.pause(20 * this.#delayMs(), this.#life);
      throw new Error("no answer came");
    }
    const answer = look();
    await this.#schedule.pause(this.#delayMs(), this.#life);
    if (this.#cut) throw new Error("no answer came");
    return answer;
  }

  #delayMs(): number {
    return this.#dice.below(12);
  }
}
