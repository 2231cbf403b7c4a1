/** Open sessions, by id and by holder. Those that are over by time stay until their holder opens another. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { Holder, SessionRecord } from "../../entry/access-record.ts";

const NO_SESSIONS: readonly SessionRecord[] = [];

export class Sessions {
  private readonly byId = new Map<string, SessionRecord>();
  private readonly byHolder = new Map<Holder, readonly SessionRecord[]>();

  get(sessionId: string): SessionRecord | undefined {
    return this.byId.get(sessionId);
  }
  /** The holder's, oldest first. */
  of(holder: Holder): readonly SessionRecord[] {
    return this.byHolder.get(holder) ?? NO_SESSIONS;
  }

  add(session: SessionRecord): void {
    this.byId.set(session.sessionId, session);
    this.byHolder.set(session.holder, [...this.of(session.holder), session]);
  }
  /** The same session with other fields. */
  replace(session: SessionRecord): void {
    this.byId.set(session.sessionId, session);
    const all = this.of(session.holder);
    this.byHolder.set(
      session.holder,
      all.map((other) => (other.sessionId === session.sessionId ? session : other)),
    );
  }
  remove({ sessionId, holder }: SessionRecord): void {
    this.byId.delete(sessionId);
    const left = this.of(holder).filter((other) => other.sessionId !== sessionId);
    if (left.length === 0) this.byHolder.delete(holder);
    else this.byHolder.set(holder, left);
  }

  check(isHolder: (holder: Holder) => boolean): void {
    let count = 0;
    for (const [holder, sessions] of this.byHolder) {
      assert(isHolder(holder) && sessions.length > 0, "sessions are of holders");
      for (const session of sessions) {
        assert(
          session.holder === holder && this.byId.get(session.sessionId) === session,
          "a session is found either way",
        );
        count++;
      }
    }
    assert(count === this.byId.size, "no session is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byHolder.values()].flat()));
  }
  load(reader: ByteReader): void {
    for (const session of JSON.parse(reader.text()) as SessionRecord[]) this.add(session);
  }
}
