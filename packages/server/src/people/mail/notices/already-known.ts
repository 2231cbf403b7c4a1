import type { NoticeWriter } from "./notice-parts.ts";

/** Answers a sign-up with an address that has an account. The sign-up page does not reveal that it has one. */
export const alreadyKnown: NoticeWriter = (_notice, { to }) => ({
  subject: "You already have an account",
  lines: [
    "Someone, perhaps you, tried to open an account with this email address, which already has one. Nothing was changed.",
    "If you have forgotten your password, reset it from the sign-in page:",
    "",
    to.home(true),
  ],
});
