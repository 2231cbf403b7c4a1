/** Letters that are owed, in the order in which they came. One that is sent, or was given up, is no longer here. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { NoticeRecord } from "../../entry/access-record.ts";

export class Notices {
  private readonly byId = new Map<number, NoticeRecord>();
  private lastId = 0;

  get size(): number {
    return this.byId.size;
  }
  get(noticeId: number): NoticeRecord | undefined {
    return this.byId.get(noticeId);
  }
  all(): Iterable<NoticeRecord> {
    return this.byId.values();
  }
  owe(notice: Omit<NoticeRecord, "noticeId" | "status">): NoticeRecord {
    const owed: NoticeRecord = { noticeId: ++this.lastId, ...notice, status: "waiting" };
    this.byId.set(owed.noticeId, owed);
    return owed;
  }
  replace(notice: NoticeRecord): void {
    this.byId.set(notice.noticeId, notice);
  }
  remove(noticeId: number): void {
    this.byId.delete(noticeId);
  }
  /** The one that has waited longest. */
  first(): NoticeRecord | undefined {
    for (const notice of this.byId.values()) return notice;
    return undefined;
  }

  check(): void {
    for (const [id, { noticeId, status }] of this.byId) {
      assert(id === noticeId && noticeId <= this.lastId, "a letter is found by its number");
      assert(status === "waiting" || status === "claimed", "a letter that is over is no longer owed");
    }
  }

  save(writer: ByteWriter): void {
    writer.uint(this.lastId);
    writer.text(JSON.stringify([...this.byId.values()]));
  }
  load(reader: ByteReader): void {
    this.lastId = reader.uint();
    for (const notice of JSON.parse(reader.text()) as NoticeRecord[]) this.replace(notice);
  }
}
