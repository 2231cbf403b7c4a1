/**
 * Ids that are valid once: references of deposits, chain outputs, dividends, clients' own ids. A digest of the contents
 * is stored with each id, so that a repeat with other contents is detected, for the whole life of the journal.
 * docs/decisions/0071-repeated-requests-must-match.md.
 */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { EventDigest } from "../../entry/digest.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { MAX_TRANSFER_IDS } from "../../limits.ts";

/** The contents of an id that was used before rules version 4, which does not store contents. */
export const NO_CONTENTS = 0;
const UPPER_BITS = 0x1fffff;

/**
 * The digest of a command's contents under an id: 53 bits. `NO_CONTENTS` before rules version 4, because a node that
 * opens a snapshot of that time and one that replays the journal must arrive at the same state.
 */
export function digestOfContents(edition: number, contents: readonly (string | number | bigint | null)[]): number {
  if (edition < 4) return NO_CONTENTS;
  const digest = new EventDigest();
  for (const field of contents) digest.addText(String(field));
  const [upper, lower] = digest.lanes();
  return (upper & UPPER_BITS) * 0x100000000 + lower || 1;
}

export interface Use {
  readonly contents: number;
  /** The entry that used the id. History finds the record by it. 0 if contents are not stored. */
  readonly seq: number;
  /** The value in the first answer, such as the id of a transfer; "" if there was none. */
  readonly answer: string;
}

const ID_ALONE: Use = Object.freeze({ contents: NO_CONTENTS, seq: 0, answer: "" });

export class UsedIds {
  private readonly byId = new Map<string, Use>();

  has(id: string): boolean {
    return this.byId.has(id);
  }
  /** The first use of the id; undefined if there is none. */
  get(id: string): Use | undefined {
    return this.byId.get(id);
  }

  /**
   * Compares contents with those of the first use. Returns null if the id is unused, ALREADY_EXISTS if the contents are
   * equal or the rules do not compare them.
   */
  repeat(id: string, contents: number): RejectReason | null {
    const use = this.byId.get(id);
    if (use === undefined) return null;
    if (contents === NO_CONTENTS || use.contents === contents) return "ALREADY_EXISTS";
    return use.contents === NO_CONTENTS ? "CONTENTS_NOT_KEPT" : "REPEAT_DIFFERS";
  }

  /** Without contents, only the id is stored, because snapshots from before rules version 4 contain only ids. */
  add(id: string, contents: number, seq: number, answer = ""): void {
    this.byId.set(id, contents === NO_CONTENTS ? ID_ALONE : { contents, seq, answer });
  }
  delete(id: string): void {
    this.byId.delete(id);
  }
  /** Removes the oldest ids beyond the newest `most`. */
  trimTo(most: number): void {
    for (const id of this.byId.keys()) {
      if (this.byId.size <= most) return;
      this.byId.delete(id);
    }
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byId.size);
    for (const [id, { contents, seq, answer }] of this.byId) {
      writer.text(id);
      writer.uint(contents);
      if (contents === NO_CONTENTS) continue;
      writer.uint(seq);
      writer.text(answer);
    }
  }
  /** `hasContents` is false in layouts from before rules version 4. */
  load(reader: ByteReader, hasContents: boolean): void {
    for (let left = reader.uint(); left > 0; left--) {
      const id = reader.text();
      const contents = hasContents ? reader.uint() : NO_CONTENTS;
      if (contents === NO_CONTENTS) this.byId.set(id, ID_ALONE);
      else this.byId.set(id, { contents, seq: reader.uint(), answer: reader.text() });
    }
  }
}

// Clients' own ids of transfers, by master account. Each is used once. Only the newest ids of a master are stored, so
// that clients cannot make the state grow without limit.

export class TransferIds {
  private readonly byMaster = new Map<number, UsedIds>();

  /** Like `UsedIds.repeat`, for the client ids of one master account. */
  repeat(masterId: number, clientTranId: string, contents: number): RejectReason | null {
    return this.byMaster.get(masterId)?.repeat(clientTranId, contents) ?? null;
  }

  /** The id of the transfer that used the client id, as long as the client id is stored. */
  tranIdOf(masterId: number, clientTranId: string): number | undefined {
    const use = this.byMaster.get(masterId)?.get(clientTranId);
    return use === undefined ? undefined : Number(use.answer);
  }

  /** Adds a client id, and removes the master's oldest one if there are too many. */
  add(masterId: number, clientTranId: string, use: { contents: number; seq: number; tranId: number }): void {
    let ids = this.byMaster.get(masterId);
    if (ids === undefined) this.byMaster.set(masterId, (ids = new UsedIds()));
    ids.add(clientTranId, use.contents, use.seq, String(use.tranId));
    ids.trimTo(MAX_TRANSFER_IDS);
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byMaster.size);
    for (const [masterId, ids] of this.byMaster) {
      writer.uint(masterId);
      ids.save(writer);
    }
  }
  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const masterId = reader.uint();
      const ids = new UsedIds();
      ids.load(reader, true);
      this.byMaster.set(masterId, ids);
    }
  }
}
