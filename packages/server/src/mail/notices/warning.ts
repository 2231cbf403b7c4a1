/** The end of a letter about somebody's safety: what to do if it was somebody else. */
import { DAY_MS, type NoticeRecord } from "@pricetime/engine";
import { FREEZE_LINK_LIFE_MS } from "./links.ts";
import { customerOf, factOf, type NoticeDesk } from "./notice-parts.ts";
import { said } from "./said.ts";

/** A customer gets a link that freezes the account; an operator is disabled by another. */
export function warning(notice: NoticeRecord, { to }: NoticeDesk): readonly string[] {
  const account = customerOf(notice);
  if (account === undefined) {
    return [
      "If it was not you, tell another operator at once, who can end your sessions and your access in the console:",
      "",
      to.home(false),
    ];
  }
  return [
    "If it was not you, freeze your account at once. All sessions, API keys and open orders end, and nothing can be",
    "traded or withdrawn until you have spoken with the exchange:",
    "",
    to.freeze(account, notice),
    "",
    `The link is good for ${FREEZE_LINK_LIFE_MS / DAY_MS} days.`,
  ];
}

/** Who did it, for the holder. */
export function actorOf(notice: NoticeRecord): string {
  const by = factOf(notice, "by");
  return by === factOf(notice, "holder") ? "you, signed in" : said(by);
}
