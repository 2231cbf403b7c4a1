import { customerOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { warning } from "./warning.ts";

export const recovered: NoticeWriter = (notice, desk) => ({
  subject: "Your password was replaced",
  lines: [
    `At ${timeText(notice.createdMs)} somebody with the link for a forgotten password chose another. All sessions have`,
    customerOf(notice) === undefined ? "ended." : "ended, and for a day nothing can be withdrawn.",
    "",
    ...warning(notice, desk),
  ],
});
