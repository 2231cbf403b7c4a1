import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const apiKeyCreated: NoticeWriter = (notice, desk) => ({
  subject: "A new API key",
  lines: [
    "A new API key of your account was made:",
    "",
    `  time      ${timeText(notice.createdMs)}`,
    `  account   ${said(factOf(notice, "account"))}`,
    `  label     ${said(factOf(notice, "label"))}`,
    `  may       ${said(factOf(notice, "permissions"))}`,
    `  made by   ${actorOf(notice)}`,
    "",
    ...warning(notice, desk),
  ],
});
