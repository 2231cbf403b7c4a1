import { type NoticeWriter, timeText } from "./notice-parts.ts";

export const frozen: NoticeWriter = (notice, { to }) => ({
  subject: "Your account is frozen",
  lines: [
    `Your account was frozen at ${timeText(notice.createdMs)}: all sessions, API keys and open orders have ended, and`,
    "nothing can be traded or withdrawn. Speak with the exchange, whose operators can open the account again:",
    "",
    to.venue,
  ],
});
