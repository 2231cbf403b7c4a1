/** Invitations that nobody has accepted, in the order in which they came. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { InvitationRecord } from "../../entry/access-record.ts";

export class Invitations {
  private readonly byId = new Map<string, InvitationRecord>();

  get size(): number {
    return this.byId.size;
  }
  get(invitationId: string): InvitationRecord | undefined {
    return this.byId.get(invitationId);
  }
  all(): Iterable<InvitationRecord> {
    return this.byId.values();
  }
  /** When the next one is over by itself; Infinity: never. */
  nextDueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.byId.values()) if (untilMs < dueMs) dueMs = untilMs;
    return dueMs;
  }
  oldestOf(by: string): InvitationRecord | undefined {
    for (const invitation of this.byId.values()) if (invitation.by === by) return invitation;
    return undefined;
  }
  add(invitation: InvitationRecord): void {
    this.byId.set(invitation.invitationId, invitation);
  }
  remove(invitationId: string): void {
    this.byId.delete(invitationId);
  }

  check(): void {
    for (const [id, { invitationId, holder, opens }] of this.byId) {
      assert(id === invitationId, "an invitation is found by its number");
      assert((holder === null) !== (opens === null), "an invitation is of a holder or of a new customer");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byId.values()]));
  }
  load(reader: ByteReader): void {
    for (const invitation of JSON.parse(reader.text()) as InvitationRecord[]) this.add(invitation);
  }
}
