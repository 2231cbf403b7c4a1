/** Letters that are owed: whoever sends one claims it first, so of two nodes one sends it. */
import type { ChangeNotice } from "../entry/access-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function changeNotice(state: ExchangeState, { noticeId, from, to }: ChangeNotice): RejectReason | null {
  const notice = state.notices.get(noticeId);
  if (notice === undefined) return "UNKNOWN_LETTER";
  if (notice.status !== from) return "WRONG_STATUS";
  if (to === "waiting" || to === "claimed") state.notices.replace({ ...notice, status: to });
  else state.notices.remove(noticeId);
  state.emit({ type: "noticeChanged", noticeId, kind: notice.kind, status: to });
  return null;
}
