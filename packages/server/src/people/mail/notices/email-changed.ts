import { factOf, linesOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

const PLAIN_ADDRESS = /^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,190}$/;

/** Verbatim when it is a plain address, so that the customer recognizes it; otherwise quoted and sanitized. */
const shown = (email: string): string => (PLAIN_ADDRESS.test(email) ? email : said(email));

/** Sent to the previous address. */
export const emailChanged: NoticeWriter = (notice, desk) => ({
  subject: "Your email address was changed",
  lines: [
    "The email address of your account was changed. You now sign in with the new address, and emails about your account",
    "are sent to it:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["New address", shown(factOf(notice, "email"))],
      ["Changed by", actorOf(notice)],
    ]),
    "",
    "Your password and two-factor authentication stay the same.",
    "",
    ...warning(notice, desk),
  ],
});
