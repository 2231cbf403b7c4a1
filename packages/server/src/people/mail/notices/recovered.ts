import { customerOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { warning } from "./warning.ts";

export const recovered: NoticeWriter = (notice, desk) => ({
  subject: "Your password was reset",
  lines: [
    `At ${timeText(notice.createdMs)}, a new password was set for you with the link from our password reset email. All`,
    `sessions have ended${customerOf(notice) === undefined ? "" : ", and withdrawals are suspended for 24 hours"}.`,
    "",
    ...warning(notice, desk),
  ],
});
