import { customerOf, factOf, type NoticeWriter, timeText } from "./notice-parts.ts";

/** For a new customer, for a customer whose account exists but has no password yet, or for an operator. */
export const invitation: NoticeWriter = (notice, { access, to, nowMs }) => {
  const id = factOf(notice, "invitationId");
  const record = access.invitation(id, nowMs);
  const isCustomer = factOf(notice, "holder") === "" || customerOf(notice) !== undefined;
  const link = to.invitation(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined) return undefined;
  const what = isCustomer ? "your account" : "your operator access";
  return {
    subject: `Choose a password for ${what}`,
    lines: [
      `You are invited to choose a password for ${what}. This link works once, until ${timeText(record.untilMs)}:`,
      "",
      link,
      "",
      "If you did not expect this email, ignore it. Without the link, no password can be set.",
    ],
  };
};
