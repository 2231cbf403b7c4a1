/** Recoveries under way: one of each holder at most. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { Holder, RecoveryRecord } from "../../entry/access-record.ts";

export class Recoveries {
  private readonly byHolder = new Map<Holder, RecoveryRecord>();
  private readonly byId = new Map<string, RecoveryRecord>();

  get(recoveryId: string): RecoveryRecord | undefined {
    return this.byId.get(recoveryId);
  }
  of(holder: Holder): RecoveryRecord | undefined {
    return this.byHolder.get(holder);
  }
  put(recovery: RecoveryRecord): void {
    this.byHolder.set(recovery.holder, recovery);
    this.byId.set(recovery.recoveryId, recovery);
  }
  remove({ recoveryId, holder }: RecoveryRecord): void {
    this.byId.delete(recoveryId);
    this.byHolder.delete(holder);
  }

  check(isHolder: (holder: Holder) => boolean): void {
    for (const [holder, recovery] of this.byHolder) {
      assert(isHolder(holder) && this.byId.get(recovery.recoveryId) === recovery, "a recovery is found either way");
    }
    assert(this.byId.size === this.byHolder.size, "no recovery is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byHolder.values()]));
  }
  load(reader: ByteReader): void {
    for (const recovery of JSON.parse(reader.text()) as RecoveryRecord[]) this.put(recovery);
  }
}
