import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";

/** To each operator: in a day one person can do alone what needs two now, unless somebody stops it. */
export const breakGlass: NoticeWriter = (notice, { to }) => ({
  subject: "The rules of approval end in a day",
  lines: [
    "An operator announced that the rules of approval end, so that no act needs two persons any more:",
    "",
    `  announced ${timeText(notice.createdMs)}`,
    `  in force  ${timeText(Number(factOf(notice, "fromMs")))}`,
    `  by        ${said(factOf(notice, "by"))}`,
    `  because   ${said(factOf(notice, "why"))}`,
    "",
    "If that is not right, stop it in the console before then; every operator but a viewer can:",
    "",
    to.home(false),
  ],
});
