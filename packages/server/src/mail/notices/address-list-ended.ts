import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const addressListEnded: NoticeWriter = (notice, desk) => ({
  subject: "Withdrawal address allowlist turned off",
  lines: [
    "Your account can withdraw only to the addresses in its address book. This restriction was turned off. It stays in",
    "force until the time below; after that, withdrawals can go to any address:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["Account", said(factOf(notice, "account"))],
      ["In force until", timeText(Number(factOf(notice, "fromMs")))],
      ["Turned off by", actorOf(notice)],
    ]),
    "",
    "To keep the allowlist, sign in and turn it on again under Addresses.",
    "",
    ...warning(notice, desk),
  ],
});
