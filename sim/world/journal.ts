/**
 * The journal port on the simulated disk: one file of framed rows, each written, synced and then acknowledged. It
 * replaces the SQLite file (whose crashes have their own test) and gives the same guarantees.
 */
import { createHash } from "node:crypto";
import type { Dice } from "@pricetime/testkit/dice";
import {
  type Batch,
  chainOn,
  checkedAfter,
  checkFollows,
  EMPTY_HEAD,
  headAfter,
  HeadMark,
  type Journal,
  type JournalHead,
  type JournalPlace,
  type JournalRows,
  type LogPlace,
  type NewBatch,
} from "@pricetime/server/data-folder";
import { PowerCut, type SimDisk } from "./disk.ts";
import type { Life, Schedule } from "@pricetime/testkit/schedule";

const JOURNAL = "data/journal";
const MARK = "data/journal.head";
/** A length of 4 bytes and a SHA-256 of 32. */
const FRAME_BYTES = 36;

export interface JournalWorld {
  readonly disk: SimDisk;
  readonly schedule: Schedule;
  readonly life: Life;
  readonly dice: Dice;
  /** The duration of one step of a commit. */
  readonly stepMs: () => number;
  readonly seams: { readonly syncsAtStart: boolean };
  /** The number of head queries that still fail. */
  readonly deafness: { heads: number };
}

export class SimJournal implements Journal, JournalRows {
  readonly disk: SimDisk;
  readonly #world: JournalWorld;
  readonly #mark: HeadMark;
  readonly #rows: Batch[] = [];
  #place: JournalPlace | null = null;
  #head = EMPTY_HEAD;
  #end = 0;

  /** Throws `JournalDamaged` as the real one does. Rows found at the start are synced before they become visible. */
  constructor(world: JournalWorld) {
    this.#world = world;
    const { disk } = world;
    this.disk = disk;
    disk.make(JOURNAL);
    disk.make(MARK);
    disk.syncFolder();
    this.#mark = new HeadMark({
      read: () => disk.read(MARK),
      write: (offset, bytes) => disk.write(MARK, offset, bytes),
      sync: () => disk.sync(MARK),
      close: () => {},
    });
    this.#readAll(disk.read(JOURNAL));
    this.#mark.check(this);
    disk.truncate(JOURNAL, this.#end);
    if (world.seams.syncsAtStart) disk.sync(JOURNAL);
    this.#mark.settle(this.#head);
  }

  #readAll(content: Buffer): void {
    while (this.#end + FRAME_BYTES <= content.length) {
      const size = content.readUInt32BE(this.#end);
      const body = content.subarray(this.#end + FRAME_BYTES, this.#end + FRAME_BYTES + size);
      const digest = content.subarray(this.#end + 4, this.#end + FRAME_BYTES);
      if (body.length < size || !digestOf(body).equals(digest)) return;
      const { place, ...row } = rowOf(body);
      this.#head = checkFollows(this.#head, row);
      if (place !== undefined) this.#place = { ...place, seq: this.#head.lastSeq };
      this.#rows.push(row);
      this.#end += FRAME_BYTES + size;
    }
  }

  async head(): Promise<JournalHead> {
    await this.#step();
    if (this.#world.deafness.heads > 0) {
      this.#world.deafness.heads--;
      throw new Error("EIO: the head cannot be read");
    }
    return this.#head;
  }

  async append(batch: NewBatch, place?: LogPlace): Promise<JournalHead> {
    const chained = chainOn(this.#head, batch);
    const bytes = framed(chained, place);
    try {
      await this.#step();
      this.#world.disk.write(JOURNAL, this.#end, bytes);
      await this.#step();
      this.#world.disk.sync(JOURNAL);
      await this.#step();
      this.#end += bytes.length;
      this.#rows.push(chained);
      this.#head = headAfter(chained);
      if (place !== undefined) this.#place = { ...place, seq: this.#head.lastSeq };
      this.#mark.note(this.#head);
    } catch (error) {
      if (error instanceof PowerCut) return never();
      throw error;
    }
    return this.#head;
  }

  /** The place of the last row of a shared log. */
  place(): JournalPlace | null {
    return this.#place;
  }

  get end(): JournalHead {
    return this.#head;
  }

  /** Copies rows of another node's journal, at a start. */
  copy(rows: readonly Batch[], place: JournalPlace | null): void {
    const { disk } = this.#world;
    for (const [at, row] of rows.entries()) {
      this.#head = checkFollows(this.#head, row);
      const bytes = framed(row, at === rows.length - 1 && place !== null ? place : undefined);
      disk.write(JOURNAL, this.#end, bytes);
      this.#end += bytes.length;
      this.#rows.push(row);
    }
    disk.sync(JOURNAL);
    if (rows.length > 0) this.#place = place;
    this.#mark.note(this.#head);
  }

  headAt(seq: number): JournalHead | undefined {
    if (seq === 0) return EMPTY_HEAD;
    const row = this.#rows.find((batch) => batch.firstSeq + batch.count - 1 === seq);
    return row && headAfter(row);
  }

  read(fromSeq: number): Iterable<Batch> & AsyncIterable<Batch> {
    const rows = this.#rows;
    return {
      *[Symbol.iterator]() {
        for (const row of rows) if (row.firstSeq + row.count > fromSeq) yield row;
      },
      async *[Symbol.asyncIterator]() {
        for (const row of rows) if (row.firstSeq + row.count > fromSeq) yield row;
      },
    };
  }

  after(head: JournalHead): Iterable<Batch> {
    return checkedAfter(head, this.read(head.lastSeq + 1));
  }

  async close(): Promise<void> {}

  #step(): Promise<void> {
    return this.#world.schedule.pause(this.#world.stepMs(), this.#world.life);
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function framed(row: Batch, place?: LogPlace): Buffer {
  const body = Buffer.from(JSON.stringify({ ...row, bytes: Buffer.from(row.bytes).toString("base64"), place }));
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(body.length);
  return Buffer.concat([frame, digestOf(body), body]);
}

function rowOf(body: Buffer): Batch & { readonly place?: LogPlace } {
  const row = JSON.parse(body.toString()) as Batch & { readonly bytes: string; readonly place?: LogPlace };
  return { ...row, bytes: Buffer.from(row.bytes, "base64") };
}

function digestOf(body: Uint8Array): Buffer {
  return createHash("sha256").update(body).digest();
}
