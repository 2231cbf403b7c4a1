import { type NoticeWriter, timeText } from "./notice-parts.ts";

export const frozen: NoticeWriter = (notice, { to }) => ({
  subject: "Your account is locked",
  lines: [
    `Your account was locked at ${timeText(notice.createdMs)}. All sessions, API keys and open orders have ended, and`,
    "trading and withdrawals are disabled. To unlock the account, contact the exchange:",
    "",
    to.venue,
  ],
});
