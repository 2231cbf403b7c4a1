/**
 * Security emails of a cluster that were sent or have failed. The exchange's state drops them, so each node keeps the
 * latest ones that it has seen, for operators.
 */
import type { EngineView, Event, LetterStatus, NoticeRecord } from "@pricetime/engine";

export const MAX_PAST_NOTICES = 1000;

export interface PastNotice {
  readonly notice: NoticeRecord;
  readonly attempts: number;
  readonly trouble: string;
}

export interface PastNoticesParts {
  readonly view: Pick<EngineView, "access">;
  /** The attempts of this node. */
  readonly attemptsOf: (noticeId: number) => Pick<PastNotice, "attempts" | "trouble">;
}

export class PastNotices {
  readonly #parts: PastNoticesParts;
  readonly #claimed = new Map<number, NoticeRecord>();
  readonly #past = new Map<number, PastNotice>();

  constructor(parts: PastNoticesParts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  all(): Iterable<PastNotice> {
    return this.#past.values();
  }

  /** Updates the status of a resent email, while it is kept. */
  change(noticeId: number, status: LetterStatus): void {
    const past = this.#past.get(noticeId);
    if (past === undefined) return;
    this.#past.set(noticeId, { notice: { ...past.notice, status }, ...this.#parts.attemptsOf(noticeId) });
  }

  applied(events: readonly Event[]): void {
    for (const event of events) if (event.type === "noticeChanged") this.#changed(event.noticeId, event.status);
  }

  #changed(noticeId: number, status: LetterStatus): void {
    const known = this.#claimed.get(noticeId);
    const owed = this.#parts.view.access.notice(noticeId);
    this.#claimed.delete(noticeId);
    // A notice ends only after it was claimed, unless it was dropped because too many were open.
    if (status === "claimed" && owed !== undefined) this.#claimed.set(noticeId, owed);
    if (status === "waiting" || status === "claimed" || known === undefined) return;
    this.#past.set(noticeId, { notice: { ...known, status }, ...this.#parts.attemptsOf(noticeId) });
    for (const [oldest] of this.#past) if (this.#past.size > MAX_PAST_NOTICES) this.#past.delete(oldest);
  }
}
