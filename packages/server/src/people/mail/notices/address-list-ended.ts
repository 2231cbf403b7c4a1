import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const addressListEnded: NoticeWriter = (notice, desk) => ({
  subject: "Withdrawal address allowlist turned off",
  lines: [
    "The withdrawal address allowlist of your account was turned off. Until the waiting period ends, withdrawals still go",
    "only to the addresses in your address book; after that, they can go to any address:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["Account", said(factOf(notice, "account"))],
      ["Stays on until", timeText(Number(factOf(notice, "fromMs")))],
      ["Turned off by", actorOf(notice)],
    ]),
    "",
    "To keep the allowlist, sign in and turn it on again under Addresses.",
    "",
    ...warning(notice, desk),
  ],
});
