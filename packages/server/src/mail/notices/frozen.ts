import { type NoticeWriter, timeText } from "./notice-parts.ts";

export const frozen: NoticeWriter = (notice, { to }) => ({
  subject: "Your account is frozen",
  lines: [
    `Your account was frozen at ${timeText(notice.createdMs)}: all sessions and API keys have ended, and nothing can be`,
    "traded or withdrawn. Open orders stay. Speak with the exchange, whose operators can open the account again:",
    "",
    to.venue,
  ],
});
