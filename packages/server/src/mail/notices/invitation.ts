import { customerOf, factOf, type NoticeWriter, timeText } from "./notice-parts.ts";

/** For a customer whose account is opened then, for one who has an account, or for an operator. */
export const invitation: NoticeWriter = (notice, { access, to, nowMs }) => {
  const id = factOf(notice, "invitationId");
  const record = access.invitation(id, nowMs);
  const isCustomer = factOf(notice, "holder") === "" || customerOf(notice) !== undefined;
  const link = to.invitation(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined) return undefined;
  const what = isCustomer ? "your account" : "your access as an operator";
  return {
    subject: `Choose the password of ${what}`,
    lines: [
      `You are invited to choose the password of ${what}. The link is good once, until ${timeText(record.untilMs)}:`,
      "",
      link,
      "",
      "If you expected no such letter, do nothing: without the link nobody can choose a password.",
    ],
  };
};
