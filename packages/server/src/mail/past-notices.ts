/**
 * Letters about signing in that one of several nodes has sent or given up. The exchange forgets them, and operators ask
 * for them: each node remembers the last that it has seen.
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
  /** What this node knows of its sending. */
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

  /** Where a letter stands that was sent again, as long as it is remembered. */
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
    // Only one that was claimed is ever over, unless there was room for no more.
    if (status === "claimed" && owed !== undefined) this.#claimed.set(noticeId, owed);
    if (status === "waiting" || status === "claimed" || known === undefined) return;
    this.#past.set(noticeId, { notice: { ...known, status }, ...this.#parts.attemptsOf(noticeId) });
    for (const [oldest] of this.#past) if (this.#past.size > MAX_PAST_NOTICES) this.#past.delete(oldest);
  }
}
