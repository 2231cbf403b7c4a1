import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { warning } from "./warning.ts";

export const newSignIn: NoticeWriter = (notice, desk) => ({
  subject: "New sign-in",
  lines: [
    "Your password was used to sign in from a new browser or IP address:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["IP address", said(factOf(notice, "ip"))],
      ["Browser", said(factOf(notice, "client"))],
    ]),
    "",
    ...warning(notice, desk),
  ],
});
