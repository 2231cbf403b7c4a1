/** The end of a security email: what to do if the reader did not cause the event. */
import { DAY_MS, type NoticeRecord } from "@pricetime/engine";
import { LOCK_LINK_LIFE_MS } from "./links.ts";
import { customerOf, factOf, type NoticeDesk } from "./notice-parts.ts";
import { said } from "./said.ts";

/** A customer gets a link that locks the account; operators are disabled by other operators. */
export function warning(notice: NoticeRecord, { to }: NoticeDesk): readonly string[] {
  const account = customerOf(notice);
  if (account === undefined) {
    return [
      "If this was not you, tell another operator at once. They can end your sessions and disable your access in the",
      "console:",
      "",
      to.home(false),
    ];
  }
  return [
    "If this was not you, lock your account at once. All sessions, API keys and open orders end, and trading and",
    "withdrawals are disabled until the exchange unlocks the account:",
    "",
    to.lock(account, notice),
    "",
    `This link is valid for ${LOCK_LINK_LIFE_MS / DAY_MS} days.`,
  ];
}

/** Describes the actor to the owner of the account. */
export function actorOf(notice: NoticeRecord): string {
  const by = factOf(notice, "by");
  return by === factOf(notice, "holder") ? "you (signed in)" : said(by);
}
