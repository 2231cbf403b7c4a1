/**
 * Ids that count once: references of deposits, coins, dividends, clients' own ids. A digest of the contents is stored
 * beside each id, so a repeat is either equal to the first use or rejected, for as long as the journal lasts.
 * docs/decisions/0071-repeated-requests-must-match.md.
 */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { EventDigest } from "../../entry/digest.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { MAX_TRANSFER_IDS } from "../../limits.ts";

/** Stands for the contents of an id that was used before rules version 4, which stores none. */
export const NO_CONTENTS = 0;
const UPPER_BITS = 0x1fffff;

/**
 * The digest of what a command says under an id: 53 bits. `NO_CONTENTS` before rules version 4: a node that opens a
 * snapshot of that time and one that replays the journal must come to the same state.
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
  /** The entry that used the id, by which history has the record. 0 where contents are not kept. */
  readonly seq: number;
  /** What the first answer named, such as a transfer's number; "" where it named nothing. */
  readonly answer: string;
}

const ID_ALONE: Use = Object.freeze({ contents: NO_CONTENTS, seq: 0, answer: "" });

export class UsedIds {
  private readonly byId = new Map<string, Use>();

  has(id: string): boolean {
    return this.byId.has(id);
  }
  /** Undefined: the id is unused. */
  get(id: string): Use | undefined {
    return this.byId.get(id);
  }

  /** Null: the id is unused. ALREADY_EXISTS: the contents equal those of the first use, or the rules do not compare them. */
  repeat(id: string, contents: number): RejectReason | null {
    const use = this.byId.get(id);
    if (use === undefined) return null;
    if (contents === NO_CONTENTS || use.contents === contents) return "ALREADY_EXISTS";
    return use.contents === NO_CONTENTS ? "CONTENTS_NOT_KEPT" : "REPEAT_DIFFERS";
  }

  /** Without contents keeps the id alone: a snapshot from before rules version 4 has nothing else. */
  add(id: string, contents: number, seq: number, answer = ""): void {
    this.byId.set(id, contents === NO_CONTENTS ? ID_ALONE : { contents, seq, answer });
  }
  delete(id: string): void {
    this.byId.delete(id);
  }
  /** Forgets the oldest ids beyond so many. */
  keepNewest(most: number): void {
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
  /** `hasContents`: false in layouts from before rules version 4. */
  load(reader: ByteReader, hasContents: boolean): void {
    for (let left = reader.uint(); left > 0; left--) {
      const id = reader.text();
      const contents = hasContents ? reader.uint() : NO_CONTENTS;
      if (contents === NO_CONTENTS) this.byId.set(id, ID_ALONE);
      else this.byId.set(id, { contents, seq: reader.uint(), answer: reader.text() });
    }
  }
}

// Clients' own ids of transfers, by master account: each is made once. The newest ids of a master are remembered, so that
// clients cannot make the state grow without end.

export class TransferIds {
  private readonly byMaster = new Map<number, UsedIds>();

  /** As `UsedIds.repeat`. */
  repeat(masterId: number, clientTranId: string, contents: number): RejectReason | null {
    return this.byMaster.get(masterId)?.repeat(clientTranId, contents) ?? null;
  }

  /** The number of the transfer that was made under the id, while it is remembered. */
  tranIdOf(masterId: number, clientTranId: string): number | undefined {
    const use = this.byMaster.get(masterId)?.get(clientTranId);
    return use === undefined ? undefined : Number(use.answer);
  }

  /** Forgets the oldest id of the master when it has too many. */
  add(masterId: number, clientTranId: string, use: { contents: number; seq: number; tranId: number }): void {
    let ids = this.byMaster.get(masterId);
    if (ids === undefined) this.byMaster.set(masterId, (ids = new UsedIds()));
    ids.add(clientTranId, use.contents, use.seq, String(use.tranId));
    ids.keepNewest(MAX_TRANSFER_IDS);
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
