import { factOf, type NoticeWriter, timeText } from "./notice-parts.ts";
import { said } from "./said.ts";
import { actorOf, warning } from "./warning.ts";

const PLAIN_ADDRESS = /^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,190}$/;

/** As it is, so that the holder recognizes it; quoted where it holds anything unusual. */
const shown = (email: string): string => (PLAIN_ADDRESS.test(email) ? email : said(email));

/** Goes to the address that the account had before. */
export const emailChanged: NoticeWriter = (notice, desk) => ({
  subject: "Your email address was changed",
  lines: [
    "You now sign in with another email address, and emails about your account go there:",
    "",
    `  time          ${timeText(notice.createdMs)}`,
    `  new address   ${shown(factOf(notice, "email"))}`,
    `  changed by    ${actorOf(notice)}`,
    "",
    "Your password and two-factor codes stay the same.",
    "",
    ...warning(notice, desk),
  ],
});
