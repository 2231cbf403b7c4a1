/**
 * Writes letters about signing in for a node that is alone. They are derived from the exchange's state: one that is owed
 * and not in the outbox is written, either just after it was journaled or after a start. The outbox sends it, and when
 * it knows what came of it, on disk, the exchange is told and owes it no more.
 */
import type { Entry, Event, LetterStatus } from "@pricetime/engine";
import type { Sequencer } from "../sequencer/port.ts";
import type { World } from "../world/port.ts";
import { TELL_AGAIN_MS } from "./limits.ts";
import type { MailRoom } from "./mail-room.ts";
import { noticeKey, OwedNotices, type OwedNoticesParts } from "./owed-notices.ts";
import type { OwedLetter } from "./owed-letter.ts";
import type { MailRecord, MailStatus } from "./port.ts";

export interface NoticeLettersParts extends OwedNoticesParts {
  readonly mails: Pick<MailRoom, "post" | "noticesWritten" | "isClosed">;
  readonly sequencer: Pick<Sequencer, "run">;
  readonly world: Pick<World, "nowMs" | "pause">;
  readonly log: { warn(fields: object, message: string): void };
  /** The entry that tells must not come when a disk says so, because a lab's journal is the same each time. */
  readonly isOfLab: boolean;
}

/** What the exchange is told of a mail. One that is kept is the operator's to hand over. */
const TOLD: Readonly<Record<MailStatus, LetterStatus | undefined>> = {
  waiting: undefined,
  sent: "sent",
  kept: "sent",
  failed: "failed",
  unknown: "unknown",
};

export class NoticeLetters {
  readonly #parts: NoticeLettersParts;
  readonly #owed: OwedNotices;
  readonly #telling = new Set<string>();

  constructor(parts: NoticeLettersParts) {
    this.#parts = parts;
    this.#owed = new OwedNotices(parts);
  }

  /** Handles the events of an entry that is on disk. */
  applied(_entry: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "noticeChanged" || event.status !== "waiting") continue;
      const letter = this.#owed.find(noticeKey(event.noticeId));
      if (letter !== undefined) this.#write(letter);
    }
  }

  /** Writes letters that the last process did not, and tells what it had not told. Call it once, when links work. */
  catchUp(): number {
    const written = new Map([...this.#parts.mails.noticesWritten()].map(([id, mail]) => [noticeKey(id), mail]));
    let count = 0;
    for (const letter of this.#owed.all()) {
      const mail = written.get(letter.key);
      // Another node had claimed it, when there were several.
      if (letter.status === "claimed") this.#tell(letter, "unknown");
      else if (mail === undefined) count += this.#write(letter) ? 1 : 0;
      else this.onWritten(mail);
    }
    if (count > 0) this.#parts.log.warn({ count }, "letters were written that the last run had not got to");
    return count;
  }

  /** A mail of the outbox is on disk as it is now. */
  onWritten({ noticeId, status }: MailRecord): void {
    const told = TOLD[status];
    const letter = noticeId === undefined ? undefined : this.#owed.find(noticeKey(noticeId));
    if (letter !== undefined && told !== undefined) this.#tell(letter, told);
  }

  /** Returns whether there was a letter to write. */
  #write(letter: OwedLetter): boolean {
    const mail = letter.write(this.#parts.world.nowMs());
    if (mail !== undefined) this.#parts.mails.post(mail);
    if (mail === undefined) this.#tell(letter, "failed");
    else if (this.#parts.isOfLab) this.#tell(letter, "sent");
    return mail !== undefined;
  }

  #tell(letter: OwedLetter, to: LetterStatus): void {
    if (this.#telling.has(letter.key)) return;
    this.#telling.add(letter.key);
    // It never rejects; what was not told when the node ends is told after the next start.
    void this.#toldInTheEnd(letter, to).finally(() => this.#telling.delete(letter.key));
  }

  async #toldInTheEnd(letter: OwedLetter, to: LetterStatus): Promise<void> {
    const { mails, sequencer, world } = this.#parts;
    const { key, status: from } = letter;
    // Not in the turn of the entry that is being told of.
    await Promise.resolve();
    while (!mails.isClosed && this.#owed.find(key)?.status === from) {
      try {
        await sequencer.run(letter.step(from, to));
        return;
      } catch {
        await world.pause(TELL_AGAIN_MS);
      }
    }
  }
}
