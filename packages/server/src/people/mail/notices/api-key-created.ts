import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const apiKeyCreated: NoticeWriter = (notice, desk) => ({
  subject: "API key created",
  lines: [
    "An API key was created for your account:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["Account", said(factOf(notice, "account"))],
      ["Label", said(factOf(notice, "label"))],
      ["Permissions", said(factOf(notice, "permissions"))],
      ["Created by", actorOf(notice)],
    ]),
    "",
    ...warning(notice, desk),
  ],
});
