/**
 * A shared log in one SQLite journal, for tests only. A row of the journal is a row of the log; the batch's bytes are
 * preceded by what the journal has no column for.
 */
import { JournalFile } from "../../src/journal/journal-file.ts";
import type { Batch, Following, LogPlace, LogRow, LooseBatch, SharedLog } from "../../src/journal/port.ts";
import { SqliteJournal } from "../../src/journal/sqlite.ts";

const EPOCH = "00000000000000f1";
const LENGTH_BYTES = 4;

interface Header {
  readonly id: string;
  /** The time by the author's clock; the journal's own times never go back. */
  readonly timeMs: number;
}

function packed({ id, timeMs, bytes }: LooseBatch): Uint8Array {
  const header = Buffer.from(JSON.stringify({ id, timeMs } satisfies Header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, bytes]);
}

function unpacked({ bytes }: Batch): Header & { readonly bytes: Uint8Array } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = LENGTH_BYTES + all.readUInt32BE();
  return {
    ...(JSON.parse(all.toString("utf8", LENGTH_BYTES, end)) as Header),
    bytes: Uint8Array.from(all.subarray(end)),
  };
}

/** The only writer of the file. */
export class SqliteLog {
  readonly #path: string;
  readonly #journal: SqliteJournal;
  /** The ids of the batches in the file, and of the one being written. */
  readonly #ids = new Set<string>();
  readonly #followers = new Set<() => void>();
  #rows = 0;
  /** Settles when the previous batch was written or has failed. */
  #turn: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
    this.#journal = new SqliteJournal(path, (error) => {
      throw error;
    });
    const file = this.open();
    for (const row of file.read(1)) {
      this.#ids.add(unpacked(row).id);
      this.#rows++;
    }
    file.close();
  }

  /** Opens the file for reading. */
  open(): JournalFile {
    return JournalFile.openReadOnly(this.#path);
  }

  newLine(): SharedLog {
    return { submit: (batch) => this.#submit(batch), follow: (place) => new SqliteFollowing(this, place) };
  }

  onAdded(wake: () => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#journal.close();
  }

  #submit(batch: LooseBatch): Promise<void> {
    const bytes = packed(batch);
    const done = this.#turn.then(() => this.#append(batch, bytes));
    this.#turn = done.catch(() => {});
    return done;
  }

  async #append({ id, node, count, timeMs }: LooseBatch, bytes: Uint8Array): Promise<void> {
    if (this.#ids.has(id)) return;
    const { lastSeq, lastTimeMs } = await this.#journal.head();
    const firstSeq = lastSeq + 1;
    const place: LogPlace = { epoch: EPOCH, number: this.#rows + 1, revision: firstSeq };
    const row = { firstSeq, count, timeMs: Math.max(timeMs, lastTimeMs), node, bytes, priorEventDigest: "" };
    await this.#journal.append(row, place);
    this.#ids.add(id);
    this.#rows++;
    for (const wake of this.#followers) wake();
  }
}

/** Reads with its own connection. */
class SqliteFollowing implements Following {
  readonly #file: JournalFile;
  readonly #stop: () => void;
  #number: number;
  /** The last returned row. */
  #firstSeq: number;
  #wake = (): void => {};
  #isClosed = false;

  constructor(log: SqliteLog, place: LogPlace | null) {
    this.#file = log.open();
    this.#number = place?.number ?? 0;
    this.#firstSeq = place?.revision ?? 0;
    this.#stop = log.onAdded(() => this.#wake());
  }

  async next(): Promise<LogRow | undefined> {
    for (;;) {
      if (this.#isClosed) return undefined;
      for (const row of this.#file.read(this.#firstSeq + 1)) if (row.firstSeq > this.#firstSeq) return this.#taken(row);
      await new Promise<void>((woken) => (this.#wake = woken));
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop();
    this.#file.close();
    this.#wake();
  }

  #taken(row: Batch): LogRow {
    const { firstSeq, count, node } = row;
    this.#firstSeq = firstSeq;
    this.#number++;
    const place: LogPlace = { epoch: EPOCH, number: this.#number, revision: firstSeq };
    return { ...unpacked(row), count, node, place };
  }
}
