/** Letters that the model's exchange owes: each is numbered, and owed until somebody says what became of it. */
import type { ChangeNotice, NoticeKind, RejectReason, TellAlreadyKnown } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import { type ModelAccess, holderOf } from "../state.ts";

type Facts = Readonly<Record<string, string>>;

export function owe(access: ModelAccess, kind: NoticeKind, email: string, facts: Facts): Happening[] {
  const noticeId = access.noticesEver.length + 1;
  const createdMs = access.exchange.nowMs;
  const notice = { noticeId, kind, email, facts, createdMs, status: "waiting" as const };
  access.noticesEver.push(notice);
  access.notices = [...access.notices, notice];
  return [told(noticeId, kind, "waiting")];
}

/** Whatever somebody who signed in does to an account, its owner is told, or the master of a sub-account. */
export function oweOwner(
  access: ModelAccess,
  kind: NoticeKind,
  accountId: number,
  by: string,
  facts: Facts,
): Happening[] {
  if (!/^(account:[0-9]|operator:.)/.test(by)) return [];
  const { accounts } = access.exchange;
  const owner = accounts.get(accounts.get(accountId)?.masterId ?? accountId)!;
  return owe(access, kind, owner.email, {
    holder: `account:${owner.accountId}`,
    account: `${accountId}`,
    by,
    ...facts,
  });
}

export function tellAlreadyKnown(access: ModelAccess, { holder }: TellAlreadyKnown): Happening[] | RejectReason {
  const known = holderOf(access.exchange, holder);
  return known === undefined ? "UNKNOWN_ACCOUNT" : owe(access, "alreadyKnown", known.email, { holder });
}

export function changeNotice(access: ModelAccess, { noticeId, from, to }: ChangeNotice): Happening[] | RejectReason {
  const notice = access.notices.find((owed) => owed.noticeId === noticeId);
  if (notice === undefined) return "UNKNOWN_LETTER";
  if (notice.status !== from) return "WRONG_STATUS";
  const isOver = to === "sent" || to === "failed" || to === "unknown";
  access.notices = access.notices.flatMap((owed) =>
    owed !== notice ? [owed] : isOver ? [] : [{ ...notice, status: to }],
  );
  return [told(noticeId, notice.kind, to)];
}

function told(noticeId: number, kind: string, status: string): Happening {
  return said(`letter ${noticeId} about ${kind}: ${status}`);
}
