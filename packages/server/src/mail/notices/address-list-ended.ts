import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const addressListEnded: NoticeWriter = (notice, desk) => ({
  subject: "Withdrawals will go to any address",
  lines: [
    "Your account may withdraw to the addresses on its list alone. This was ended:",
    "",
    `  time      ${timeText(notice.createdMs)}`,
    `  account   ${said(factOf(notice, "account"))}`,
    `  holds     until ${timeText(Number(factOf(notice, "fromMs")))}`,
    `  ended by  ${actorOf(notice)}`,
    "",
    "If you want the list to hold on, sign in and switch it on again.",
    "",
    ...warning(notice, desk),
  ],
});
