/**
 * The head mark records the journal's head outside the journal, because missing rows at the end of a journal cannot be
 * detected from the journal itself. The rolling slot is written after each commit without a sync, so it may lag behind
 * the journal but is never ahead of it; a power failure may corrupt it. The two settled slots are written alternately,
 * one per start, with a sync, so that one of them is always valid.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { makePrivateFile } from "../platform/disk.ts";
import { JournalDamaged, type JournalHead, type JournalRows, JournalUnreadable } from "./port.ts";

const MAGIC = "PTHEAD\n\0";
/** Size of a slot in bytes: magic 8, seq 8, time 8, chain hash 32, and SHA-256 of the preceding fields 32. */
const SLOT_BYTES = 88;
const DIGEST_AT = 56;
/** Offsets of the settled slots. They are far apart, so that one bad sector does not destroy both. */
const SETTLED_AT = [0, 4096] as const;
const ROLLING_AT = 8192;
const MARK_BYTES = ROLLING_AT + SLOT_BYTES;

export interface MarkFile {
  /** The content of the file; empty if nothing was written yet. */
  read(): Uint8Array;
  write(offset: number, bytes: Uint8Array): void;
  sync(): void;
  close(): void;
}

/** The path of the mark, next to the journal's file. */
export function headMarkPath(journalPath: string): string {
  return journalPath.replace(/(?:\.sqlite)?$/, ".head");
}

export class HeadMark {
  readonly #file: MarkFile;

  constructor(file: MarkFile) {
    this.#file = file;
  }

  /**
   * Compares the mark with the journal. Throws `JournalDamaged` if the journal has lost rows, `JournalUnreadable` if
   * the mark cannot be read.
   */
  check(rows: JournalRows): void {
    checkMark(this.#file.read(), rows);
  }

  /**
   * Records that the rows up to `head` are durable. If the mark cannot be written, it lags behind; this only weakens
   * the protection.
   */
  note(head: JournalHead): void {
    this.#attempt(() => this.#file.write(ROLLING_AT, slotOf(head)));
  }

  /** Records the head with a sync. Called at every start. */
  settle(head: JournalHead): void {
    const mark = Buffer.from(this.#file.read());
    const [first, second] = SETTLED_AT.map((at) => readSlot(mark, at));
    if ([first, second].some((settled) => settled?.chainHash === head.chainHash)) return;
    const isFirstNewer = first !== undefined && first.lastSeq >= (second?.lastSeq ?? 0);
    this.#attempt(() => {
      // Allocate all space now, so that a full disk cannot prevent later writes.
      if (mark.length < MARK_BYTES) this.#file.write(mark.length, Buffer.alloc(MARK_BYTES - mark.length));
      this.#file.write(SETTLED_AT[isFirstNewer ? 1 : 0], slotOf(head));
      this.#file.sync();
    });
  }

  /** Lowers the mark. Must be called before the journal is cut at `head`. Throws if the mark cannot be written. */
  lower(head: JournalHead): void {
    for (const at of [...SETTLED_AT, ROLLING_AT]) this.#file.write(at, slotOf(head));
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch {
      // The journal itself is complete, so the node continues without the mark.
    }
  }

  close(): void {
    this.#file.close();
  }
}

/** Opens the mark of a journal file, creating it if missing. */
export function openHeadMark(journalPath: string): HeadMark {
  const path = headMarkPath(journalPath);
  makePrivateFile(path);
  const file = openSync(path, "r+");
  return new HeadMark({
    read: () => readFileSync(path),
    write: (offset, bytes) => void writeSync(file, bytes, 0, bytes.length, offset),
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  });
}

/** The content of the mark for `checkMark`; empty if there is no mark. */
export function readMark(journalPath: string): Uint8Array {
  const path = headMarkPath(journalPath);
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** Like `HeadMark.check`, for readers. `bytes` must be read before the rows, because a node may be adding rows. */
export function checkMark(bytes: Uint8Array, rows: JournalRows): void {
  const mark = Buffer.from(bytes);
  const heads = [...SETTLED_AT, ROLLING_AT].flatMap((at) => readSlot(mark, at) ?? []);
  const [head] = heads.sort((a, b) => b.lastSeq - a.lastSeq);
  if (head === undefined) {
    // Before the second start, one settled slot is still blank, and a power failure may have corrupted the other.
    if (SETTLED_AT.some((at) => isBlank(mark, at))) return;
    throw new JournalUnreadable("The .head file of the journal is damaged. Remove it to start without this check");
  }
  const there = rows.headAt(head.lastSeq);
  if (there?.chainHash === head.chainHash) return;
  if (there !== undefined)
    throw new JournalDamaged(head.lastSeq, "it is not the journal that the .head file describes");
  throw new JournalDamaged(lastSeq(rows) + 1, `batches are missing at the end: the journal had entry ${head.lastSeq}`);
}

function lastSeq(rows: JournalRows): number {
  let seq = 0;
  for (const batch of rows.read(1)) seq = batch.firstSeq + batch.count - 1;
  return seq;
}

function slotOf(head: JournalHead): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.write(MAGIC, 0, "latin1");
  slot.writeBigUInt64BE(BigInt(head.lastSeq), 8);
  slot.writeBigUInt64BE(BigInt(head.lastTimeMs), 16);
  slot.write(head.chainHash, 24, "hex");
  digestOf(slot).copy(slot, DIGEST_AT);
  return slot;
}

function isBlank(mark: Buffer, at: number): boolean {
  return mark.subarray(at, at + SLOT_BYTES).every((byte) => byte === 0);
}

function readSlot(mark: Buffer, at: number): JournalHead | undefined {
  const slot = mark.subarray(at, at + SLOT_BYTES);
  if (slot.length < SLOT_BYTES || slot.toString("latin1", 0, 8) !== MAGIC) return undefined;
  if (!digestOf(slot).equals(slot.subarray(DIGEST_AT))) return undefined;
  return {
    lastSeq: Number(slot.readBigUInt64BE(8)),
    lastTimeMs: Number(slot.readBigUInt64BE(16)),
    chainHash: slot.toString("hex", 24, 56),
  };
}

function digestOf(slot: Buffer): Buffer {
  return createHash("sha256").update(slot.subarray(0, DIGEST_AT)).digest();
}
