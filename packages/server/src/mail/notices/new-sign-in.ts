import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { warning } from "./warning.ts";

export const newSignIn: NoticeWriter = (notice, desk) => ({
  subject: "A new sign-in",
  lines: [
    "Somebody signed in with your password, from where nobody had yet:",
    "",
    `  time      ${timeText(notice.createdMs)}`,
    `  address   ${said(factOf(notice, "ip"))}`,
    `  browser   ${said(factOf(notice, "client"))}`,
    "",
    ...warning(notice, desk),
  ],
});
