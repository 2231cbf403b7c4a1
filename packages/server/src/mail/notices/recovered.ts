import { customerOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { warning } from "./warning.ts";

export const recovered: NoticeWriter = (notice, desk) => ({
  subject: "Your password was replaced",
  lines: [
    `At ${timeText(notice.createdMs)} somebody chose another password for you by a link from a letter of ours. All`,
    `sessions have ended${customerOf(notice) === undefined ? "" : ", and for a day nothing can be withdrawn"}.`,
    "",
    ...warning(notice, desk),
  ],
});
