import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { actorOf, warning } from "./warning.ts";

export const totpChanged: NoticeWriter = (notice, desk) => {
  const isSet = factOf(notice, "change") === "set";
  return {
    subject: `Two-factor authentication was turned ${isSet ? "on" : "off"}`,
    lines: [
      isSet
        ? "You now need a code from your authenticator app to sign in:"
        : "Codes from your authenticator app are no longer required:",
      "",
      ...linesOf([
        ["Time", timeText(notice.createdMs)],
        [isSet ? "Turned on by" : "Turned off by", actorOf(notice)],
      ]),
      "",
      ...warning(notice, desk),
    ],
  };
};
