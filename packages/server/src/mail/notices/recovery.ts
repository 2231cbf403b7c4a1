import { customerOf, factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { warning } from "./warning.ts";

/** With a link that is good only after a while, and one that stops it, for whoever did not ask. */
export const recovery: NoticeWriter = (notice, desk) => {
  const { access, to, nowMs } = desk;
  const id = factOf(notice, "recoveryId");
  const record = access.recovery(id);
  const isCustomer = customerOf(notice) !== undefined;
  const link = to.recovery(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined || nowMs >= record.untilMs) return undefined;
  return {
    subject: "Your forgotten password",
    lines: [
      `Somebody said at ${timeText(record.askedMs)} that your password is forgotten. If it was you, choose another by`,
      `this link, which is good from ${timeText(record.fromMs)} until ${timeText(record.untilMs)}:`,
      "",
      link,
      "",
      "If it was not you, stop it by this link, and nobody can use the other:",
      "",
      to.cancelRecovery(id, isCustomer),
      "",
      ...warning(notice, desk),
    ],
  };
};
