import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const addressAdded: NoticeWriter = (notice, desk) => {
  const tag = factOf(notice, "tag");
  return {
    subject: "A new address for withdrawals",
    lines: [
      "An address was added to those to which your account may withdraw:",
      "",
      `  time      ${timeText(notice.createdMs)}`,
      `  account   ${said(factOf(notice, "account"))}`,
      `  network   ${said(factOf(notice, "network"))}`,
      `  address   ${said(factOf(notice, "address"))}`,
      ...(tag === "" ? [] : [`  tag       ${said(tag)}`]),
      `  name      ${said(factOf(notice, "name"))}`,
      `  added by  ${actorOf(notice)}`,
      "",
      ...warning(notice, desk),
    ],
  };
};
