import { type NoticeWriter, timeText } from "./notice-parts.ts";
import { warning } from "./warning.ts";

export const passwordChanged: NoticeWriter = (notice, desk) => ({
  subject: "Your password was changed",
  lines: [`Your password was changed at ${timeText(notice.createdMs)}.`, "", ...warning(notice, desk)],
});
