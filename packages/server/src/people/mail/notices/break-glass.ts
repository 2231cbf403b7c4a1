import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";

/** Sent to every operator when the emergency override is requested: any of them but a viewer can cancel it. */
export const breakGlass: NoticeWriter = (notice, { to }) => ({
  subject: "Emergency override: dual approval ends in 24 hours",
  lines: [
    "An operator requested the emergency override. When it takes effect, dual approval is switched off: every action that",
    "now needs an approver can then be carried out by one operator.",
    "",
    ...linesOf([
      ["Requested", timeText(notice.createdMs)],
      ["Takes effect", timeText(Number(factOf(notice, "fromMs")))],
      ["Requested by", said(factOf(notice, "by"))],
      ["Reason", said(factOf(notice, "why"))],
    ]),
    "",
    "If this is not right, cancel the override in the console before it takes effect. Every operator except viewers can",
    "cancel it:",
    "",
    to.home(false),
  ],
});
