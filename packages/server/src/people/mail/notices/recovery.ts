import { customerOf, factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { warning } from "./warning.ts";

/** Has two links: one sets a new password after the waiting period, the other cancels the reset. */
export const recovery: NoticeWriter = (notice, desk) => {
  const { access, to, nowMs } = desk;
  const id = factOf(notice, "recoveryId");
  const record = access.recovery(id);
  const isCustomer = customerOf(notice) !== undefined;
  const link = to.recovery(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined || nowMs >= record.untilMs) return undefined;
  return {
    subject: "Reset your password",
    lines: [
      `A password reset was requested for you at ${timeText(record.askedMs)}. If you requested it, set a new password`,
      `with this link. It works from ${timeText(record.fromMs)} until ${timeText(record.untilMs)}:`,
      "",
      link,
      "",
      "If you did not request it, cancel the reset with this link. The link above then stops working:",
      "",
      to.cancelRecovery(id, isCustomer),
      "",
      ...warning(notice, desk),
    ],
  };
};
