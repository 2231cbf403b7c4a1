/** Security emails, derived from the exchange's state. */
import type { EngineView, NoticeRecord } from "@pricetime/engine";
import { LinkMaker, type LinkParts } from "./notices/links.ts";
import { noticeMail } from "./notices/notice-mail.ts";
import { mailIdOf, type OwedLetter, type OwedLetters } from "./owed-letter.ts";

export interface OwedNoticesParts extends LinkParts {
  readonly view: Pick<EngineView, "access">;
}

const KEY = "notice:";

export const noticeKey = (noticeId: number): string => KEY + noticeId;

export class OwedNotices implements OwedLetters {
  readonly #parts: OwedNoticesParts;

  constructor(parts: OwedNoticesParts) {
    this.#parts = parts;
  }

  *all(): Iterable<OwedLetter> {
    for (const notice of this.#parts.view.access.notices()) yield this.letter(notice);
  }

  find(key: string): OwedLetter | undefined {
    if (!key.startsWith(KEY)) return undefined;
    const notice = this.#parts.view.access.notice(Number(key.slice(KEY.length)));
    return notice && this.letter(notice);
  }

  /** The notice may already have left the exchange's state. */
  letter(notice: NoticeRecord): OwedLetter {
    const { noticeId, createdMs, status } = notice;
    const parts = this.#parts;
    return {
      key: noticeKey(noticeId),
      mailId: mailIdOf(createdMs, noticeId.toString(16)),
      createdMs,
      status,
      write: (nowMs) => noticeMail(notice, { access: parts.view.access, to: new LinkMaker(parts), nowMs }),
      step: (from, to) => ({ type: "changeNotice", noticeId, from, to }),
      endsByItself: false,
      canBeSentAgain: false,
    };
  }
}
