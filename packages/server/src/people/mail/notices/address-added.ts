import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

export const addressAdded: NoticeWriter = (notice, desk) => {
  const tag = factOf(notice, "tag");
  return {
    subject: "Withdrawal address added",
    lines: [
      "An address was added to the withdrawal addresses of your account:",
      "",
      ...linesOf([
        ["Time", timeText(notice.createdMs)],
        ["Account", said(factOf(notice, "account"))],
        ["Network", said(factOf(notice, "network"))],
        ["Address", said(factOf(notice, "address"))],
        ...(tag === "" ? [] : [["Tag", said(tag)] as const]),
        ["Name", said(factOf(notice, "name"))],
        ["Added by", actorOf(notice)],
      ]),
      "",
      ...warning(notice, desk),
    ],
  };
};
