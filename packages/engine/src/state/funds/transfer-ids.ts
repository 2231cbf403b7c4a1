/**
 * Clients' own ids of transfers, by master account: each is made once. The newest ids of a master are remembered, so that
 * clients cannot make the state grow without end.
 */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { MAX_TRANSFER_IDS } from "../../limits.ts";
import { UsedIds } from "./used-ids.ts";

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
