import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { actorOf, warning } from "./warning.ts";

export const totpChanged: NoticeWriter = (notice, desk) => {
  const isSet = factOf(notice, "change") === "set";
  return {
    subject: isSet ? "Two-factor codes are on" : "Two-factor codes are off",
    lines: [
      isSet
        ? "From now on a code of your authenticator is asked for:"
        : "Codes of your authenticator are no longer asked for:",
      "",
      `  time      ${timeText(notice.createdMs)}`,
      `  done by   ${actorOf(notice)}`,
      "",
      ...warning(notice, desk),
    ],
  };
};
